// SPDX-License-Identifier: Apache-2.0
// Steps that go wrong: what is kept of them can be solved again, and says whose it is.
#include "ligament/simulation/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "ligament/problem/residual.h"
#include "support/machines.h"

namespace ligament {
namespace {

using testing::Contains;
using testing::HasSubstr;

// Two equal hinges without any compliance: no solver can tell which of them carries the door.
RunReport run_rigid_door(const Solver& solver) {
  ModelBuilder b;
  const BodyId door = b.add_body({.name = "door", .position = {0.5, 0, 1}});
  for (const double z : {0.2, 1.8})
    b.add_joint(Hinge{.name = z < 1 ? "lower" : "upper",
                      .b = door,
                      .point = {0, 0, z},
                      .relaxation = {.compliance = 0.0, .angular_compliance = 0.0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  return run(model, Spook{.solver = solver, .compliance_floor = 0.0}, state, {.steps = 3});
}

std::string dump_of(const BadStep& step) {
  std::ostringstream out;
  write_dump(step.problem, out, step.notes);
  return out.str();
}

TEST(BadStep, keeps_a_step_that_cannot_be_solved) {
  const RunReport report = run_rigid_door(Direct{});
  ASSERT_EQ(report.status, RunStatus::solver_failed);
  EXPECT_THAT(report.failure, HasSubstr("joint \"upper\""));
  EXPECT_THAT(report.failure, HasSubstr("body \"door\" (1 kg)"));
  EXPECT_THAT(report.failure, HasSubstr("raise it"));
  ASSERT_TRUE(report.bad_step.has_value());
  EXPECT_TRUE(report.bad_step->failed);
  EXPECT_EQ(report.bad_step->step, 1);
  const std::string text = dump_of(*report.bad_step);
  for (const char* words : {"# solver direct: singular", "# 0: body \"door\"", "joint \"upper\""})
    EXPECT_THAT(text, HasSubstr(words));
  // It fails again in the same way, and another solver takes it.
  std::istringstream in(text);
  const StepProblem problem = read_dump(in);
  StepSolution solution;
  SolverWorkspace workspace;
  EXPECT_EQ(solve(Direct{}, problem, workspace, solution).status, SolveStatus::singular);
  // Sweeps need no compliance: the rows agree with each other.
  ASSERT_TRUE(solve(GaussSeidel{}, problem, workspace, solution).ok());
  Residual residual;
  compute_residual(problem, solution, residual);
  EXPECT_LT(residual.row_max, 1e-12);
}

// Of the steps that did not converge the worst is kept, one of many; its problem gives the residual
// that the run reported.
TEST(BadStep, keeps_the_worst_step_that_did_not_converge) {
  const Model model = machines::make_point_chain(20);
  const GaussSeidel few{.max_sweeps = 3, .tolerance = 1e-12, .momentum = false};
  const Spook stepper{.solver = few};
  State state = model.initial_state();
  std::vector<double> errors;
  std::vector<State> starts{state};
  RunOptions options{.steps = 20};
  options.observers.emplace_back([&](const Sample& sample) {
    if (!sample.report) return;
    errors.push_back(sample.report->solve.velocity_error);
    starts.push_back(sample.state);
  });
  const RunReport report = run(model, stepper, state, options);
  EXPECT_EQ(report.status, RunStatus::completed);
  EXPECT_GT(report.unconverged_steps, 1);
  ASSERT_TRUE(report.bad_step.has_value());
  EXPECT_FALSE(report.bad_step->failed);
  const auto step = static_cast<std::size_t>(report.bad_step->step);
  // Slightly worse ones are not worth a copy.
  EXPECT_GE(1.1 * errors[step - 1], *std::ranges::max_element(errors));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("was solved worst")));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("body \"point")));

  std::istringstream in(dump_of(*report.bad_step));
  const StepProblem problem = read_dump(in);
  EXPECT_EQ(problem.b, report.bad_step->problem.b);
  EXPECT_EQ(problem.Sigma, report.bad_step->problem.Sigma);
  EXPECT_EQ(problem.G.values, report.bad_step->problem.G.values);
  // Solved from a cold start, by the same solver in the same way as a fresh step from there.
  StepSolution solution;
  SolverWorkspace workspace;
  const SolveReport again = solve(few, problem, workspace, solution);
  Residual residual;
  compute_residual(problem, solution, residual);
  State there = starts[step - 1];
  Workspace fresh(model);
  const StepReport redone = ligament::step(stepper, model, there, fresh);
  EXPECT_EQ(again.iterations, redone.solve.iterations);
  EXPECT_NEAR(residual.row_max, redone.residual, 1e-12 * redone.residual);
}

TEST(BadStep, is_not_kept_of_a_good_run) {
  const Model model = machines::make_pendulum();
  State state = model.initial_state();
  EXPECT_FALSE(run(model, Spook{}, state, {.steps = 10}).bad_step.has_value());
}

// Names may hold anything: a note stays on its line and is read over.
TEST(BadStep, has_notes_that_break_nothing) {
  const RunReport report = run_rigid_door(Direct{});
  ASSERT_TRUE(report.bad_step.has_value());
  BadStep step = *report.bad_step;
  step.notes.head.push_back("two\nlines\r\tand a tab");
  step.notes.bodies[0] = std::string(100000, 'x');
  std::istringstream in(dump_of(step));
  EXPECT_EQ(read_dump(in).b, step.problem.b);
}

}  // namespace
}  // namespace ligament
