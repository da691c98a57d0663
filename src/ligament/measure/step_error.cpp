// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/step_error.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

constexpr double nearly = 1.0 - 1e-9;  // a bound is reached, up to rounding

class Explanation {
 public:
  Explanation(const SolvedStep& step, const VecX& mobility, ErrorMap& map, StepError& sum)
      : step_(step), mobility_(mobility), map_(map), sum_(sum) {}

  // The rows of a block that its law leaves free, and those that it holds.
  void explain(const RowBlock& block, const Law& law) {
    const int first = block.first_row;
    if (std::holds_alternative<Equality>(law)) return look(Equality{}, first, block.rows);
    std::visit([&](const auto& of) { look(of, first, block.rows); },
               bounded_by(step_.solution.lambda, law));
  }

 private:
  double lambda(int row) const { return step_.solution.lambda(row); }

  void look(const Equality&, int first, int rows) {
    for (int row = first; row < first + rows; ++row) test(row);
  }
  void look(const Unilateral&, int first, int rows) {
    for (int row = first; row < first + rows; ++row) look_at_push(row);
  }
  void look(const Box& box, int first, int rows) {
    for (int row = first; row < first + rows; ++row) {
      const bool free = lambda(row) > nearly * box.lower && lambda(row) < nearly * box.upper;
      free ? test(row) : hold(row, 1);
    }
  }
  void look(const Disc& disc, int first, int rows) {
    if (step_.solution.lambda.segment(first, rows).norm() < nearly * disc.radius)
      look(Equality{}, first, rows);
    else
      hold(first, rows);
  }
  void look(const Coulomb& law, int first, int rows) {
    look_at_push(first);
    look(Disc{.radius = law.mu * std::max(0.0, lambda(first))}, first + 1, rows - 1);
  }
  // What slides by the associated law is lifted, which is no error of the normal row.
  void look(const Cone& law, int first, int rows) {
    const double bound = law.mu * std::max(0.0, lambda(first));
    if (step_.solution.lambda.segment(first + 1, rows - 1).norm() < nearly * bound)
      look(Equality{}, first, rows);
    else if (lambda(first) > 0.0)
      hold(first, rows);
    else
      look(Coulomb{law.mu}, first, rows);
  }

  void look_at_push(int row) {
    if (lambda(row) > 0.0) return test(row);
    set(row, {.fate = RowFate::held});
    if (step_.residual.misses(row) > tolerance_of(row)) note_missed(row);
  }

  double tolerance_of(int row) const {
    return rounding_of_residuals *
           std::max(step_.speed, mobility_(row) * std::abs(step_.solution.lambda(row)));
  }

  void test(int row) {
    const double tolerance = tolerance_of(row);
    if (std::abs(step_.residual.misses(row)) <= tolerance) return set(row, {});
    const RowScheme& scheme = step_.schemes[static_cast<std::size_t>(row)];
    const InexactRow inexact{.r = step_.residual.misses(row),
                             .lambda = lambda(row),
                             .target = scheme.target,
                             .mobility = mobility_(row)};
    const RowChange change = explain_row(inexact, tolerance);
    if (change.fate == RowFate::missed) return note_missed(row);
    set(row, change);
    ++sum_.inexact;
    sum_.infeasible += change.fate == RowFate::infeasible;
    feed(row, -inexact.lambda * inexact.r);
    const double give =
        compute_extra_give(scheme, step_.h, step_.problem.Sigma(row), change, inexact.lambda);
    map_.give(row) = give;
    if (give <= sum_.give) return;
    sum_.give = give;
    sum_.excess = give * step_.h / std::abs(inexact.lambda);
    sum_.softest_row = row;
  }

  // Rows at a bound: what the natural residual, which knows the bound, says of their work.
  void hold(int first, int rows) {
    for (int row = first; row < first + rows; ++row) set(row, {.fate = RowFate::held});
    feed(first,
         -step_.solution.lambda.segment(first, rows).dot(step_.residual.rows.segment(first, rows)));
  }

  void note_missed(int row) {
    set(row, {.fate = RowFate::missed});
    ++sum_.inexact;
    ++sum_.missed;
    const double speed = std::abs(step_.residual.misses(row));
    if (speed <= sum_.missed_speed) return;
    sum_.missed_speed = speed;
    sum_.missed_row = row;
  }

  void set(int row, const RowChange& change) {
    map_.fate[static_cast<std::size_t>(row)] = change.fate;
    map_.alpha(row) = change.alpha;
    map_.beta(row) = change.beta;
    map_.give(row) = map_.fed(row) = 0.0;
  }

  void feed(int row, double work) {
    if (!(work > 0.0)) return;
    map_.fed(row) = work;
    sum_.fed_work += work;
    if (sum_.feeding_row < 0 || work > map_.fed(sum_.feeding_row)) sum_.feeding_row = row;
  }

  const SolvedStep& step_;
  const VecX& mobility_;
  ErrorMap& map_;
  StepError& sum_;
};

void hold_against_coulomb(const SolvedStep& step, const VecX& mobility, StepError& out) {
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const CoulombError error = compute_coulomb_error(step.contacts[i], step.solution,
                                                     step.residual.misses, mobility, step.h);
    if (out.worst_contact >= 0 && !(error.force > out.coulomb.force)) continue;
    out.coulomb = error;
    out.worst_contact = static_cast<int>(i);
  }
}

}  // namespace

StepError explain_step(const SolvedStep& step, ErrorMap& out) {
  StepError sum{.rows = step.problem.rows()};
  out.exact = step.residual.row_max <= rounding_of_residuals * step.speed;
  if (out.exact) return sum;
  out.fate.resize(static_cast<std::size_t>(sum.rows));
  for (VecX* of_rows : {&out.alpha, &out.beta, &out.give, &out.fed}) of_rows->resize(sum.rows);
  if (step.residual.knows_mobility)
    out.mobility = step.residual.mobility;
  else
    compute_row_mobility(step.problem, out.mobility);
  Explanation explanation(step, out.mobility, out, sum);
  for (std::size_t i = 0; i < step.problem.laws.size(); ++i)
    explanation.explain(step.problem.G.blocks[i], step.problem.laws[i]);
  hold_against_coulomb(step, out.mobility, sum);
  return sum;
}

}  // namespace ligament
