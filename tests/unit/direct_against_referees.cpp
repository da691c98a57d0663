// SPDX-License-Identifier: Apache-2.0
// Direct against UMFPACK on the KKT matrix and CHOLMOD on the Schur complement: the same velocities
// to 1e-9 relative on random machines with redundant joints and compliances from 1e-12 to 1e-4.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random_machines.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60, agreement = 1e-9;

const Spook with_spin{.h = h};
const Spook symmetric{.h = h, .gyroscopic = Gyroscopic::kick_drift};

VecX velocities_by(const Solver& solver, const StepProblem& problem) {
  SolverWorkspace workspace;
  StepSolution solution;
  const SolveReport report = solve(solver, problem, workspace, solution);
  EXPECT_TRUE(report.ok()) << name_of(solver) << ": " << name_of(report.status);
  return solution.u;
}

// The largest relative difference of velocities between Direct and the referees that can take it.
double compare(const StepProblem& problem, const std::string& what) {
  const VecX u = velocities_by(Direct{}, problem);
  const double size = u.cwiseAbs().maxCoeff();
  std::vector<Solver> referees{Umfpack{}};
  if (problem.M.is_symmetric()) referees.push_back(Cholmod{});
  double worst = 0.0;
  for (const Solver& referee : referees) {
    const double gap = (velocities_by(referee, problem) - u).cwiseAbs().maxCoeff() / size;
    EXPECT_LT(gap, agreement) << what << " against " << name_of(referee);
    worst = std::max(worst, gap);
  }
  return worst;
}

// The first step, where joints are closed and velocities inconsistent, and one after ten steps.
double compare_steps(const Model& model, const Stepper& stepper, const std::string& what) {
  State state = model.initial_state();
  double worst = compare(make_step_problem(stepper, model, state), what + ", first step");
  Workspace work(model);
  for (int i = 0; i < 10; ++i)
    if (!step(stepper, model, state, work).ok()) ADD_FAILURE() << what;
  return std::max(worst, compare(make_step_problem(stepper, model, state), what + ", later"));
}

void compare_machines(const MachineShape& shape, int count, const std::string& what) {
  double worst = 0.0;
  for (int seed = 0; seed < count; ++seed) {
    const Model model = make_random_machine(shape, static_cast<std::uint64_t>(seed));
    const std::string name = what + " " + std::to_string(seed);
    worst = std::max(worst, compare_steps(model, symmetric, name + ", symmetric"));
    worst = std::max(worst, compare_steps(model, with_spin, name + ", gyroscopic"));
  }
  measured("largest difference, " + what, worst);
}

TEST(DirectAgainstReferees, on_trees) {
  compare_machines({.bodies = 40, .spin = 5.0}, 20, "trees");
}

TEST(DirectAgainstReferees, on_loops) {
  compare_machines({.bodies = 30, .loops = 20, .spin = 5.0}, 20, "loops");
}

TEST(DirectAgainstReferees, on_redundant_joints) {
  compare_machines({.bodies = 30, .loops = 5, .doubled = 15, .spin = 5.0}, 20, "redundant joints");
}

TEST(DirectAgainstReferees, on_hubs_of_800_joints) {
  compare_machines({.bodies = 5, .loops = 3, .doubled = 2, .hub_joints = 800, .spin = 5.0}, 2,
                   "hubs");
}

// The machines of the papers, and rods and particles.
TEST(DirectAgainstReferees, on_ladders_chains_and_the_slider_crank) {
  double worst = 0.0;
  const Stepper steppers[] = {symmetric, with_spin, Relaxed{.h = h}};
  for (const Stepper& stepper : steppers) {
    worst = std::max(worst, compare_steps(machines::make_rod_ladder(30), stepper, "rod ladder"));
    worst = std::max(worst, compare_steps(machines::make_rigid_ladder(30), stepper, "ladder"));
    worst = std::max(worst, compare_steps(machines::make_chain(100), stepper, "chain"));
    worst = std::max(worst, compare_steps(machines::make_slider_crank(), stepper, "slider crank"));
    worst = std::max(worst, compare_steps(machines::make_heavy_top(), stepper, "heavy top"));
    worst = std::max(worst, compare_steps(machines::make_rotor_on_box(), stepper, "rotor"));
  }
  measured("largest difference, machines of the papers", worst);
}

// Trajectories, not single steps: a second of a machine that is not chaotic yet.
TEST(DirectAgainstReferees, give_the_same_second_of_a_ladder) {
  const Model model = machines::make_rigid_ladder(5);
  std::vector<State> ends;
  for (const Solver& solver : {Solver(Direct{}), Solver(Umfpack{}), Solver(Cholmod{})}) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = h, .solver = solver, .gyroscopic = Gyroscopic::kick_drift}, model, 60,
               state, work);
    ends.push_back(state);
  }
  for (const State& end : ends) EXPECT_LT((end.q - ends[0].q).cwiseAbs().maxCoeff(), 1e-9);
}

// A solver that needs symmetric blocks says so about a problem that has others.
TEST(Cholmod, refuses_non_symmetric_blocks) {
  const Model model = machines::make_heavy_top();
  const StepProblem problem = make_step_problem(with_spin, model, model.initial_state());
  ASSERT_FALSE(problem.M.is_symmetric());
  SolverWorkspace workspace;
  StepSolution solution;
  EXPECT_EQ(solve(Cholmod{}, problem, workspace, solution).status, SolveStatus::unsupported);
}

}  // namespace
}  // namespace ligament
