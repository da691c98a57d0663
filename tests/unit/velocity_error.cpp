// SPDX-License-Identifier: Apache-2.0
// The duality gap that solvers stop on: its local terms against the definition [WA.7], the bound
// [WA.8] against velocities that are known, and its zeros.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ligament/problem/residual.h"
#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/random_problems.h"
#include "support/solved.h"

namespace ligament {
namespace {

struct LocalCase {
  Law law;
  VecX Sigma, y;
};

LocalCase make_case(Random& random) {
  const std::vector<Law> laws{Equality{}, Unilateral{}, Box{-0.4, 0.7}, Disc{0.8},
                              Cone{0.1},  Cone{0.7},    Cone{3.0}};
  LocalCase made{.law = laws[static_cast<std::size_t>(random.index(static_cast<int>(laws.size())))],
                 .Sigma = VecX(3),
                 .y = VecX(3)};
  const double normal = random.scale(1e-2, 1e2), tangential = random.scale(1e-2, 1e2);
  made.Sigma << normal, tangential, tangential;
  if (std::holds_alternative<Disc>(made.law)) made.Sigma.setConstant(normal);
  for (double& value : made.y) value = random.uniform();
  return made;
}

VecX make_point_of(const Law& law, Random& random) {
  VecX x = random.scale(1e-2, 10.0) * random.vector();
  project(law, x);
  return x;
}

// −xᵀ y − ½ xᵀ Σ x, what [WA.7] maximizes.
double objective(const LocalCase& made, const VecX& x) {
  return -x.dot(made.y) - 0.5 * x.dot(made.Sigma.cwiseProduct(x));
}

// ψ(y), from the gap at a point of K: gap = ψ(y) + λᵀ y + ½ λᵀ Σ λ.
double dual(const LocalCase& made, const VecX& at) {
  return compute_local_gap(made.law, made.Sigma, made.y, at) + objective(made, at);
}

// No point of K does better than ψ says, and one reaches it: the limit of projected steps.
// Tolerance: the terms are of size |y|²/Σ ≤ 300, the sum of nine of them rounds at 1e-13, and the
// projected steps stop when they move less than 1e-15 of λ.
TEST(LocalGap, is_the_maximum_over_the_law) {
  Random random(1);
  double worst_excess = 0.0, worst_miss = 0.0;
  for (int trial = 0; trial < 2000; ++trial) {
    const LocalCase made = make_case(random);
    const VecX at = make_point_of(made.law, random);
    const double psi = dual(made, at), size = 1.0 + std::abs(psi) + std::abs(objective(made, at));
    for (int i = 0; i < 20; ++i)
      worst_excess =
          std::max(worst_excess, (objective(made, make_point_of(made.law, random)) - psi) / size);
    VecX x = at;
    for (int i = 0; i < 300000; ++i) {
      VecX next = x - (made.y + made.Sigma.cwiseProduct(x)) / made.Sigma.maxCoeff();
      project(made.law, next);
      const bool still = (next - x).norm() <= 1e-15 * next.norm();
      x = next;
      if (still) break;
    }
    worst_miss = std::max(worst_miss, std::abs(objective(made, x) - psi) / size);
  }
  EXPECT_LT(measured("largest excess of a point of K over the maximum", worst_excess), 1e-12);
  EXPECT_LT(measured("largest distance of the best point from it", worst_miss), 1e-12);
}

TEST(LocalGap, is_never_negative) {
  Random random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const LocalCase made = make_case(random);
    const VecX at = make_point_of(made.law, random);
    EXPECT_GE(compute_local_gap(made.law, made.Sigma, made.y, at), 0.0);
  }
}

StepSolution solve_with(const GaussSeidel& options, const StepProblem& problem) {
  SolverWorkspace workspace;
  StepSolution solution;
  solve(options, problem, workspace, solution);
  return solution;
}

// A13: √(2 gap) ≥ ‖u − u_exact‖_M, for impulses on the way to the solution of problems with all
// convex laws. The reference is itself known to its own bound.
TEST(VelocityError, bounds_the_error_of_the_velocities) {
  Random random(3);
  double tightest = 1e300;
  for (int trial = 0; trial < 40; ++trial) {
    StepProblem problem = trial % 2 ? make_random_problem({.bodies = 8, .row_blocks = 10}, random)
                                    : make_random_contacts(8, 20, RandomFriction::cone, random);
    if (trial % 2) give_laws_at_random(RandomLaws::convex, random, problem);
    VecX scratch;
    const StepSolution exact =
        solve_with({.max_sweeps = 20000, .tolerance = 1e-8, .local = LocalSolve::exact}, problem);
    const VelocityError left = compute_velocity_error(problem, exact, scratch);
    ASSERT_LE(left.relative(), 1e-8);
    for (const int sweeps : {1, 2, 3, 5, 10, 20, 40}) {
      const StepSolution some = solve_with({.max_sweeps = sweeps, .tolerance = 0.0}, problem);
      const VelocityError error = compute_velocity_error(problem, some, scratch);
      const double distance = norm_in(problem.M, some.u - exact.u);
      EXPECT_GE(std::sqrt(2.0 * error.gap) + std::sqrt(2.0 * left.gap) + 1e-8 * error.scale,
                distance);
      if (distance > 1e-6 * error.scale)
        tightest = std::min(tightest, std::sqrt(2.0 * error.gap) / distance);
    }
  }
  measured("smallest ratio of bound and error", tightest);
}

TEST(VelocityError, has_the_change_by_the_constraints_as_its_scale) {
  Random random(4);
  const StepProblem problem = make_random_contacts(5, 8, RandomFriction::both, random);
  const StepSolution solution = solve_with({.max_sweeps = 5}, problem);
  VecX scratch, free(problem.columns());
  multiply_inverse(problem.M, problem.p, free);
  const VelocityError error = compute_velocity_error(problem, solution, scratch);
  EXPECT_NEAR(error.scale, norm_in(problem.M, solution.u - free), 1e-13 * error.scale);
}

// Zero where the laws hold, and only there: residual and gap vanish together, for all laws.
TEST(VelocityError, vanishes_with_the_residual) {
  Random random(5);
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 6, .row_blocks = 8}, random);
    give_laws_at_random(RandomLaws::all, random, problem);
    VecX scratch;
    Residual residual;
    StepSolution solution = solve_with({.max_sweeps = 20000, .tolerance = 1e-12}, problem);
    compute_residual(problem, solution, residual);
    // Impulses and Σ of order one: a gap of rounding, 1e-15 J, allows w of √(2 gap Σ) ≤ 1e-7.
    EXPECT_LT(compute_velocity_error(problem, solution, scratch).relative(), 1e-7);
    EXPECT_LT(residual.row_max, 1e-6);
    // One impulse disturbed inwards: its rows are wrong.
    solution.lambda *= 0.9;
    multiply_transposed(problem.G, solution.lambda, scratch = VecX(problem.columns()));
    scratch += problem.p;
    multiply_inverse(problem.M, VecX(scratch), solution.u);
    EXPECT_GT(compute_velocity_error(problem, solution, scratch).relative(), 1e-4);
  }
}

// A row without compliance is no excuse: what it misses counts, and is finite.
TEST(VelocityError, of_rows_without_compliance_is_finite_and_large) {
  Random random(6);
  StepProblem problem = make_random_contacts(4, 3, RandomFriction::coulomb, random);
  problem.Sigma.setZero();
  StepSolution free;
  free.lambda.setZero(problem.rows());
  free.u.resize(problem.columns());
  multiply_inverse(problem.M, problem.p, free.u);
  VecX scratch;
  const VelocityError at_start = compute_velocity_error(problem, free, scratch);
  EXPECT_TRUE(std::isfinite(at_start.gap));
  EXPECT_GT(at_start.gap, 1e3 * at_start.rounding);
  const StepSolution solution = solve_with({.max_sweeps = 100000, .tolerance = 1e-6}, problem);
  EXPECT_LT(compute_velocity_error(problem, solution, scratch).relative(), 1e-5);
}

// Rows that hardly give way, or not at all, are measured as softer ones; solved is solved all the
// same, to the last digits, and what is not solved is not forgiven.
TEST(VelocityError, of_rows_with_hardly_any_compliance_vanishes_with_the_residual) {
  Random random(8);
  for (const double softness : {0.0, 1e-16, 1e-14, 1e-13})
    for (int trial = 0; trial < 10; ++trial) {
      StepProblem problem = make_random_contacts(4, 3, RandomFriction::coulomb, random);
      problem.Sigma.setConstant(softness);
      Solved solved = solve_cold(Newton{}, problem);
      EXPECT_EQ(solved.report.status, SolveStatus::solved) << softness;
      EXPECT_LE(solved.report.velocity_error, 1e-10) << softness;
      // The residual r of a block is a projected step of 1/s, s its mobility: one of the points
      // that the gap is the maximum over, so that gap ≥ s ‖r/s‖² − ½ Σ' ‖r/s‖² ≥ ½ r²/s. The
      // solver stops where √(2 gap) is 1e-10 of the scale, or where the gap is rounding.
      VecX scratch;
      const VelocityError judged = compute_velocity_error(problem, solved.solution, scratch);
      const double promised = std::max(1e-10 * judged.scale, std::sqrt(2.0 * judged.rounding));
      Residual residual;
      compute_residual(problem, solved.solution, residual);
      EXPECT_LE(residual.row_max, std::sqrt(residual.mobility.maxCoeff()) * promised) << softness;
      // Three contacts of four bodies that all press: a tenth less of it is as much less change.
      solved.solution.lambda *= 0.9;
      const VelocityError error = judge_impulses(problem, solved.solution, scratch);
      if (solved.solution.lambda.norm() > 0.0) {
        EXPECT_GT(error.relative(), 0.1) << softness;
      }
    }
}

}  // namespace
}  // namespace ligament
