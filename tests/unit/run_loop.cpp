// SPDX-License-Identifier: Apache-2.0
// The run loop: what it counts, when it ends, what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/contact_scenes.h"
#include "support/machines.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Run, ends_at_the_step_nearest_to_the_time_asked_for) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  const RunReport report = run(model, Spook{.h = 0.03}, state, {.t_end = 1.0});
  EXPECT_EQ(report.status, RunStatus::completed);
  EXPECT_EQ(report.steps, 33);
  EXPECT_EQ(report.steps_asked, 33);
  EXPECT_DOUBLE_EQ(report.time, 0.99);
  EXPECT_DOUBLE_EQ(state.t, 0.99);
}

TEST(Run, shows_observers_the_start_and_every_step) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  std::vector<long> steps;
  std::vector<bool> with_report;
  double worst_energy = 0.0;
  const auto watch = [&](const Sample& sample) {
    steps.push_back(sample.step);
    with_report.push_back(sample.report != nullptr);
    const double energy = compute_energy(sample.model, sample.state).total();
    worst_energy = std::max(worst_energy, std::abs(sample.energy.total() - energy));
  };
  run(model, Spook{}, state, {.steps = 3, .observers = {watch}});
  EXPECT_EQ(steps, (std::vector<long>{0, 1, 2, 3}));
  EXPECT_EQ(with_report, (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(worst_energy, 0.0);
}

TEST(Run, stops_when_asked_and_keeps_what_it_has) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  int asked = 0;
  const RunReport report =
      run(model, Spook{}, state, {.steps = 100, .should_stop = [&] { return ++asked > 10; }});
  EXPECT_EQ(report.status, RunStatus::interrupted);
  EXPECT_EQ(report.steps, 10);
  EXPECT_EQ(report.steps_asked, 100);
  EXPECT_DOUBLE_EQ(state.t, 10.0 / 60);
}

// A speed whose square is no longer a double.
TEST(Run, reports_a_motion_that_diverges) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  set_velocity(model, {1}, Vec3(0, 1e200, 0), Vec3::Zero(), state);
  const RunReport report = run(model, Spook{}, state, {.steps = 100});
  EXPECT_EQ(report.status, RunStatus::diverged) << report.full();
  EXPECT_FALSE(report.failure.empty());
  EXPECT_LT(report.steps, report.steps_asked);
}

TEST(Run, sums_up_violations_energies_and_work) {
  const Model model = machines::make_rigid_ladder(3);
  State state = model.initial_state();
  double max = 0.0, squares = 0.0, work = 0.0, energy_min = 1e300;
  long rows = 0;
  const auto watch = [&](const Sample& sample) {
    energy_min = std::min(energy_min, sample.energy.total());
    if (!sample.report) return;
    max = std::max(max, sample.report->violation.max);
    squares += sample.report->violation.sum_squares;
    rows += sample.report->violation.rows;
    work += sample.report->solve.work;
  };
  const RunReport report = run(model, Spook{}, state, {.steps = 60, .observers = {watch}});
  const VecX g = compute_rows(model, state).g;  // the last pose counts too
  max = std::max(max, g.cwiseAbs().maxCoeff());
  squares += g.squaredNorm();
  rows += g.size();
  EXPECT_EQ(report.violation_max, max);
  EXPECT_NEAR(report.violation_rms, std::sqrt(squares / static_cast<double>(rows)), 1e-15);
  EXPECT_EQ(report.energy.min, energy_min);
  EXPECT_EQ(report.solver_work, work);
  EXPECT_EQ(report.bodies, 10);
  EXPECT_EQ(report.rows, 39);
  EXPECT_NE(report.violation_worst.find("joint \""), std::string::npos);
  EXPECT_EQ(report.stepper, "spook");
  EXPECT_EQ(report.solver, "automatic");
}

TEST(Run, of_a_model_without_constraints_completes) {
  ModelBuilder b;
  b.add_body({});
  const Model model = std::move(b).build();
  for (const Solver& solver : {Solver(Direct{}), Solver(Umfpack{}), Solver(Cholmod{})}) {
    State state = model.initial_state();
    const RunReport report = run(model, Spook{.solver = solver}, state, {.steps = 10});
    EXPECT_EQ(report.status, RunStatus::completed) << name_of(solver) << ": " << report.failure;
    EXPECT_EQ(report.violation_max, 0.0);
    EXPECT_FALSE(report.brief().empty());
    EXPECT_FALSE(report.full().empty());
  }
}

TEST(Run, of_an_empty_model_completes) {
  const Model model = ModelBuilder().build();
  for (const Solver& solver : {Solver(Direct{}), Solver(Umfpack{}), Solver(Cholmod{})}) {
    State state = model.initial_state();
    const RunReport report = run(model, Spook{.solver = solver}, state, {.steps = 10});
    EXPECT_EQ(report.status, RunStatus::completed) << name_of(solver) << ": " << report.failure;
  }
}

TEST(Run, throws_for_options_that_make_no_sense) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  EXPECT_THROW(run(model, Spook{}, state, {.t_end = -1.0}), std::invalid_argument);
  EXPECT_THROW(run(model, Spook{}, state, {.t_end = nan}), std::invalid_argument);
  EXPECT_THROW(run(model, Spook{}, state, {.steps = -1}), std::invalid_argument);
  EXPECT_THROW(run(model, Spook{.h = 1e-15}, state, {.t_end = 1e9}), std::invalid_argument);
}

void expect_refused(const Stepper& stepper, const char* option) {
  try {
    check_options(stepper);
    ADD_FAILURE() << option << " was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(option), std::string::npos) << error.what();
  }
}

TEST(StepperOptions, that_make_no_sense_are_named) {
  for (const double bad : {0.0, -1.0, nan, 1e300}) expect_refused(Spook{.h = bad}, "h");
  for (const double bad : {-1.0, nan, 1e300}) {
    expect_refused(Spook{.damping_steps = bad}, "damping_steps");
    expect_refused(Relaxed{.damping_steps = bad}, "damping_steps");
    expect_refused(Relaxed{.compliance_floor = bad}, "compliance_floor");
  }
  expect_refused(Spook{.solver = Direct{.refinements = -1}}, "refinements");
  expect_refused(Relaxed{.solver = Direct{.refinements = 11}}, "refinements");
  EXPECT_NO_THROW(check_options(Spook{}));
  EXPECT_NO_THROW(check_options(Relaxed{}));
}

// The floor raises the rows that are below it, says how many, and no others.
TEST(ComplianceFloor, acts_on_rows_that_are_too_stiff_and_counts_them) {
  const auto raised_by = [](double compliance, const Stepper& stepper) {
    const Model model = machines::make_rigid_ladder(
        3, {.relaxation = {.compliance = compliance, .angular_compliance = compliance}});
    State state = model.initial_state();
    Workspace work(model);
    return step(stepper, model, state, work).raised_rows;
  };
  EXPECT_EQ(raised_by(1e-8, Spook{}), 0);
  EXPECT_EQ(raised_by(1e-20, Spook{}), 39);
  EXPECT_EQ(raised_by(1e-20, Relaxed{}), 39);
  EXPECT_EQ(raised_by(1e-20, Spook{.compliance_floor = 0.0}), 0);
}

// Of contacts one is named.
TEST(ComplianceFloor, names_a_contact_that_is_too_stiff) {
  for (const Stepper& stepper : {Stepper(Spook{}), Stepper(Relaxed{}), Stepper(Impulse{})})
    for (const double compliance : {1e-8, 1e-20}) {
      const Model model =
          scenes::make_block_on_incline({.contact = scenes::surface(0.5, compliance)});
      State state = model.initial_state();
      const RunReport report = run(model, stepper, state, {.steps = 3});
      const bool named = std::ranges::any_of(report.warnings, [](const std::string& warning) {
        return warning.starts_with("contact of \"incline\" and \"block\": the surfaces have less");
      });
      EXPECT_EQ(named, compliance < 1e-10) << name_of(stepper) << ": " << report.full();
    }
}

// Damping lowers Σ at a fixed compliance (pitfall P2), so the floor depends on the damping.
TEST(ComplianceFloor, sees_that_damping_lowers_the_discrete_compliance) {
  const Model model = machines::make_pendulum({.relaxation = {.compliance = 1.2e-16}});
  Workspace work(model);
  State state = model.initial_state();
  // Σ = c/h² = 4.3e-13 against 1e3 × 2.2e-16 × (mobility 1) = 2.2e-13; with a = 2 h it is 1.4e-13.
  EXPECT_EQ(step(Relaxed{.damping_steps = 0.0}, model, state, work).raised_rows, 0);
  EXPECT_EQ(step(Relaxed{.damping_steps = 2.0}, model, state, work).raised_rows, 1);
}

}  // namespace
}  // namespace ligament
