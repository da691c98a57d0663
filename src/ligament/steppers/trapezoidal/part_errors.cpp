// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/part_errors.h"

#include <algorithm>
#include <cmath>

#include "ligament/steppers/words.h"

namespace ligament {
namespace {

// The worse of two parts, with all that is said of it.
void take_worse(const StepError& part, StepError& sum) {
  if (part.give > sum.give) {
    sum.give = part.give;
    sum.excess = part.excess;
    sum.softest_row = part.softest_row;
  }
  if (part.missed_speed > sum.missed_speed) {
    sum.missed_speed = part.missed_speed;
    sum.missed_row = part.missed_row;
  }
  if (part.worst_contact >= 0 && !(part.coulomb.force < sum.coulomb.force)) {
    sum.coulomb = part.coulomb;
    sum.worst_contact = part.worst_contact;
  }
}

}  // namespace

PartErrors::PartErrors(Workspace& work) : work_(work) {
  work.trapezoidal.give.setZero(work.contacts.joint_rows);
  work.trapezoidal.fed.setZero(work.contacts.joint_rows);
}

void PartErrors::add(double h, double share) {
  forget_contacts();
  StepReport part;
  part.speed = largest_speed(work_.problem, work_.solution);
  explain(h, work_, part);
  const Residual& residual = work_.residual;
  any_ = true;
  accurate_ = accurate_ && !(residual.row_max > 1e-6 * part.speed);
  injected_ += share * residual.injected_energy;
  if (!(residual.row_max <= residual_)) {
    residual_ = residual.row_max;
    worst_row_ = residual.worst_row;
  }
  sum_.rows += part.error.rows;
  sum_.inexact += part.error.inexact;
  sum_.infeasible += part.error.infeasible;
  sum_.missed += part.error.missed;
  sum_.fed_work += share * part.error.fed_work;
  take_worse(part.error, sum_);
  if (!work_.error.exact) add_rows(share);
}

void PartErrors::add_rows(double share) {
  exact_ = false;
  last_is_exact_ = false;
  VecX &give = work_.trapezoidal.give, &fed = work_.trapezoidal.fed;
  for (Eigen::Index row = 0; row < give.size(); ++row) {
    const double of_part = work_.error[row].give;
    if (std::abs(of_part) > std::abs(give(row))) give(row) = of_part;
    fed(row) += share * work_.error[row].fed;
  }
}

void PartErrors::forget_contacts() {
  const int joint_rows = work_.contacts.joint_rows;
  for (int* row : {&sum_.softest_row, &sum_.missed_row, &worst_row_})
    if (*row >= joint_rows) *row = -1;
  sum_.worst_contact = -1;
  last_is_exact_ = true;
}

void PartErrors::write_to(StepReport& report) {
  if (!any_) return;
  report.error = sum_;
  report.residual = residual_;
  report.worst_residual_row = worst_row_;
  report.injected_energy = injected_;
  report.accurate = accurate_;
  if (exact_) return;
  ErrorMap& map = work_.error;
  const auto rows = static_cast<std::size_t>(work_.problem.rows());
  if (last_is_exact_) map.rows.assign(rows, {});  // its contacts have no errors
  map.exact = false;
  for (Eigen::Index row = 0; row < work_.trapezoidal.give.size(); ++row) {
    map[row].give = work_.trapezoidal.give(row);
    map[row].fed = work_.trapezoidal.fed(row);
  }
  const auto most = std::ranges::max_element(map.rows, {}, &RowError::fed);
  if (most != map.rows.end() && most->fed > 0.0)
    report.error.feeding_row = static_cast<int>(most - map.rows.begin());
}

}  // namespace ligament
