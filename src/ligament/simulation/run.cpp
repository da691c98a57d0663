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
#include "ligament/measure/rank.h"
#include "ligament/simulation/contact_tally.h"
#include "ligament/simulation/error_tally.h"
#include "ligament/simulation/expectation.h"
#include "ligament/simulation/failure.h"
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
  Tally(const Model& model, const Workspace& work) : contacts_(model, work), error_(work) {}

  void add_energy(const Energy& energy) {
    const double total = energy.total();
    error_.add_energy(energy);
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
    contacts_.add_step(report, model, work, h);
    error_.add_step(report, work, h);
    work_ += report.solve.work;
    impacts_ += report.impacts;
    solves_ += report.solves;
    missed_ += report.missed_events;
    injected_ += std::max(0.0, report.injected_energy);
    raised_rows_ = std::max(raised_rows_, report.raised_rows);
    if (report.drifted_bodies > 0) ++drifted_steps_;
    if (report.halvings > 0) ++halved_steps_;
    passes_ += report.solve.iterations;
    if (report.solve.status == SolveStatus::not_converged) {
      ++unsorted_steps_;
      ++ends_[static_cast<std::size_t>(report.solve.end)];
    } else if (!report.accurate && std::isnan(report.solve.velocity_error))
      ++inaccurate_steps_;  // and the solver had no idea
    if (!std::isnan(report.solve.velocity_error))
      velocity_error_ = std::max(velocity_error_, report.solve.velocity_error);
    for (std::size_t i = 0; i < chosen_.size(); ++i) chosen_[i] += report.solve.chosen[i];
    const int row = report.worst_residual_row;
    if (row < 0) return;
    const double before = residual_.size;
    residual_.add(report.residual, row);
    // Rows of contacts are others in the next step: keep whose it is.
    if (residual_.size != before) residual_contact_ = find_contact(work.contacts, row);
  }
  void write_to(const Model& model, const Workspace& work, RunReport& out) const {
    write_contacts(model, out);
    error_.write_to(model, work, out.error);
    const auto name = [&](int row) {
      return row < 0 || row >= work.contacts.joint_rows
                 ? std::string()
                 : name_of_row(work.constraints, model, work.problem.G, row);
    };
    out.energy = energy_;
    out.violation_max = violation_.size;
    out.violation_rms =
        samples_ > 0 ? std::sqrt(sum_squares_ / static_cast<double>(samples_)) : 0.0;
    out.violation_worst = name(violation_.index);
    out.residual_max = residual_.size;
    out.residual_worst =
        residual_contact_.known ? residual_contact_.name(model) : name(residual_.index);
    out.halved_steps = halved_steps_;
    if (out.steps > 0) out.passes = static_cast<double>(passes_) / static_cast<double>(out.steps);
    out.injected_energy = injected_;
    out.solver_work = work_;
    out.impacts = impacts_;
    out.solves = solves_;
    if (missed_ > 0)
      out.warnings.push_back(fmt::format(
          "in {} steps there were more collisions than it was divided at: take a smaller step",
          missed_));
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
          "in {} steps the solver did not reach its tolerance ({}): it went on with the best that "
          "it had (velocities off by an estimated {:.2g} of what the constraints change{})",
          unsorted_steps_, describe_ends(), velocity_error_,
          out.residual_worst.empty()
              ? ""
              : fmt::format(", worst by {:.3g} m/s in {}", out.residual_max, out.residual_worst)));
    if (drifted_steps_ > 0)
      out.warnings.push_back(fmt::format(
          "in {} steps a body spun too fast for the explicit drift it took (step × angular speed × "
          "largest over smallest moment of inertia was above 1): take a smaller step, or a solver "
          "that does not need symmetric blocks",
          drifted_steps_));
  }

 private:
  void write_contacts(const Model& model, RunReport& out) const {
    contacts_.write_to(model, out.h, out);
    out.velocity_error = velocity_error_;
    out.unconverged_steps = unsorted_steps_;
    const auto solvers = make_alternatives<Solver>();
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] > 0)
        out.methods += fmt::format("{}{} {}", out.methods.empty() ? "" : ", ", name_of(solvers[i]),
                                   chosen_[i]);
  }

  // Why the solver stopped short of its tolerance, and in how many steps.
  std::string describe_ends() const {
    std::string text;
    for (std::size_t i = 0; i < ends_.size(); ++i)
      if (ends_[i] > 0)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", ends_[i],
                            describe(static_cast<SolveEnd>(i)));
    return text;
  }

  ContactTally contacts_;
  ErrorTally error_;
  ShapePair residual_contact_;
  double velocity_error_ = 0.0;
  std::array<long, std::variant_size_v<Solver>> chosen_{};
  std::array<long, solve_ends> ends_{};  // unconverged steps by SolveEnd
  bool first_ = true;
  EnergyRange energy_;
  Worst violation_, residual_;
  double sum_squares_ = 0.0;
  long samples_ = 0;
  long impacts_ = 0, solves_ = 0, missed_ = 0;
  double injected_ = 0.0, work_ = 0.0;
  int raised_rows_ = 0;
  long drifted_steps_ = 0;
  long halved_steps_ = 0;
  long passes_ = 0;
  long inaccurate_steps_ = 0;
  long unsorted_steps_ = 0;
};

// The rows of joints that follow from rows before them, by name.
std::vector<std::string> find_redundant(const Model& model, const State& state, Workspace& work) {
  build_rows(model, state, work);
  assemble_inertia(model, work.frames, work.problem.M);
  std::vector<bool> joints;
  for (const RowPhysics& row : work.constraints.physics)
    joints.push_back(row.kind == RowKind::holonomic && !row.elastic && !row.unilateral);
  std::vector<std::string> names;
  for (const int row : compute_rank(work.problem.M, work.problem.G, joints).dependent)
    names.push_back(name_of_row(work.constraints, model, work.problem.G, row));
  return names;
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
  report.expectation = describe_expectation(stepper, model, work);
  if (options.staggered_start) stagger(stepper, model, state, work);
  if (std::holds_alternative<Impulse>(stepper))
    report.redundant = find_redundant(model, state, work);
  Tally tally(model, work);
  BadStepKeeper bad_steps(model, stepper, work);
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
    bad_steps.look_at(report.steps + 1, step_report, state.t);
    if (!step_report.ok()) {
      report.status = RunStatus::solver_failed;
      report.failure = fmt::format("step {} (t = {:g} s): {}", report.steps + 1, state.t,
                                   describe_failure(step_report, stepper, model, state, work));
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
      report.failure = fmt::format(
          "the state of {} is not finite after step {} (t = {:g} s): take a smaller step",
          find_lost_body(model, state), report.steps, state.t);
      break;
    }
  }

  build_rows(model, state, work);  // the violation of the last pose
  tally.add_violation(compute_violation(work.constraints, work.g));
  report.time = state.t - start_time;
  report.cpu_seconds = thread_seconds() - start_seconds;
  tally.write_to(model, work, report);
  bad_steps.write_to(report);
  return report;
}

std::string RunReport::brief() const {
  return fmt::format(
      "{}: {} steps of {:g} s by {}/{}, energy {:.6g} → {:.6g} J, violation max {:.3g}, {:.3g} s",
      name_of(status), steps, h, stepper, solver, energy.initial, energy.final, violation_max,
      cpu_seconds);
}

namespace {

std::string describe_impulses(const RunReport& report) {
  std::string text;
  if (report.stepper == name_of(Stepper(Impulse{})))
    text = fmt::format("impulses      {:.3g} passes a step, {} steps halved\n", report.passes,
                       report.halved_steps);
  if (report.redundant.empty()) return text;
  constexpr std::size_t shown = 5;
  text += fmt::format(
      "redundant     {} rows follow from others, their forces are those of least "
      "norm:",
      report.redundant.size());
  for (std::size_t i = 0; i < std::min(shown, report.redundant.size()); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ";", report.redundant[i]);
  return text + (report.redundant.size() > shown ? "; …\n" : "\n");
}

std::string describe_contacts(const RunReport& report) {
  if (report.contacts == 0) return {};
  return fmt::format(
      "contacts      at most {} points, overlap at most {:.3g} m{}, off Coulomb's law by at most "
      "{:.3g} m/s\n{}",
      report.contacts, report.penetration_max,
      report.penetration_worst.empty() ? "" : " (" + report.penetration_worst + ")",
      report.friction_error,
      report.methods.empty()
          ? ""
          : fmt::format(
                "islands       by {}; velocities off by an estimated {:.2g} of what contacts and "
                "joints change\n",
                report.methods, report.velocity_error));
}

std::string describe_impacts(const RunReport& report) {
  if (report.impacts == 0) return {};
  return fmt::format("impacts       {} contacts or stops bounced; {} step problems solved\n",
                     report.impacts, report.solves);
}

}  // namespace

std::string RunReport::full() const {
  std::string text = fmt::format(
      "status        {}{}\n"
      "method        {} with {}, h = {:g} s, {} of {} steps, {:g} s simulated\n"
      "{}"
      "machine       {} moving bodies, {} constraint rows\n"
      "energy        {:.6g} J at the start, {:.6g} J at the end, between {:.6g} and {:.6g} J\n"
      "violation     at most {:.3g} (in {}), rms {:.3g} (metres or radians)\n"
      "{}"
      "residual      at most {:.3g} m/s{}\n"
      "{}"
      "cost          {:.3g} s of processor time, {:.3g} µs per body and step, {:.3g} "
      "multiply-adds\n",
      name_of(status), failure.empty() ? "" : ": " + failure, stepper, solver, h, steps,
      steps_asked, time, expectation.empty() ? "" : "expected      " + expectation + "\n", bodies,
      rows, energy.initial, energy.final, energy.min, energy.max, violation_max,
      violation_worst.empty() ? "no row" : violation_worst, violation_rms,
      describe_contacts(*this) + describe_impacts(*this) + describe_impulses(*this), residual_max,
      residual_worst.empty() ? "" : " (in " + residual_worst + ")", steps > 0 ? error.text() : "",
      cpu_seconds,
      steps > 0 && bodies > 0 ? 1e6 * cpu_seconds / (static_cast<double>(steps) * bodies) : 0.0,
      solver_work);
  for (const std::string& warning : warnings) text += fmt::format("warning       {}\n", warning);
  return text;
}

}  // namespace ligament
