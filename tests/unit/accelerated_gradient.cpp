// SPDX-License-Identifier: Apache-2.0
// AcceleratedGradient: against direct and pivoting solvers where those can do it, against
// Gauss–Seidel, and against the residual and closed forms of friction.
#include <gtest/gtest.h>

#include <cmath>

#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/solver_checks.h"

namespace ligament {
namespace {

constexpr AcceleratedGradient patient{.max_iterations = 100000, .tolerance = 1e-7};

TEST(AcceleratedGradient, agrees_with_the_direct_solver) {
  expect_agreement_with_direct({patient});
}

TEST(AcceleratedGradient, agrees_with_block_pivoting) {
  expect_agreement_with_block_pivoting({patient});
}

TEST(AcceleratedGradient, agrees_with_gauss_seidel_on_convex_laws) {
  expect_agreement_with_sweeps({patient});
}

// Coulomb's law and bounds on other rows, by the outer loop: it need not converge, but on these
// problems it does; and where it says so, the laws hold. (A gap of (1e-7)² of energies of order one
// leaves velocities of 1e-7 √Σ in a row, Σ ≤ 1.)
TEST(AcceleratedGradient, keeps_all_laws_where_it_converges) {
  expect_laws_to_hold_where_it_converges(
      AcceleratedGradient{.max_iterations = 50000, .tolerance = 1e-7},
      {.trials = 30, .momentum = 1e-13, .row = 1e-6});
}

TEST(AcceleratedGradient, reports_the_error_that_the_problem_knows) {
  expect_errors_that_the_problem_knows({AcceleratedGradient{.max_iterations = 1},
                                        AcceleratedGradient{.max_iterations = 3},
                                        AcceleratedGradient{.max_iterations = 20}});
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
  expect_same_bits_from_any_workspace(AcceleratedGradient{.max_iterations = 100},
                                      AcceleratedGradient{.max_iterations = 150});
}

// A7: see the same test of Gauss–Seidel. One contact of a particle, Σ 2e-9 of the inverse mass.
TEST(AcceleratedGradient, meets_the_closed_forms_of_an_oblique_impact) {
  for (const double mu : {0.2, 0.5, 1.0})
    for (const bool lifted : {false, true}) {
      const Law law = lifted ? Law(Cone{mu}) : Law(Coulomb{mu});
      const Solved solved = solve_cold(patient, make_one_contact(3, {1.2, 1.6, -1.0}, law));
      EXPECT_EQ(solved.report.status, SolveStatus::solved);
      const double slip = lifted ? (2.0 - mu) / (1.0 + mu * mu) : 2.0 - mu;
      const Vec3 expected(0.6 * slip, 0.8 * slip, lifted ? mu * slip : 0.0);
      EXPECT_LT((solved.solution.u - expected).norm(), 1e-6);
    }
}

}  // namespace
}  // namespace ligament
