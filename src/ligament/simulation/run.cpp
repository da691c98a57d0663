// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "ligament/math/alternatives.h"
#include "ligament/math/worst.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long count_steps(const RunOptions& options, double h) {
  if (options.steps) {
    if (*options.steps < 0)
      throw std::invalid_argument(fmt::format("steps is {}: it must be ≥ 0", *options.steps));
    return *options.steps;
  }
  if (!std::isfinite(options.t_end) || options.t_end < 0.0)
    throw std::invalid_argument(fmt::format("t_end is {:g} s: it must be ≥ 0", options.t_end));
  const double steps = std::round(options.t_end / h);
  if (steps > 1e15)
    throw std::invalid_argument(fmt::format(
        "t_end is {:g} s, which is {:g} steps: the limit is 1e15", options.t_end, steps));
  return static_cast<long>(steps);
}

// Sums up a run while it goes on. Names are made at the end: a warm step allocates nothing.
class Tally {
 public:
  void add_energy(const Energy& energy) {
    const double total = energy.total();
    if (first_) energy_ = {total, total, total, total};
    first_ = false;
    energy_.final = total;
    energy_.min = std::min(energy_.min, total);
    energy_.max = std::max(energy_.max, total);
  }
  void add_violation(const Violation& violation) {
    sum_squares_ += violation.sum_squares;
    samples_ += violation.rows;
    if (violation.worst_row >= 0) violation_.add(violation.max, violation.worst_row);
  }
  void add_step(const StepReport& report, const Model& model, const Workspace& work, double h) {
    add_violation(report.violation);
    add_contacts(report, model, work, h);
    work_ += report.solve.work;
    injected_ += std::max(0.0, report.injected_energy);
    raised_rows_ = std::max(raised_rows_, report.raised_rows);
    if (report.drifted_bodies > 0) ++drifted_steps_;
    if (report.solve.status == SolveStatus::not_converged)
      ++unsorted_steps_;
    else if (!report.accurate)
      ++inaccurate_steps_;
    if (!std::isnan(report.solve.velocity_error))
      velocity_error_ = std::max(velocity_error_, report.solve.velocity_error);
    for (std::size_t i = 0; i < chosen_.size(); ++i) chosen_[i] += report.solve.chosen[i];
    const int row = report.worst_residual_row;
    if (row < 0) return;
    const double before = residual_.size;
    residual_.add(report.residual, row);
    // Rows of contacts are others in the next step: keep whose it is.
    if (residual_.index == row && !(residual_.size == before && residual_contact_.known))
      residual_contact_ = find_contact(work, row);
  }
  void write_to(const Model& model, const Workspace& work, RunReport& out) const {
    const auto name = [&](int row) {
      return row < 0 || row >= work.contacts.joint_rows
                 ? std::string()
                 : name_of_row(work.constraints, model, work.problem.G, row);
    };
    write_contacts(model, out);
    out.energy = energy_;
    out.violation_max = violation_.size;
    out.violation_rms =
        samples_ > 0 ? std::sqrt(sum_squares_ / static_cast<double>(samples_)) : 0.0;
    out.violation_worst = name(violation_.index);
    out.residual_max = residual_.size;
    out.residual_worst = residual_contact_.known
                             ? name_of_contact(model, residual_contact_.a, residual_contact_.b)
                             : name(residual_.index);
    out.injected_energy = injected_;
    out.solver_work = work_;
    if (raised_rows_ > 0)
      out.warnings.push_back(fmt::format(
          "{} of {} rows asked for less compliance than double precision can resolve at this step "
          "size; they were given the least that it can",
          raised_rows_, out.rows));
    if (inaccurate_steps_ > 0)
      out.warnings.push_back(fmt::format(
          "in {} steps the solver missed a row by more than a millionth of the speeds in the "
          "machine, at worst {:.3g} m/s in {}: do not trust this run",
          inaccurate_steps_, out.residual_max, out.residual_worst));
    if (unsorted_steps_ > 0)
      out.warnings.push_back(fmt::format(
          "in {} steps the solver did not reach its tolerance: it went on with the best "
          "that it had (velocities off by at most {:.2g} of what the constraints change)",
          unsorted_steps_, velocity_error_));
    if (drifted_steps_ > 0)
      out.warnings.push_back(fmt::format(
          "in {} steps a body spun too fast for the explicit drift it took (h · spin · I_max/I_min "
          "> 1): take a smaller step, or a solver that does not need symmetric blocks",
          drifted_steps_));
  }

 private:
  // Two shapes that touch.
  struct Pair {
    ShapeId a{}, b{};
    bool known = false;
  };
  static Pair pair_of(const Workspace& work, int contact) {
    const Contact& found = work.contacts.rows[static_cast<std::size_t>(contact)].contact;
    return {found.shape_a, found.shape_b, true};
  }
  // The contact that a row belongs to, if it is one of a contact.
  static Pair find_contact(const Workspace& work, int row) {
    if (row < work.contacts.joint_rows) return {};
    const auto after =
        std::ranges::upper_bound(work.contacts.rows, row, {}, &ContactRows::normal_row);
    return pair_of(work, static_cast<int>(after - work.contacts.rows.begin()) - 1);
  }
  void add_contacts(const StepReport& report, const Model& model, const Workspace& work, double h) {
    contacts_ = std::max(contacts_, report.contacts);
    friction_error_ = std::max(friction_error_, report.friction_error);
    if (report.penetration > penetration_) {
      penetration_ = report.penetration;
      deepest_ = pair_of(work, report.deepest_contact);
      double thickness = work.collision->thickness_of(deepest_.a);
      const double other = work.collision->thickness_of(deepest_.b);
      if (thickness == 0.0 || (other > 0.0 && other < thickness)) thickness = other;
      if (penetration_ > deep * thickness) overlap_ = penetration_ / thickness;
    }
    if (report.hardest_contact < 0) return;
    if (weight_ == 0.0)
      for (const Body& body : model.bodies()) weight_ += body.mass * model.gravity().norm();
    const double force = report.largest_press / h;
    if (force <= hardest_force_) return;
    hardest_force_ = force;
    hardest_ = pair_of(work, report.hardest_contact);
  }
  void write_contacts(const Model& model, RunReport& out) const {
    out.contacts = contacts_;
    out.penetration_max = penetration_;
    if (deepest_.known) out.penetration_worst = name_of_contact(model, deepest_.a, deepest_.b);
    out.friction_error = friction_error_;
    out.velocity_error = velocity_error_;
    out.unconverged_steps = unsorted_steps_;
    const auto solvers = make_alternatives<Solver>();
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] > 0)
        out.methods += fmt::format("{}{} {}", out.methods.empty() ? "" : ", ", name_of(solvers[i]),
                                   chosen_[i]);
    if (overlap_ > 0.0)
      out.warnings.push_back(fmt::format(
          "{}: they overlapped by {:.3g} m, {:.2g} of their smallest half size, and were pushed "
          "apart: start them clear of each other, or take a smaller step if they are this fast",
          out.penetration_worst, penetration_, overlap_));
    if (weight_ > 0.0 && hardest_force_ > hard * weight_)
      out.warnings.push_back(fmt::format(
          "{}: it pressed with {:.3g} N, {:.1g} times the weight of everything. Bodies that are "
          "pinched between others, with no room left, are pressed by overlap over compliance",
          name_of_contact(model, hardest_.a, hardest_.b), hardest_force_,
          hardest_force_ / weight_));
  }

  static constexpr double deep = 0.1;  // of the smallest half size: no overlap of a good run
  static constexpr double hard = 1e4;  // weights of everything: no force of a good run
  int contacts_ = 0;
  double penetration_ = 0.0, overlap_ = 0.0, friction_error_ = 0.0, velocity_error_ = 0.0;
  double hardest_force_ = 0.0, weight_ = 0.0;
  Pair deepest_, hardest_, residual_contact_;
  std::array<long, std::variant_size_v<Solver>> chosen_{};
  bool first_ = true;
  EnergyRange energy_;
  Worst violation_, residual_;
  double sum_squares_ = 0.0;
  long samples_ = 0;
  double injected_ = 0.0, work_ = 0.0;
  int raised_rows_ = 0;
  long drifted_steps_ = 0;
  long inaccurate_steps_ = 0;
  long unsorted_steps_ = 0;
};

// The owner of a function of time that has no finite value around t, empty if all have one.
std::string find_broken_function(const Model& model, double t, double h) {
  const auto is_broken = [&](const auto& value_at) {
    for (const double time : {t - h, t, t + 0.5 * h, t + h})
      if (!std::isfinite(value_at(time))) return true;
    return false;
  };
  for (std::uint32_t i = 0; i < model.controls().size(); ++i)
    if (is_broken(model.controls()[i].target))
      return fmt::format("control \"{}\"", model.name(ControlId{i}));
  for (const Load& load : model.loads())
    for (std::size_t i = 0; i < 3; ++i)
      if (is_broken(load.force[i]) || is_broken(load.torque[i]))
        return fmt::format("load \"{}\"", load.name);
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    const int motion = model.bodies()[i].motion;
    if (motion < 0) continue;
    const PoseFunction& pose = model.motions()[static_cast<std::size_t>(motion)];
    if (is_broken([&](double time) { return pose(time).p.sum() + pose(time).R.coeffs().sum(); }))
      return fmt::format("the motion of body \"{}\"", model.name(BodyId{i}));
  }
  return {};
}

std::string describe_failure(const StepReport& report, const Model& model, const State& state,
                             const Workspace& work, double h) {
  if (report.solve.status == SolveStatus::not_run) {
    const std::string owner = find_broken_function(model, state.t, h);
    return owner.empty() ? "forces or targets are not finite numbers"
                         : owner + ": its function of time has no finite value here";
  }
  if (report.solve.status == SolveStatus::unsupported)
    return "this solver does not take the limits, bounds or contacts of this scene: use automatic";
  std::string text =
      fmt::format("the solver could not solve the step: {}", name_of(report.solve.status));
  if (report.solve.culprit_block < 0) return text;
  const auto block = static_cast<std::size_t>(report.solve.culprit_block);
  const int row = work.problem.G.blocks[block].first_row;
  if (row >= work.contacts.joint_rows) return text + " at a contact";
  return text + fmt::format(
                    " at {}. Rows that depend on each other need compliance: raise it, or leave "
                    "compliance_floor on",
                    name_of_row(work.constraints, model, work.problem.G, row));
}

// Finds p₋ with (p₋ + p⁺(p₋))/2 = p₀ by p₋ ← (p₋ + 2 p₀ − p⁺)/2: at once where nothing but forces
// act, by halves where a row prescribes p⁺.
// [SP.10]
void stagger(const Stepper& stepper, const Model& model, State& state, Workspace& work) {
  constexpr int iterations = 40;
  const State start = state;
  for (int i = 0; i < iterations; ++i) {
    State trial = state;
    if (!step(stepper, model, trial, work).ok()) return;  // the first step will report it
    state.p = 0.5 * (state.p + 2.0 * start.p - trial.p);
    state.v = 0.5 * (state.v + 2.0 * start.v - trial.v);
  }
}

}  // namespace

const char* name_of(RunStatus status) {
  constexpr const char* names[] = {"completed", "interrupted", "solver failed", "diverged"};
  return names[static_cast<std::size_t>(status)];
}

RunReport run(const Model& model, const Stepper& stepper, State& state, const RunOptions& options) {
  check_options(stepper);
  const double h = step_size(stepper);
  RunReport report{.stepper = name_of(stepper), .solver = name_of(solver_of(stepper)), .h = h};
  report.steps_asked = count_steps(options, h);

  Workspace work(model);
  report.bodies = model.moving_bodies();
  report.rows = work.problem.rows();
  if (options.staggered_start) stagger(stepper, model, state, work);
  Tally tally;
  const double start_time = state.t, start_seconds = thread_seconds();
  Energy energy = compute_energy(model, state);
  tally.add_energy(energy);
  const auto show = [&](const StepReport* step_report) {
    const Sample sample{model, state, report.steps, step_report, energy, work, h};
    for (const Observer& observer : options.observers) observer(sample);
  };
  show(nullptr);

  while (report.steps < report.steps_asked) {
    if (options.should_stop && options.should_stop()) {
      report.status = RunStatus::interrupted;
      break;
    }
    const StepReport step_report = step(stepper, model, state, work);
    if (!step_report.ok()) {
      report.status = RunStatus::solver_failed;
      report.failure = fmt::format("step {} (t = {:g} s): {}", report.steps + 1, state.t,
                                   describe_failure(step_report, model, state, work, h));
      break;
    }
    ++report.steps;
    state.t = start_time + static_cast<double>(report.steps) * h;  // no drift of the clock
    tally.add_step(step_report, model, work, h);
    energy = compute_energy(model, state);
    tally.add_energy(energy);
    show(&step_report);
    if (!std::isfinite(energy.total()) || !state.q.allFinite()) {
      report.status = RunStatus::diverged;
      report.failure =
          fmt::format("the state is not finite after step {} (t = {:g} s): take a smaller step",
                      report.steps, state.t);
      break;
    }
  }

  build_rows(model, state, work);  // the violation of the last pose
  tally.add_violation(compute_violation(work.constraints, work.g));
  report.time = state.t - start_time;
  report.cpu_seconds = thread_seconds() - start_seconds;
  tally.write_to(model, work, report);
  return report;
}

std::string RunReport::brief() const {
  return fmt::format(
      "{}: {} steps of {:g} s by {}/{}, energy {:.6g} → {:.6g} J, violation max {:.3g}, {:.3g} s",
      name_of(status), steps, h, stepper, solver, energy.initial, energy.final, violation_max,
      cpu_seconds);
}

namespace {

std::string describe_contacts(const RunReport& report) {
  if (report.contacts == 0) return {};
  return fmt::format(
      "contacts      at most {} points, overlap at most {:.3g} m{}, off Coulomb's law by at most "
      "{:.3g} m/s\n{}",
      report.contacts, report.penetration_max,
      report.penetration_worst.empty() ? "" : " (" + report.penetration_worst + ")",
      report.friction_error,
      report.methods.empty() ? "" : fmt::format("islands       by {}\n", report.methods));
}

}  // namespace

std::string RunReport::full() const {
  std::string text = fmt::format(
      "status        {}{}\n"
      "method        {} with {}, h = {:g} s, {} of {} steps, {:g} s simulated\n"
      "machine       {} moving bodies, {} constraint rows\n"
      "energy        {:.6g} J at the start, {:.6g} J at the end, between {:.6g} and {:.6g} J\n"
      "violation     at most {:.3g} (in {}), rms {:.3g} (metres or radians)\n"
      "{}"
      "residual      at most {:.3g} m/s{}, energy added by the solver {:.3g} J\n"
      "cost          {:.3g} s of processor time, {:.3g} µs per body and step, {:.3g} "
      "multiply-adds\n",
      name_of(status), failure.empty() ? "" : ": " + failure, stepper, solver, h, steps,
      steps_asked, time, bodies, rows, energy.initial, energy.final, energy.min, energy.max,
      violation_max, violation_worst.empty() ? "no row" : violation_worst, violation_rms,
      describe_contacts(*this), residual_max,
      residual_worst.empty() ? "" : " (in " + residual_worst + ")", injected_energy, cpu_seconds,
      steps > 0 && bodies > 0 ? 1e6 * cpu_seconds / (static_cast<double>(steps) * bodies) : 0.0,
      solver_work);
  for (const std::string& warning : warnings) text += fmt::format("warning       {}\n", warning);
  return text;
}

}  // namespace ligament
