// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/error_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ligament {
namespace {

constexpr std::size_t named_rows = 3;  // of the softest
constexpr double noticed = 1e-6;       // of the energy that moves: less work is none
constexpr double soft = 0.01;          // of the softest: who gives way less is not named

struct Units {
  const char *compliance, *slip, *give;
};

Units units_of(RowMeasure measure) {
  switch (measure) {
    case RowMeasure::length: return {"m/N", "m/(N s)", "m"};
    case RowMeasure::angle: return {"rad/(N m)", "rad/(N m s)", "rad"};
    case RowMeasure::number: return {"1/J", "1/(J s)", ""};
  }
  return {"", "", ""};
}

double percent(double share) { return 100.0 * share; }

// A step that is divided may have a worst contact that its end does not know any more.
std::string name_or_gone(const std::string& name) {
  return name.empty() ? "a contact that was gone at the end of its step" : name;
}

}  // namespace

ErrorTally::ErrorTally(const Workspace& work)
    : rows_(static_cast<std::size_t>(work.contacts.joint_rows)) {}

void ErrorTally::add_energy(const Energy& energy) {
  if (first_) low_ = high_ = energy.potential;
  first_ = false;
  kinetic_ = std::max(kinetic_, energy.kinetic);
  low_ = std::min(low_, energy.potential);
  high_ = std::max(high_, energy.potential);
}

void ErrorTally::add_step(const StepReport& report, const Workspace& work, double h) {
  const StepError& error = report.error;
  h_ = h;
  fed_ += error.fed_work;
  give_ = std::max(give_, error.give);
  if (report.accurate || work.error.exact) return;
  ++inaccurate_;
  rows_seen_ += error.rows;
  infeasible_ += error.infeasible;
  missed_ += error.missed;
  if (error.missed_speed > missed_speed_) {
    missed_speed_ = error.missed_speed;
    missed_worst_ = make_culprit(work, error.missed_row);
  }
  add_rows(work, h);
  add_contacts(report, work, h);
}

void ErrorTally::add_rows(const Workspace& work, double h) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    Row& row = rows_[i];
    const double give = std::max(0.0, work.error[at].give);
    row.force += std::abs(work.solution.lambda(at)) / h;
    row.give += give;
    row.fed += work.error[at].fed;
    if (give <= row.most) continue;
    row.most = give;
    row.asked = work.schemes[i].scale * work.problem.Sigma(at);
    row.slips = !work.schemes[i].stabilizes;
  }
}

void ErrorTally::add_contacts(const StepReport& report, const Workspace& work, double h) {
  const StepError& error = report.error;
  if (error.coulomb.force > friction_.force) {
    friction_ = error.coulomb;
    friction_worst_ = {};
    if (error.worst_contact >= 0) {
      const Contact& contact =
          work.contacts.rows[static_cast<std::size_t>(error.worst_contact)].contact;
      friction_worst_ = {contact.shape_a, contact.shape_b, true};
    }
  }
  if (work.contacts.rows.empty()) return;
  const int feeding = error.feeding_row, softest = error.softest_row;
  if (feeding >= work.contacts.joint_rows && work.error[feeding].fed > fed_by_contact_) {
    fed_by_contact_ = work.error[feeding].fed;
    feeding_contact_ = make_culprit(work, feeding);
  }
  if (softest < work.contacts.joint_rows || error.give <= contact_give_) return;
  const RowScheme& scheme = work.schemes[static_cast<std::size_t>(softest)];
  contact_give_ = error.give;
  contact_asked_ = scheme.scale * work.problem.Sigma(softest);
  contact_slips_ = !scheme.stabilizes;
  contact_excess_ = contact_slips_ ? error.excess / h : error.excess;
  soft_contact_ = make_culprit(work, softest);
}

ErrorTally::Culprit ErrorTally::make_culprit(const Workspace& work, int row) {
  return {row, find_contact(work.contacts, row)};
}

std::string ErrorTally::name(const Culprit& culprit, const Model& model,
                             const Workspace& work) const {
  if (culprit.pair.known) return culprit.pair.name(model);
  if (culprit.row < 0) return {};
  return name_of_row(work.constraints, model, work.problem.G, culprit.row);
}

void ErrorTally::write_softest(const Model& model, const Workspace& work, ErrorReport& out) const {
  std::vector<SoftRow> found;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (!(row.most > 0.0) || !(row.force > 0.0)) continue;
    const int at = static_cast<int>(i);
    const Units units = units_of(measure_of_row(work.constraints, model, work.problem.G, at));
    const double excess = row.give / (row.slips ? row.force * h_ : row.force);
    found.push_back({.name = name({at, {}}, model, work),
                     .slips = row.slips,
                     .unit = row.slips ? units.slip : units.compliance,
                     .give_unit = units.give,
                     .compliance = row.asked + excess,
                     .asked = row.asked,
                     .give = row.most});
  }
  if (soft_contact_.row >= 0) {
    const Units units = units_of(RowMeasure::length);
    found.push_back({.name = name(soft_contact_, model, work),
                     .slips = contact_slips_,
                     .unit = contact_slips_ ? units.slip : units.compliance,
                     .give_unit = units.give,
                     .compliance = contact_asked_ + contact_excess_,
                     .asked = contact_asked_,
                     .give = contact_give_});
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &SoftRow::give);
  for (const SoftRow& row : found)
    if (out.softest.size() < named_rows && row.give >= soft * found.front().give)
      out.softest.push_back(row);
}

void ErrorTally::write_to(const Model& model, const Workspace& work, ErrorReport& out) const {
  out.inaccurate_steps = inaccurate_;
  out.give = give_;
  out.fed_work = fed_;
  out.moved_energy = std::max(kinetic_, high_ - low_);
  out.as_asked = inaccurate_ == 0 && !(fed_ > noticed * out.moved_energy);
  if (rows_seen_ > 0)
    out.infeasible = static_cast<double>(infeasible_) / static_cast<double>(rows_seen_);
  write_softest(model, work, out);
  const auto most = std::ranges::max_element(rows_, {}, &Row::fed);
  if (most != rows_.end() && most->fed >= fed_by_contact_ && most->fed > 0.0) {
    out.feeding = name({static_cast<int>(most - rows_.begin()), {}}, model, work);
    out.feeding_work = most->fed;
  } else if (fed_by_contact_ > 0.0) {
    out.feeding = name(feeding_contact_, model, work);
    out.feeding_work = fed_by_contact_;
  }
  out.missed = missed_;
  out.missed_speed = missed_speed_;
  out.missed_worst = name(missed_worst_, model, work);
  out.friction = friction_;
  out.friction_worst = friction_worst_.name(model);
}

std::string ErrorReport::text() const {
  if (as_asked)
    return fmt::format(
        "simulated     the machine asked for: under its load nothing gives way by {:.2g} (metres "
        "or "
        "radians) more than its compliance says, and the solver fed it {:.2g} J\n",
        give, fed_work);
  std::string text = fmt::format(
      "simulated     another machine than the one asked for, as the solver stopped early in {} "
      "step{}:\n",
      inaccurate_steps, inaccurate_steps == 1 ? "" : "s");
  constexpr const char* indent = "              ";
  for (const SoftRow& row : softest)
    text += fmt::format(
        "{}{} behaved as if its {} were {:.2g} {} (asked {:.2g}): up to {:.2g} {} more under "
        "its load\n",
        indent, row.name, row.slips ? "slip" : "compliance", row.compliance, row.unit, row.asked,
        row.give, row.give_unit);
  if (infeasible > 0.0)
    text += fmt::format(
        "{}{:.2g} % of the rows pushed the wrong way, as no spring or damper does{}\n", indent,
        percent(infeasible),
        feeding.empty() ? "" : fmt::format(", most of all {} ({:.2g} J)", feeding, feeding_work));
  text += fmt::format(
      "{}the solver fed {:.3g} J into a machine in which {:.3g} J move{}\n", indent, fed_work,
      moved_energy,
      moved_energy > 0.0 ? fmt::format(" ({:.3g} %)", percent(fed_work / moved_energy)) : "");
  if (missed > 0)
    text += fmt::format(
        "{}{} times something that should have pushed did not, at worst {} at {:.2g} m/s\n", indent,
        missed, name_or_gone(missed_worst), missed_speed);
  if (friction.force > 0.0)
    text += fmt::format(
        "{}friction off Coulomb's law by up to {:.3g} N ({}): {:.2g} N too {}, {:.2g} degrees off "
        "the direction against the slip\n",
        indent, friction.force, name_or_gone(friction_worst), std::abs(friction.excess),
        friction.excess < 0.0 ? "weak" : "strong", friction.angle * 180.0 / std::numbers::pi);
  return text;
}

}  // namespace ligament
