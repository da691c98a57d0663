// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ligament/constraints/row_units.h"
#include "ligament/math/worst.h"
#include "ligament/simulation/body_check.h"
#include "ligament/simulation/contact_tally.h"
#include "ligament/simulation/row_forms.h"
#include "ligament/simulation/start_loads.h"
#include "ligament/simulation/transverse.h"
#include "ligament/steppers/contacts.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double visible = 0.01;           // of the machine's extent, or radians: an error one sees
constexpr std::size_t most_springs = 500;  // whose mobility is found with the joints holding

class StepCheck {
 public:
  StepCheck(const Model& model, const Stepper& stepper, const State& state, Diagnosis& out)
      : model_(model),
        stepper_(stepper),
        state_(state),
        out_(out),
        work_(model),
        extent_(compute_extent(model, state)) {}

  void run(const std::vector<int>& dependent) {
    build_rows(model_, state_, work_);
    assemble_motion(model_, state_, 0.0, Gyroscopic::kick_drift, work_);
    const std::vector<bool> ties = find_ties(model_, work_, Drives::left_out);
    TieSolver held(work_.problem, find_ties(model_, work_, Drives::counted));
    check_support();
    if (!has_rigid_joints(stepper_)) check_floor();
    check_springs(held);
    find_loads();
    if (settled_.ok()) {
      out_.sharing = find_sharing(model_, work_, ties, dependent, settled_.force);
      check_sag();
      check_mode();
    }
    if (!has_rigid_joints(stepper_)) check_violation();
    check_overlap();
  }

  const Workspace& work() const { return work_; }

 private:
  double h() const { return step_size(stepper_); }
  const RowPhysics& physics(int row) const {
    return work_.constraints.physics[static_cast<std::size_t>(row)];
  }
  int joint_rows() const { return work_.contacts.joint_rows; }
  std::string name(int row) const {
    return row < joint_rows() ? name_of_row(work_.constraints, model_, work_.problem.G, row)
                              : find_contact(work_.contacts, row).name(model_);
  }
  RowUnit unit(int row) const {
    if (row < joint_rows()) return unit_of_row(work_.constraints, model_, work_.problem.G, row);
    return unit_of_lengths;  // of contacts only the normal rows are asked about
  }
  // An error of this size can be seen.
  double visible_error(const RowUnit& of) const {
    return of.value == unit_of_lengths.value ? visible * extent_ : visible;
  }
  bool is_joint_row(int row) const {
    return physics(row).kind == RowKind::holonomic && !physics(row).elastic;
  }

  void check_support() {
    const Unsupported what = find_unsupported(stepper_, model_, work_);
    if (!what.any()) return;
    out_.findings.push_back(
        {.severity = Severity::error,
         .kind = "stepper",
         .where = what.contacts ? "contacts" : name(what.row),
         .what =
             fmt::format("the stepper {}, with these options, does not step it", name_of(stepper_)),
         .change = "use another stepper, such as spook, which steps everything"});
  }

  // Compliance whose Σ is below what elimination can tell from 0.                       [SP.8]
  void check_floor() {
    const double floor = sigma_floor(compliance_floor_of(stepper_), work_);
    Worst worst;
    int count = 0;
    for (int i = 0; i < joint_rows(); ++i) {
      if (!is_joint_row(i)) continue;
      const double ratio = effective_compliance(stepper_, physics(i), floor) /
                           std::max(physics(i).compliance, 1e-300);
      if (ratio <= 1.0) continue;
      ++count;
      worst.add(ratio, i);
    }
    if (count == 0) return;
    const double least = effective_compliance(stepper_, physics(worst.index), floor);
    const RowUnit of = unit(worst.index);
    out_.findings.push_back(
        {.kind = "compliance",
         .where = name(worst.index),
         .what = fmt::format("its compliance {:.3g} {} is below {:.3g} {}, the least that double "
                             "precision can tell from none at this step: it is given the least",
                             physics(worst.index).compliance, of.compliance, least, of.compliance),
         .change = "nothing, if so small a sag does not matter; or give it this compliance, or a "
                   "shorter step",
         .value = physics(worst.index).compliance,
         .unit = of.compliance,
         .limit = least,
         .others = count - 1});
  }

  // A spring alone swings at ω = √(s/ε), s its mobility with the joints holding: it takes six steps
  // a swing to follow.                                                                   [CK.7]
  void check_springs(TieSolver& held) {
    VecX mobility;
    StepProblem bare = work_.problem;
    bare.Sigma.setZero();
    compute_row_mobility(bare, mobility);
    std::size_t springs = 0;
    int unresolved = 0;
    Worst worst;
    for (int i = 0; i < joint_rows(); ++i) {
      const RowPhysics& row = physics(i);
      if (row.kind != RowKind::holonomic || !row.elastic || !(row.compliance > 0.0)) continue;
      const double s = ++springs > most_springs ? mobility(i) : held.compute_mobility(i);
      const double rate = std::sqrt(std::max(0.0, s / row.compliance));
      worst.add(rate, i);
      if (h() * rate > 1.0) ++unresolved;
    }
    if (worst.index < 0 || !(worst.size > 0.0)) return;
    const double rate = worst.size;
    out_.outlook.stepped_spring = stepped_rate(rate) / (2.0 * pi);
    out_.outlook.spring = {.where = name(worst.index),
                           .value = rate / (2.0 * pi),
                           .unit = "Hz",
                           .how = fmt::format("with steps of {:.3g} s {:.3g} Hz", h(),
                                              stepped_rate(rate) / (2.0 * pi))};
    out_.limits.push_back(
        {1.0 / rate, fmt::format("{} swings at {:.3g} Hz", name(worst.index), rate / (2.0 * pi))});
    if (unresolved == 0) return;
    out_.findings.push_back(
        {.kind = "spring",
         .where = name(worst.index),
         .what = fmt::format("alone it would swing at {:.3g} Hz, steps of {:.3g} s make it {:.3g} "
                             "Hz: it acts as a stiff joint and no longer as a spring",
                             rate / (2.0 * pi), h(), stepped_rate(rate) / (2.0 * pi)),
         .change = fmt::format("take steps of {:.2g} s or less, or accept a stiff joint; damping "
                               "settles it",
                               1.0 / rate),
         .value = rate / (2.0 * pi),
         .unit = "Hz",
         .limit = 1.0 / (2.0 * pi * h()),
         .others = unresolved - 1,
         .largest_h = 1.0 / rate});
  }

  // The rate at which an undamped spring of rate ω swings in steps of h.                 [CK.8]
  double stepped_rate(double rate) const {
    const bool implicit = std::holds_alternative<Relaxed>(stepper_) ||
                          std::holds_alternative<RegularizedVi>(stepper_);
    return implicit ? std::atan(h() * rate) / h() : 2.0 * std::atan(0.5 * h() * rate) / h();
  }

  void find_loads() {
    largest_ = settled_ = compute_start_loads(model_, stepper_, state_, Springs::settled, work_);
    out_.contacts = static_cast<int>(work_.contacts.rows.size());
    const bool springs = std::ranges::any_of(work_.constraints.physics,
                                             [](const RowPhysics& row) { return row.elastic; });
    if (settled_.ok() && springs) {
      const StartLoads now =
          compute_start_loads(model_, stepper_, state_, Springs::as_they_are, work_);
      for (Eigen::Index i = 0; now.ok() && i < now.force.size(); ++i)
        if (std::abs(now.force(i)) > std::abs(largest_.force(i))) largest_.force(i) = now.force(i);
    }
    if (settled_.report.status == SolveStatus::solved) return;
    out_.findings.push_back(
        {.kind = "loads",
         .where = "the machine",
         .what = fmt::format("the loads at the start could not be computed well: {}",
                             name_of(settled_.report.status)),
         .change = "look for contacts that are pinched, or rows that contradict each other"});
  }

  // Static deflection: compliance × load, at any step.                                    [SP.5]
  void check_sag() {
    Worst load, sag, contact;
    for (int i = 0; i < joint_rows(); ++i) {
      if (!is_joint_row(i)) continue;
      load.add(std::abs(largest_.force(i)), i);
      if (!has_rigid_joints(stepper_))
        sag.add(largest_.compliance(i) * std::abs(largest_.force(i)), i);
    }
    for (const ContactRows& rows : work_.contacts.rows)
      contact.add(largest_.compliance(rows.normal_row) * largest_.force(rows.normal_row),
                  rows.normal_row);
    if (load.index >= 0)
      out_.outlook.load = {
          .where = name(load.index), .value = load.size, .unit = unit(load.index).force};
    out_.outlook.sag = describe_sag(sag);
    out_.outlook.contact_sag = describe_sag(contact);
    for (const Worst& worst : {sag, contact})
      if (worst.index >= 0 && worst.size > visible_error(unit(worst.index))) warn_of_sag(worst);
  }

  Expected describe_sag(const Worst& worst) const {
    if (worst.index < 0) return {};
    const RowUnit of = unit(worst.index);
    return {.where = name(worst.index),
            .value = worst.size,
            .unit = of.value,
            .how = fmt::format("compliance {:.3g} {} × load {:.3g} {}",
                               largest_.compliance(worst.index), of.compliance,
                               std::abs(largest_.force(worst.index)), of.force)};
  }

  void warn_of_sag(const Worst& worst) {
    const RowUnit of = unit(worst.index);
    const double limit = visible_error(of);
    out_.findings.push_back(
        {.kind = "sag",
         .where = name(worst.index),
         .what = fmt::format("it gives way by {:.3g} {} under its load at the start, {:.3g} {}",
                             worst.size, of.value, std::abs(largest_.force(worst.index)), of.force),
         .change =
             fmt::format("a compliance of {:.1g} {} or less, unless it is meant to give way",
                         largest_.compliance(worst.index) * limit / worst.size, of.compliance),
         .value = worst.size,
         .unit = of.value,
         .limit = limit});
  }

  // The fastest motion across links under the loads of the start.                         [CK.4]
  void check_mode() {
    if (std::holds_alternative<Taylor>(stepper_)) return;
    const TransverseMode mode = find_fastest_mode(model_, state_, settled_.force);
    if (h() * mode.rate < 1e-3) return;  // rounding, or slower than anybody waits
    const double hertz = mode.rate / (2.0 * pi);
    const std::string body = fmt::format("body \"{}\"", model_.name(mode.body));
    out_.outlook.swing = {.where = body, .value = hertz, .unit = "Hz"};
    out_.limits.push_back(
        {2.0 / mode.rate, fmt::format("{} swings at {:.3g} Hz across its loads", body, hertz)});
    if (h() * mode.rate < 2.0) return;
    out_.findings.push_back(
        {.severity = Severity::error,
         .kind = "tension",
         .where = body,
         .what =
             fmt::format("the loads of the start make it swing at {:.3g} Hz, and steps of {:.3g} "
                         "s keep no swing above {:.3g} Hz: it would fly apart",
                         hertz, h(), 1.0 / (pi * h())),
         .change = fmt::format("take steps of less than {:.2g} s, or make it heavier or longer",
                               2.0 / mode.rate),
         .value = hertz,
         .unit = "Hz",
         .limit = 1.0 / (pi * h()),
         .largest_h = 2.0 / mode.rate});
  }

  // A curved constraint at speed is open by (θ + ½) κ or (1 + θ) κ, κ = g(q ⊕ h v) − g − h G v, and
  // by its sag.                                                                           [CK.9]
  void check_violation() {
    build_rows(model_, state_, work_);
    VecX speed(work_.problem.rows());
    multiply(work_.problem.G, state_.v, speed);
    Workspace there(model_);
    State ahead = state_;
    displace(model_, state_.v, h(), ahead);
    build_rows(model_, ahead, there);
    const auto curvature = [&](int i) {
      return curvature_factor(stepper_, physics(i)) * (there.g(i) - work_.g(i) - h() * speed(i));
    };
    const auto sag = [&](int i) {
      return settled_.ok() ? settled_.compliance(i) * settled_.force(i) : 0.0;
    };
    Worst worst, curved;
    for (int i = 0; i < joint_rows(); ++i) {
      if (!is_joint_row(i) || physics(i).unilateral) continue;
      worst.add(std::abs(curvature(i) - sag(i)), i);
      curved.add(std::abs(curvature(i)) / visible_error(unit(i)), i);
    }
    if (worst.index < 0) return;
    const RowUnit of = unit(worst.index);
    out_.outlook.violation = {
        .where = name(worst.index),
        .value = worst.size,
        .unit = of.value,
        .how = fmt::format("{:.3g} {} by the curvature of its path, {:.3g} {} by sag",
                           std::abs(curvature(worst.index)), of.value, std::abs(sag(worst.index)),
                           of.value)};
    if (!(curved.size > 1e-12)) return;
    const double longest = h() / std::sqrt(curved.size);
    out_.limits.push_back(
        {longest, fmt::format("{} stays open by the curvature of its path", name(curved.index))});
    if (curved.size <= 1.0) return;
    const RowUnit unit_of = unit(curved.index);
    out_.findings.push_back(
        {.kind = "speed",
         .where = name(curved.index),
         .what = fmt::format("at the speed of the start it stays open by {:.3g} {}",
                             std::abs(curvature(curved.index)), unit_of.value),
         .change = fmt::format("take steps of {:.2g} s or less (the error falls with the square of "
                               "the step), or less damping of joints",
                               longest),
         .value = std::abs(curvature(curved.index)),
         .unit = unit_of.value,
         .limit = visible_error(unit_of),
         .largest_h = longest});
  }

  // Shapes that start in each other are pushed apart by overlap over compliance.
  void check_overlap() {
    Worst worst;
    for (const ContactRows& rows : work_.contacts.rows)
      worst.add(-rows.contact.gap, rows.normal_row);
    if (worst.index < 0 || worst.size < 0.1 * visible * extent_) return;
    const ShapePair pair = find_contact(work_.contacts, worst.index);
    const double expected =
        settled_.ok() ? settled_.compliance(worst.index) * settled_.force(worst.index) : 0.0;
    if (worst.size < 10.0 * expected) return;
    out_.findings.push_back(
        {.kind = "overlap",
         .where = pair.name(model_),
         .what = fmt::format("they overlap by {:.3g} m at the start, where their load explains "
                             "{:.3g} m: they will be pushed apart",
                             worst.size, expected),
         .change = "start them clear of each other",
         .value = worst.size,
         .unit = "m",
         .limit = std::max(10.0 * expected, 0.1 * visible * extent_)});
  }

  const Model& model_;
  const Stepper& stepper_;
  const State& state_;
  Diagnosis& out_;
  Workspace work_;
  double extent_;  // [m]
  // Forces of rows with springs settled; and the larger of these and those of the start.
  StartLoads settled_, largest_;
};

}  // namespace

void check_step(const Model& model, const Stepper& stepper, const State& state,
                const std::vector<int>& dependent, Diagnosis& out) {
  StepCheck check(model, stepper, state, out);
  check.run(dependent);
  check_bodies(model, stepper, state, check.work(), out);
  std::ranges::stable_sort(out.limits, {}, &StepLimit::h);
  std::ranges::stable_sort(out.findings, std::ranges::greater{}, &Finding::severity);
}

}  // namespace ligament
