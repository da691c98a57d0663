// SPDX-License-Identifier: Apache-2.0
// AcceleratedGradient: against direct and pivoting solvers where those can do it, against
// Gauss–Seidel, and against the residual and closed forms of friction.
#include <gtest/gtest.h>

#include <cmath>

#include "ligament/problem/residual.h"
#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/random_problems.h"
#include "support/solved.h"

namespace ligament {
namespace {

constexpr AcceleratedGradient patient{.max_iterations = 100000, .tolerance = 1e-7};

TEST(AcceleratedGradient, agrees_with_the_direct_solver) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem problem =
        make_random_problem({.bodies = 6, .row_blocks = 7, .most_bodies_a_block = 3}, random);
    expect_same_velocities(problem, solve_cold(patient, problem), solve_cold(Direct{}, problem));
  }
}

TEST(AcceleratedGradient, agrees_with_block_pivoting) {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 10, .row_blocks = 14}, random);
    give_laws_at_random(RandomLaws::bounds, random, problem);
    expect_same_velocities(problem, solve_cold(patient, problem),
                           solve_cold(BlockPivot{}, problem));
  }
}

TEST(AcceleratedGradient, agrees_with_gauss_seidel_on_convex_laws) {
  Random random(3);
  const GaussSeidel sweeps{.max_sweeps = 100000, .tolerance = 1e-7, .local = LocalSolve::exact};
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem mixed = make_random_problem({.bodies = 8, .row_blocks = 8}, random);
    give_laws_at_random(RandomLaws::convex, random, mixed);
    expect_same_velocities(mixed, solve_cold(patient, mixed), solve_cold(sweeps, mixed));
    const StepProblem contacts = make_random_contacts(12, 25, RandomFriction::cone, random);
    expect_same_velocities(contacts, solve_cold(patient, contacts), solve_cold(sweeps, contacts));
  }
}

// Coulomb's law and bounds on other rows, by the outer loop: it need not converge, but on these
// problems it does; and where it says so, the laws hold. (A gap of (1e-7)² of energies of order one
// leaves velocities of 1e-7 √Σ in a row, Σ ≤ 1.)
TEST(AcceleratedGradient, keeps_all_laws_where_it_converges) {
  Random random(4);
  int converged = 0;
  constexpr int trials = 30;
  double worst = 0.0;
  for (int trial = 0; trial < trials; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 8, .row_blocks = 10}, random);
    give_laws_at_random(RandomLaws::all, random, problem);
    if (trial % 2) problem = make_random_contacts(12, 25, RandomFriction::coulomb, random);
    const Solved solved =
        solve_cold(AcceleratedGradient{.max_iterations = 50000, .tolerance = 1e-7}, problem);
    ASSERT_TRUE(solved.report.ok());
    Residual residual;
    compute_residual(problem, solved.solution, residual);
    EXPECT_LT(residual.momentum_max, 1e-13);
    if (solved.report.status != SolveStatus::solved) continue;
    ++converged;
    worst = std::max(worst, residual.row_max);
  }
  EXPECT_LT(measured("worst residual of a law", worst), 1e-6);
  EXPECT_GE(measured("converged, of 30", converged), trials - 2);
}

TEST(AcceleratedGradient, reports_the_error_that_the_problem_knows) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 8, .row_blocks = 10}, random);
    give_laws_at_random(RandomLaws::all, random, problem);
    if (trial % 2) problem = make_random_contacts(12, 25, RandomFriction::both, random);
    for (const int steps : {1, 3, 20}) {
      const Solved solved = solve_cold(AcceleratedGradient{.max_iterations = steps}, problem);
      VecX scratch;
      const double error = compute_velocity_error(problem, solved.solution, scratch).relative();
      if (error < 1e-6) continue;  // the same sums in another order: 1e-16 of energy in 1e-12
      EXPECT_NEAR(solved.report.velocity_error, error, 1e-4 * error);
    }
  }
}

// The energy φ falls as 1/k² in any case, the bound on velocities as 1/k: four more digits would
// cost ten thousand times the steps. With restarts the last digits cost no more than the first.
TEST(AcceleratedGradient, converges_linearly_thanks_to_restarts) {
  Random random(6);
  const StepProblem problem = make_random_contacts(40, 60, RandomFriction::cone, random);
  const auto steps_to = [&](double tolerance) {
    const Solved solved =
        solve_cold(AcceleratedGradient{.max_iterations = 20000, .tolerance = tolerance}, problem);
    EXPECT_EQ(solved.report.status, SolveStatus::solved);
    return measured("steps", solved.report.iterations);
  };
  const double first = steps_to(1e-2), last = steps_to(1e-6);
  EXPECT_LT(last, 5.0 * first);
}

TEST(AcceleratedGradient, needs_no_step_when_it_starts_from_the_solution) {
  Random random(7);
  const StepProblem problem = make_random_contacts(12, 25, RandomFriction::coulomb, random);
  Solved solved = solve_cold(GaussSeidel{.max_sweeps = 10000, .tolerance = 1e-8}, problem);
  ASSERT_EQ(solved.report.status, SolveStatus::solved);
  SolverWorkspace workspace;
  const SolveReport warm = solve(patient, problem, workspace, solved.solution);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_EQ(warm.iterations, 0);
}

TEST(AcceleratedGradient, gives_the_same_bits_from_any_workspace) {
  Random random(8);
  const StepProblem problem = make_random_contacts(40, 90, RandomFriction::coulomb, random);
  const StepProblem other = make_random_contacts(13, 31, RandomFriction::cone, random);
  const Solved first = solve_cold(AcceleratedGradient{.max_iterations = 100}, problem);
  SolverWorkspace used;
  StepSolution solution;
  solve(AcceleratedGradient{.max_iterations = 150}, other, used, solution);
  solution = {};
  solve(AcceleratedGradient{.max_iterations = 100}, problem, used, solution);
  EXPECT_EQ(solution.lambda, first.solution.lambda);
  EXPECT_EQ(solution.u, first.solution.u);
}

// A7: see the same test of Gauss–Seidel. One contact of a particle, Σ 2e-9 of the inverse mass.
TEST(AcceleratedGradient, meets_the_closed_forms_of_an_oblique_impact) {
  for (const double mu : {0.2, 0.5, 1.0})
    for (const bool lifted : {false, true}) {
      StepProblem problem;
      problem.M.add_block(3);
      problem.M.blocks[0].mass = 2.0;
      const int bodies[] = {0};
      problem.G.add_block(3, bodies, problem.M);
      resize_to_structure(problem);
      problem.laws[0] = lifted ? Law(Cone{mu}) : Law(Coulomb{mu});
      problem.Sigma.setConstant(1e-9);
      Mat3 C;  // normal up, tangents along x and y
      C << 0, 0, 1, 1, 0, 0, 0, 1, 0;
      Eigen::Map<Mat3>(problem.G.entry_values(problem.G.entries[0])) = C;
      problem.p << 2.4, 3.2, -2.0;
      const Solved solved =
          solve_cold(AcceleratedGradient{.max_iterations = 100000, .tolerance = 1e-7}, problem);
      EXPECT_EQ(solved.report.status, SolveStatus::solved);
      const double slip = lifted ? (2.0 - mu) / (1.0 + mu * mu) : 2.0 - mu;
      const Vec3 expected(0.6 * slip, 0.8 * slip, lifted ? mu * slip : 0.0);
      EXPECT_LT((solved.solution.u - expected).norm(), 1e-6);
    }
}

}  // namespace
}  // namespace ligament
