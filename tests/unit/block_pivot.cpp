// SPDX-License-Identifier: Apache-2.0
// BlockPivot against brute force: every choice of sides is tried by a dense solve, and the one that
// keeps all laws is the answer. (It is unique: G M⁻¹ Gᵀ + Σ is a P-matrix.)
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <optional>

#include "ligament/problem/residual.h"
#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void bound_at_random(Random& random, StepProblem& problem) {
  for (Law& law : problem.laws) {
    const int kind = random.index(3);
    if (kind == 1) law = Unilateral{};
    if (kind == 2) law = Box{.lower = -random.uniform(0, 1), .upper = random.uniform(0, 1)};
  }
}

struct Bounds {
  VecX lower, upper;
};

Bounds bounds_of(const StepProblem& problem) {
  Bounds bounds{VecX::Constant(problem.rows(), -infinity),
                VecX::Constant(problem.rows(), infinity)};
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    for (int row = block.first_row; row < block.first_row + block.rows; ++row) {
      if (std::holds_alternative<Unilateral>(problem.laws[i])) bounds.lower(row) = 0.0;
      if (const Box* box = std::get_if<Box>(&problem.laws[i])) {
        bounds.lower(row) = box->lower;
        bounds.upper(row) = box->upper;
      }
    }
  }
  return bounds;
}

// λ with the rows at side −1 or 1 on their bounds and w = 0 in the others, if it keeps all laws.
std::optional<VecX> try_sides(const MatX& S, const VecX& b, const Bounds& bounds,
                              const std::vector<int>& sides) {
  const auto n = S.rows();
  MatX A = S;
  VecX rhs = b;
  for (Eigen::Index i = 0; i < n; ++i) {
    const int side = sides[static_cast<std::size_t>(i)];
    if (side == 0) continue;
    A.row(i) = VecX::Unit(n, i).transpose();
    rhs(i) = side < 0 ? bounds.lower(i) : bounds.upper(i);
    if (!std::isfinite(rhs(i))) return std::nullopt;
  }
  const VecX y = A.fullPivLu().solve(rhs), w = S * y - b;
  const double zero = 1e-11;
  for (Eigen::Index i = 0; i < n; ++i) {
    const int side = sides[static_cast<std::size_t>(i)];
    if (y(i) < bounds.lower(i) - zero || y(i) > bounds.upper(i) + zero) return std::nullopt;
    if ((side < 0 && w(i) < -zero) || (side > 0 && w(i) > zero)) return std::nullopt;
  }
  return y;
}

VecX solve_by_brute_force(const StepProblem& problem) {
  const MatX G = make_dense(problem.G), M = make_dense(problem.M);
  const MatX S = G * M.inverse() * G.transpose() + MatX(problem.Sigma.asDiagonal());
  const VecX b = problem.b - G * M.inverse() * problem.p;
  const Bounds bounds = bounds_of(problem);
  std::vector<int> sides(static_cast<std::size_t>(problem.rows()), -1);
  for (;;) {
    if (const auto y = try_sides(S, b, bounds, sides)) return *y;
    std::size_t i = 0;  // the next number in base three
    while (i < sides.size() && sides[i] == 1) sides[i++] = -1;
    if (i == sides.size()) break;
    ++sides[i];
  }
  ADD_FAILURE() << "no choice of sides keeps all laws";
  return VecX::Zero(problem.rows());
}

// Both answers come from solves of the same small, well-conditioned systems: Σ ≥ 1e-3 and entries
// of order one keep the condition number of S below 1e5, rounding makes 1e-10 of it at most.
void expect_brute_force_answers(const ProblemShape& shape, std::uint64_t seed) {
  Random random(seed);
  double worst = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    StepProblem problem = make_random_problem(shape, random);
    if (problem.rows() > 9) continue;  // 3⁹ guesses
    bound_at_random(random, problem);
    SolverWorkspace workspace;
    StepSolution solution;
    const SolveReport report = solve(BlockPivot{}, problem, workspace, solution);
    ASSERT_EQ(report.status, SolveStatus::solved);
    const VecX exact = solve_by_brute_force(problem);
    worst = std::max(worst, (solution.lambda - exact).lpNorm<Eigen::Infinity>());
    Residual residual;
    compute_residual(problem, solution, residual);
    EXPECT_LT(residual.row_max, 1e-9);
    EXPECT_LT(residual.momentum_max, 1e-12);
  }
  measured("largest difference of an impulse", worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(BlockPivot, agrees_with_brute_force) {
  expect_brute_force_answers({.bodies = 3, .row_blocks = 5, .most_rows = 2}, 1);
}

TEST(BlockPivot, agrees_with_brute_force_on_non_symmetric_blocks) {
  expect_brute_force_answers(
      {.bodies = 3, .row_blocks = 5, .most_rows = 2, .blocks = Blocks::general}, 2);
}

TEST(BlockPivot, agrees_with_brute_force_where_rows_depend_on_each_other) {
  expect_brute_force_answers({.bodies = 1, .row_blocks = 8, .most_rows = 1, .least_sigma = 1e-2},
                             3);
}

// C1 of the acceptance table: a thousand problems with fewer than 40 rows, Σ down to 1e-6, half of
// them with more rows than their bodies have freedoms. All end, and every row is at a bound with w
// on its side or between them with w = 0: the error is how far λ is from where w would move it,
// |λ − P_K(λ − w)|.
TEST(BlockPivot, solves_a_thousand_random_problems) {
  Random random(9);
  double worst = 0.0, factorizations = 0.0;
  int problems = 0, deficient = 0;
  while (problems < 1000) {
    ProblemShape shape{.bodies = 1 + random.index(6), .row_blocks = 1 + random.index(20)};
    shape.least_sigma = 1e-6;
    StepProblem problem = make_random_problem(shape, random);
    if (problem.rows() >= 40) continue;
    ++problems;
    if (problem.rows() > problem.columns()) ++deficient;
    bound_at_random(random, problem);
    SolverWorkspace workspace;
    StepSolution solution;
    const SolveReport report = solve(BlockPivot{}, problem, workspace, solution);
    ASSERT_EQ(report.status, SolveStatus::solved);
    factorizations += report.factorizations;
    const VecX w = make_dense(problem.G) * solution.u +
                   problem.Sigma.cwiseProduct(solution.lambda) - problem.b;
    const Bounds bounds = bounds_of(problem);
    const VecX moved =
        (solution.lambda - w).cwiseMax(bounds.lower).cwiseMin(bounds.upper) - solution.lambda;
    worst = std::max(worst, moved.lpNorm<Eigen::Infinity>());
  }
  EXPECT_LT(measured("C1 complementarity error", worst), 1e-7);
  measured("C1 factorizations a problem", factorizations / problems);
  EXPECT_GT(measured("C1 problems with more rows than freedoms", deficient), 200);
}

// Large problems: no oracle but the laws themselves, by the residual that every solver answers to.
TEST(BlockPivot, keeps_all_laws_of_large_problems) {
  Random random(4);
  for (int trial = 0; trial < 5; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 150, .row_blocks = 200}, random);
    bound_at_random(random, problem);
    SolverWorkspace workspace;
    StepSolution solution;
    const SolveReport report = solve(BlockPivot{}, problem, workspace, solution);
    ASSERT_EQ(report.status, SolveStatus::solved);
    Residual residual;
    compute_residual(problem, solution, residual);
    EXPECT_LT(residual.row_max, 1e-8);
    measured("factorizations", report.factorizations);
  }
}

TEST(BlockPivot, needs_one_factorization_when_it_starts_from_the_answer) {
  Random random(5);
  StepProblem problem = make_random_problem({.bodies = 20, .row_blocks = 30}, random);
  bound_at_random(random, problem);
  SolverWorkspace workspace;
  StepSolution cold, warm;
  EXPECT_GT(solve(BlockPivot{}, problem, workspace, cold).factorizations, 1);
  EXPECT_EQ(solve(BlockPivot{}, problem, workspace, warm).factorizations, 1);
  EXPECT_EQ(cold.lambda, warm.lambda);
  EXPECT_EQ(cold.u, warm.u);
}

TEST(BlockPivot, is_direct_where_there_are_no_bounds) {
  Random random(6);
  const StepProblem problem = make_random_problem({.bodies = 10, .row_blocks = 12}, random);
  SolverWorkspace a, b;
  StepSolution direct, pivot;
  solve(Direct{}, problem, a, direct);
  solve(BlockPivot{}, problem, b, pivot);
  EXPECT_EQ(direct.lambda, pivot.lambda);
}

TEST(BlockPivot, does_not_support_discs_and_cones) {
  Random random(7);
  StepProblem problem = make_random_problem({.bodies = 3, .row_blocks = 3}, random);
  problem.laws[1] = Cone{.mu = 0.5};
  SolverWorkspace workspace;
  StepSolution solution;
  EXPECT_EQ(solve(BlockPivot{}, problem, workspace, solution).status, SolveStatus::unsupported);
  EXPECT_TRUE(solution.lambda.array().isNaN().all());
}

// Rank-deficient and contradictory: rows that ask one body for different speeds, barely compliant.
// Whatever happens, the impulses are within their bounds, momentum is exact and the report is
// honest.
TEST(BlockPivot, says_so_when_it_does_not_converge) {
  Random random(8);
  int gave_up = 0;
  for (int trial = 0; trial < 20; ++trial) {
    ProblemShape shape{.bodies = 10, .row_blocks = 100, .most_rows = 1};
    shape.least_sigma = shape.largest_sigma = 1e-6;
    StepProblem problem = make_random_problem(shape, random);
    for (Law& law : problem.laws) law = Unilateral{};
    SolverWorkspace workspace;
    StepSolution solution;
    const SolveReport report = solve(BlockPivot{.pivots_per_row = 1}, problem, workspace, solution);
    ASSERT_TRUE(report.ok());
    Residual residual;
    compute_residual(problem, solution, residual);
    EXPECT_GE(solution.lambda.minCoeff(), 0.0);
    // u = M⁻¹(p + Gᵀ λ) by blocks: rounding of the impulses, which are large here.
    EXPECT_LT(residual.momentum_max, 1e-13 * (1.0 + 100 * solution.lambda.maxCoeff()));
    if (report.status == SolveStatus::not_converged)
      ++gave_up;
    else
      EXPECT_LT(residual.row_max, 1e-6);
  }
  measured("problems of 20 that were given up", gave_up);
}

}  // namespace
}  // namespace ligament
