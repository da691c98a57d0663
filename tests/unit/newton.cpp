// SPDX-License-Identifier: Apache-2.0
// Newton: against direct and pivoting solvers, sweeps and interior points, and that it says why it
// stopped.
#include "ligament/solvers/newton/newton.h"

#include <gtest/gtest.h>

#include "support/contact_problems.h"
#include "support/solver_checks.h"

namespace ligament {
namespace {

// Without sweeps: what converges does so by steps of Newton alone.
const Newton alone{.max_sweeps = 0};

TEST(Newton, agrees_with_the_direct_solver) { expect_agreement_with_direct({alone}); }

TEST(Newton, agrees_with_block_pivoting) { expect_agreement_with_block_pivoting({alone}); }

// The rescue of convex laws, the primal method, included.
TEST(Newton, agrees_with_sweeps_on_convex_laws) { expect_agreement_with_sweeps({alone}); }

// As for InteriorPoint: a gap of (1e-10)² of energies of order one, and Σ ≤ 1.
TEST(Newton, keeps_all_laws_where_it_converges) {
  expect_laws_to_hold_where_it_converges(Newton{}, {.trials = 40, .momentum = 1e-12, .row = 1e-9});
}

TEST(Newton, reports_the_error_that_the_problem_knows) {
  expect_errors_that_the_problem_knows(
      {Newton{.max_iterations = 1, .max_sweeps = 0}, Newton{.max_iterations = 2, .max_sweeps = 0}});
}

TEST(Newton, gives_the_same_bits_from_any_workspace) {
  expect_same_bits_from_any_workspace(Newton{}, Newton{});
}

// Where all states of the guess are right one step solves the problem, and where the guess is the
// solution none.
TEST(Newton, a_good_guess_costs_no_factorization) {
  const StepProblem problem = make_stack({.friction = ConeLaw::coulomb}).problem;
  Solved solved = solve_cold(Newton{}, problem);
  ASSERT_EQ(solved.report.status, SolveStatus::solved);
  EXPECT_GE(solved.report.factorizations, 1);
  SolverWorkspace workspace;
  SolveReport again = solve(Newton{}, problem, workspace, solved.solution);
  EXPECT_EQ(again.status, SolveStatus::solved);
  EXPECT_EQ(again.factorizations, 0);
  solved.solution.lambda *= 1.0 + 1e-6;
  again = solve(Newton{}, problem, workspace, solved.solution);
  EXPECT_EQ(again.status, SolveStatus::solved);
  EXPECT_EQ(again.factorizations, 1);
}

// The nearly right guess settles with a factor [NE.5] that is kept while the problem changes in its
// last digits only [NE.6], and that is of the problem alone: a new workspace gives the same bits.
TEST(Newton, what_hardly_moves_keeps_its_factor) {
  StepProblem problem = make_stack({.friction = ConeLaw::coulomb}).problem;
  const Solved exact = solve_cold(Newton{}, problem);
  ASSERT_EQ(exact.report.status, SolveStatus::solved);
  SolverWorkspace workspace;
  // From a guess that is nearly right, in the workspace and in a new one.
  const auto settle = [&] {
    const auto solve_in = [&](SolverWorkspace& work) {
      Solved solved{.solution = {.u = {}, .lambda = exact.solution.lambda}};
      solved.solution.lambda *= 1.0 + 1e-9;
      solved.report = solve(Newton{}, problem, work, solved.solution);
      return solved;
    };
    SolverWorkspace fresh;
    const Solved one = solve_in(workspace), other = solve_in(fresh);
    EXPECT_EQ(one.solution.u, other.solution.u);
    EXPECT_EQ(one.solution.lambda, other.solution.lambda);
    EXPECT_LT(one.report.history.values().front(), 1e-6);
    EXPECT_EQ(one.report.iterations, 1);
    expect_same_velocities(problem, one, solve_cold(Newton{}, problem));
    return one.report.factorizations;
  };
  EXPECT_EQ(settle(), 1);
  EXPECT_EQ(settle(), 0);
  for (double& value : problem.G.values) value *= 1.0 + 1e-13;
  for (BodyBlock& body : problem.M.blocks) body.rotation *= 1.0 - 1e-13;
  problem.Sigma *= 1.0 + 1e-13;
  EXPECT_EQ(settle(), 0);
  // Each of the matrices counts.
  problem.G.values[2] += 1e-6;
  EXPECT_EQ(settle(), 1);
  problem.M.blocks[3].mass *= 1.0 + 1e-6;
  EXPECT_EQ(settle(), 1);
  problem.M.blocks[3].rotation(1, 1) *= 1.0 + 1e-6;
  EXPECT_EQ(settle(), 1);
  problem.Sigma(7) *= 1.0 + 1e-6;
  EXPECT_EQ(settle(), 1);
  EXPECT_EQ(settle(), 0);
  // A problem of another size in between takes the factor.
  Solved other;
  solve(Newton{}, make_stack({.boxes = 4, .friction = ConeLaw::coulomb}).problem, workspace,
        other.solution);
  EXPECT_EQ(settle(), 1);
}

TEST(Newton, says_why_it_stopped_and_keeps_what_it_saw) {
  const StepProblem problem =
      make_stack({.top_mass = 1e3, .s = 1e-5, .friction = ConeLaw::coulomb}).problem;
  const auto end_of = [&](const Newton& options) {
    const Solved solved = solve_cold(options, problem);
    const auto history = solved.report.history.values();
    EXPECT_GE(history.size(), 1U);
    // The best of what it saw is what it reports.
    EXPECT_EQ(solved.report.velocity_error, *std::ranges::min_element(history));
    return solved.report.end;
  };
  EXPECT_EQ(end_of({}), SolveEnd::reached);
  EXPECT_EQ(end_of({.max_iterations = 1}), SolveEnd::iterations);
  EXPECT_EQ(end_of({.max_sweeps = 0, .max_work = 1.0}), SolveEnd::work);
}

}  // namespace
}  // namespace ligament
