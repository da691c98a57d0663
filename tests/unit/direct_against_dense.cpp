// SPDX-License-Identifier: Apache-2.0
// Direct against a dense LU with full pivoting of the whole KKT matrix, on small random problems.
//
// Tolerance: both are backward stable to some 10 roundings, so that their answers may differ by the
// condition number of the matrix times that; it is estimated for every problem. Direct factors
// without pivoting but refines once.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <string>

#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

// The largest difference from the dense answer in units of condition × rounding.
double compare_with_dense(const StepProblem& problem, const Solver& solver,
                          SolverWorkspace& workspace) {
  StepSolution solution;
  const SolveReport report = solve(solver, problem, workspace, solution);
  EXPECT_TRUE(report.ok()) << name_of(report.status);
  if (!report.ok()) return 1e300;
  const MatX K = make_dense_kkt(problem);
  VecX rhs(K.rows()), x(K.rows());
  rhs << problem.p, problem.b;
  x << solution.u, solution.lambda;
  const Eigen::FullPivLU<MatX> lu(K);
  const VecX exact = lu.solve(rhs);
  return (x - exact).norm() * lu.rcond() / (exact.norm() * 2.2e-16);
}

void expect_dense_answers(const ProblemShape& shape, int trials, std::uint64_t seed) {
  Random random(seed);
  double worst = 0.0;
  for (int i = 0; i < trials; ++i) {
    SolverWorkspace workspace;
    const StepProblem problem = make_random_problem(shape, random);
    const double error = compare_with_dense(problem, Direct{}, workspace);
    EXPECT_LT(error, 20.0) << "problem " << i;
    worst = std::max(worst, error);
  }
  measured("worst difference over condition times rounding", worst);
}

TEST(DirectAgainstDense, on_symmetric_problems) {
  for (const int blocks : {1, 3, 8, 15})
    expect_dense_answers({.bodies = 6, .row_blocks = blocks}, 50, 1);
}

TEST(DirectAgainstDense, on_problems_with_non_symmetric_blocks) {
  for (const int blocks : {1, 3, 8, 15})
    expect_dense_answers({.bodies = 6, .row_blocks = blocks, .blocks = Blocks::general}, 50, 2);
}

TEST(DirectAgainstDense, on_single_rows) {
  expect_dense_answers({.bodies = 5, .row_blocks = 12, .most_rows = 1}, 50, 3);
  expect_dense_answers({.bodies = 5, .row_blocks = 12, .most_rows = 1, .blocks = Blocks::general},
                       50, 4);
}

// Gears and the like: up to four bodies in a block.
TEST(DirectAgainstDense, on_blocks_that_touch_many_bodies) {
  expect_dense_answers({.bodies = 8, .row_blocks = 10, .most_bodies_a_block = 4}, 50, 5);
  expect_dense_answers(
      {.bodies = 8, .row_blocks = 10, .most_bodies_a_block = 4, .blocks = Blocks::general}, 50, 6);
}

// More than 40 rows on a body: it stays in the matrix as a node of its own. One hub, several, and
// all bodies hubs to each other.
TEST(DirectAgainstDense, on_hubs) {
  for (const Blocks blocks : {Blocks::symmetric, Blocks::general}) {
    expect_dense_answers({.bodies = 20, .row_blocks = 45, .hubs = 1, .blocks = blocks}, 10, 7);
    expect_dense_answers({.bodies = 20, .row_blocks = 60, .hubs = 2, .blocks = blocks}, 10, 8);
    expect_dense_answers({.bodies = 3, .row_blocks = 60, .hubs = 3, .blocks = blocks}, 10, 9);
    expect_dense_answers({.bodies = 1, .row_blocks = 20, .hubs = 1, .blocks = blocks}, 10, 10);
  }
}

// Bodies that no row touches move with their momentum.
TEST(DirectAgainstDense, on_bodies_without_rows) {
  expect_dense_answers({.bodies = 20, .row_blocks = 4}, 50, 11);
  Random random(12);
  SolverWorkspace workspace;
  const StepProblem problem = make_random_problem({.bodies = 4, .row_blocks = 0}, random);
  EXPECT_LT(compare_with_dense(problem, Direct{}, workspace), 20.0);
}

// Rows of zeros (a distance whose points meet, say) with compliance: λ = b/Σ.
TEST(DirectAgainstDense, on_rows_of_zeros) {
  Random random(13);
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 4, .row_blocks = 6}, random);
    const RowBlock& block = problem.G.blocks[static_cast<std::size_t>(random.index(6))];
    const int row = random.index(block.rows);
    for (const BlockEntry& entry : problem.G.entries_of(block))
      for (int c = 0; c < entry.columns; ++c)
        problem.G.entry_values(entry)[c * block.rows + row] = 0.0;
    SolverWorkspace workspace;
    EXPECT_LT(compare_with_dense(problem, Direct{}, workspace), 20.0);
  }
}

// Rows said twice, with little compliance: redundant but consistent.
TEST(DirectAgainstDense, on_rows_said_twice) {
  Random random(14);
  for (int trial = 0; trial < 30; ++trial) {
    const ProblemShape shape{.bodies = 4, .row_blocks = 0};
    StepProblem problem = make_random_problem(shape, random);
    const int bodies[] = {random.index(2), 2 + random.index(2)};
    const int rows = 1 + random.index(6);
    for (int twice = 0; twice < 2; ++twice) problem.G.add_block(rows, bodies, problem.M);
    resize_to_structure(problem);
    fill_at_random({.least_sigma = 1e-8, .largest_sigma = 1e-6}, random, problem);
    const auto half = static_cast<std::ptrdiff_t>(problem.G.values.size() / 2);
    std::copy_n(problem.G.values.begin(), half, problem.G.values.begin() + half);
    problem.b.tail(rows) = problem.b.head(rows);
    SolverWorkspace workspace;
    EXPECT_LT(compare_with_dense(problem, Direct{}, workspace), 20.0);
  }
}

// One workspace for many problems: for the same structure it keeps its plan, else it makes one.
TEST(Direct, keeps_its_plan_while_the_structure_stays) {
  Random random(15);
  SolverWorkspace workspace;
  StepSolution solution;
  const ProblemShape shape{.bodies = 6, .row_blocks = 8};
  StepProblem problem = make_random_problem(shape, random);
  EXPECT_TRUE(solve(Direct{}, problem, workspace, solution).analysed);
  for (int i = 0; i < 5; ++i) {
    fill_at_random(shape, random, problem);
    EXPECT_FALSE(solve(Direct{}, problem, workspace, solution).analysed);
    EXPECT_LT(compare_with_dense(problem, Direct{}, workspace), 20.0);
  }
  for (const Blocks blocks : {Blocks::general, Blocks::symmetric}) {
    const StepProblem other =
        make_random_problem({.bodies = 9, .row_blocks = 11, .blocks = blocks}, random);
    EXPECT_LT(compare_with_dense(other, Direct{}, workspace), 20.0);
  }
}

// A block that turns non-symmetric from one step to the next needs no new plan.
TEST(Direct, handles_blocks_that_change_their_symmetry) {
  Random random(16);
  SolverWorkspace workspace;
  StepProblem problem = make_random_problem({.bodies = 5, .row_blocks = 8}, random);
  for (int i = 0; i < 6; ++i) {
    const Blocks blocks = i % 2 == 0 ? Blocks::general : Blocks::symmetric;
    for (BodyBlock& block : problem.M.blocks) {
      if (block.size == 3) continue;
      block.rotation = make_random_inertia(blocks, random);
      block.symmetric = blocks == Blocks::symmetric;
    }
    EXPECT_LT(compare_with_dense(problem, Direct{}, workspace), 20.0) << i;
  }
}

// Six rows on a particle that leads to a hub have pivots of the size of Σ, 1e-10 here: without
// pivoting ten digits or eleven go. A refinement squares the relative error, 1e-5 → 1e-10 →
// rounding, up to a factor that grows with the number of terms. The residual of a row is rounded
// where the impulses that meet in it are, hence relative to them.
TEST(Direct, refinement_restores_the_digits_that_small_pivots_lose) {
  Random random(17);
  const ProblemShape shape{.bodies = 20, .row_blocks = 45, .hubs = 1, .least_sigma = 1e-10};
  for (int i = 0; i < 20; ++i) {
    const StepProblem problem = make_random_problem(shape, random);
    const auto residual_after = [&](int refinements) {
      SolverWorkspace workspace;
      StepSolution solution;
      EXPECT_TRUE(solve(Direct{.refinements = refinements}, problem, workspace, solution).ok());
      Residual residual;
      compute_residual(problem, solution, residual);
      const double size = solution.lambda.cwiseAbs().maxCoeff();
      return std::max(residual.row_max, residual.momentum_max) / size;
    };
    const double unrefined = residual_after(0);
    EXPECT_LT(unrefined, 1e-3);
    EXPECT_LT(residual_after(1), 100.0 * unrefined * unrefined + 1e-14);
    EXPECT_LT(residual_after(2), 1e-14);
  }
}

// Redundant rows without compliance: reported with a block that is among the culprits.
TEST(Direct, names_a_block_of_the_rows_that_depend_on_each_other) {
  Random random(18);
  StepProblem problem = make_random_problem({.bodies = 6, .row_blocks = 5}, random);
  const int bodies[] = {0, 3};
  for (int twice = 0; twice < 2; ++twice) problem.G.add_block(2, bodies, problem.M);
  resize_to_structure(problem);
  fill_at_random({}, random, problem);
  const RowBlock &first = problem.G.blocks[5], &second = problem.G.blocks[6];
  const auto entry_a = static_cast<std::size_t>(first.first_entry);
  const auto entry_b = static_cast<std::size_t>(second.first_entry);
  for (std::size_t e = 0; e < 2; ++e) {
    const BlockEntry& from = problem.G.entries[entry_a + e];
    std::copy_n(problem.G.entry_values(from), 2 * from.columns,
                problem.G.entry_values(problem.G.entries[entry_b + e]));
  }
  problem.Sigma.tail(4).setZero();
  SolverWorkspace workspace;
  StepSolution solution;
  const SolveReport report = solve(Direct{}, problem, workspace, solution);
  EXPECT_EQ(report.status, SolveStatus::singular);
  EXPECT_TRUE(report.culprit_block == 5 || report.culprit_block == 6) << report.culprit_block;
  EXPECT_TRUE(solution.u.array().isNaN().all());
}

}  // namespace
}  // namespace ligament
