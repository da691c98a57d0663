// SPDX-License-Identifier: Apache-2.0
// Residuals of all five laws: zero for solutions made by hand, not zero when they are disturbed.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ligament/problem/residual.h"
#include "ligament/solvers/solver.h"
#include "support/random.h"

namespace ligament {
namespace {

// Impulses λ and a slack w that satisfy one law: w = 0 where λ is inside, and in the normal cone
// (pointing so that ⟨w, y − λ⟩ ≥ 0) where λ is at the border.
struct Pair {
  Law law;
  VecX lambda, w;
};

VecX vec(std::initializer_list<double> values) {
  VecX x(static_cast<Eigen::Index>(values.size()));
  std::ranges::copy(values, x.begin());
  return x;
}

const std::vector<Pair> pairs{
    {Equality{}, vec({1, -2, 3}), vec({0, 0, 0})},
    {Unilateral{}, vec({2}), vec({0})},  // pressing
    {Unilateral{}, vec({0}), vec({3})},  // leaving
    {Unilateral{}, vec({0, 4}), vec({0.5, 0})},
    {Box{-1, 2}, vec({0.5}), vec({0})},               // inside
    {Box{-1, 2}, vec({-1, 2}), vec({0.7, -0.4})},     // at its two limits
    {Disc{2}, vec({1, 1}), vec({0, 0})},              // sticking
    {Disc{2}, vec({1.2, 1.6}), vec({-0.3, -0.4})},    // sliding against λ
    {Cone{0.5}, vec({4, 1, 1}), vec({0, 0, 0})},      // sticking
    {Cone{0.5}, vec({0, 0, 0}), vec({2, 0.6, 0.8})},  // apart: w in the dual cone
    // Sliding: λ on the cone, w ⟂ λ in the dual cone, i.e. w_n = μ‖w_t‖ and w_t against λ_t.
    {Cone{0.5}, vec({2, 0.6, 0.8}), vec({0.5, -0.6, -0.8})},
};

// A problem with one block a pair, each on a body of its own, for which the pairs are the solution.
struct HandMade {
  StepProblem problem;
  StepSolution solution;
};

HandMade make_problem(Random& random) {
  HandMade made;
  StepProblem& problem = made.problem;
  for (const Pair& pair : pairs) {
    const int body = problem.M.add_block(6);
    BodyBlock& block = problem.M.blocks[static_cast<std::size_t>(body)];
    block.mass = random.uniform(1, 3);
    block.rotation = Vec3(random.uniform(1, 2), random.uniform(1, 2), 1.5).asDiagonal();
    const int bodies[] = {body};
    problem.G.add_block(static_cast<int>(pair.lambda.size()), bodies, problem.M);
  }
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  for (double& value : problem.G.values) value = random.uniform();
  for (double& value : problem.Sigma) value = random.uniform(0.1, 1);
  made.solution.u.resize(problem.columns());
  for (double& value : made.solution.u) value = random.uniform();
  made.solution.lambda.resize(problem.rows());
  VecX w(problem.rows());
  int row = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    problem.laws[i] = pairs[i].law;
    const auto rows = pairs[i].lambda.size();
    made.solution.lambda.segment(row, rows) = pairs[i].lambda;
    w.segment(row, rows) = pairs[i].w;
    row += static_cast<int>(rows);
  }
  const MatX G = make_dense(problem.G);
  problem.b = G * made.solution.u + problem.Sigma.cwiseProduct(made.solution.lambda) - w;
  problem.p = make_dense(problem.M) * made.solution.u - G.transpose() * made.solution.lambda;
  return made;
}

constexpr double rounding = 1e-13;  // sums of ten products of numbers up to ten

TEST(Residual, of_a_solution_made_by_hand_is_zero_for_every_law) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const HandMade made = make_problem(random);
    Residual residual;
    compute_residual(made.problem, made.solution, residual);
    EXPECT_LT(residual.row_max, rounding);
    EXPECT_LT(residual.momentum_max, rounding);
    const VecX impulse = make_dense(made.problem.G).transpose() * made.solution.lambda;
    EXPECT_LT((residual.impulse - impulse).norm(), rounding);
  }
}

// Every disturbance of λ that breaks its law shows up in the rows of its block, and only there.
TEST(Residual, of_a_disturbed_impulse_shows_in_its_own_block) {
  Random random(2);
  const HandMade made = make_problem(random);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    StepSolution disturbed = made.solution;
    const RowBlock& block = made.problem.G.blocks[i];
    disturbed.lambda(block.first_row) -= 0.1;
    Residual residual;
    compute_residual(made.problem, disturbed, residual);
    EXPECT_GT(residual.rows.segment(block.first_row, block.rows).norm(), 1e-3) << i;
    EXPECT_GE(residual.worst_row, block.first_row) << i;
    EXPECT_LT(residual.worst_row, block.first_row + block.rows) << i;
    EXPECT_GT(residual.momentum_max, 1e-3) << i;
  }
}

TEST(Residual, of_a_disturbed_slack_shows_for_every_law) {
  Random random(3);
  HandMade made = make_problem(random);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const RowBlock& block = made.problem.G.blocks[i];
    StepProblem disturbed = made.problem;
    disturbed.b(block.first_row) += pairs[i].w(0) + 0.1;  // the row is pressed against its law
    Residual residual;
    compute_residual(disturbed, made.solution, residual);
    EXPECT_GT(residual.row_max, 1e-3) << i << ", " << name_of(pairs[i].law);
  }
}

// For equalities it is the plain one, b − G u − Σ λ, with its sign.
TEST(Residual, of_an_equality_is_the_velocity_by_which_the_row_misses) {
  Random random(4);
  HandMade made = make_problem(random);
  made.problem.b(0) += 0.25;
  Residual residual;
  compute_residual(made.problem, made.solution, residual);
  EXPECT_NEAR(residual.rows(0), 0.25, rounding);
  EXPECT_EQ(residual.worst_row, 0);
  EXPECT_NEAR(residual.injected_energy, -0.25 * made.solution.lambda(0), rounding);
}

TEST(Residual, of_a_problem_without_rows_is_that_of_the_momentum) {
  StepProblem problem;
  problem.M.add_block(3);
  problem.M.blocks[0].mass = 2.0;
  resize_to_structure(problem);
  problem.p << 2, 4, 6;
  Residual residual;
  compute_residual(problem, {.u = Vec3(1, 2, 3), .lambda = VecX()}, residual);
  EXPECT_EQ(residual.momentum_max, 0.0);
  EXPECT_EQ(residual.worst_row, -1);
  EXPECT_EQ(residual.row_max, 0.0);
}

// A number that is not one must not hide behind a later row.
TEST(Residual, of_an_impulse_that_is_not_a_number_is_not_a_number) {
  Random random(7);
  const HandMade made = make_problem(random);
  for (const int row : {0, 2, 1}) {  // rows of the equality
    HandMade broken = made;
    broken.solution.u(0) += 1.0;  // the other rows of the block miss too
    broken.solution.lambda(row) = std::nan("");
    Residual residual;
    compute_residual(broken.problem, broken.solution, residual);
    EXPECT_TRUE(std::isnan(residual.row_max)) << row;
    EXPECT_EQ(residual.worst_row, row);
    EXPECT_TRUE(std::isnan(residual.momentum_max)) << row;
  }
}

TEST(RowMobility, is_the_diagonal_of_the_schur_complement) {
  Random random(5);
  const StepProblem problem = make_problem(random).problem;
  const MatX G = make_dense(problem.G);
  const MatX S = G * make_dense(problem.M).inverse() * G.transpose();
  VecX mobility;
  compute_row_mobility(problem, mobility);
  EXPECT_LT((mobility - S.diagonal() - problem.Sigma).cwiseAbs().maxCoeff(), rounding);
}

// Solvers of equalities must refuse the other laws, and say so.
TEST(Solvers, refuse_laws_that_they_cannot_handle) {
  Random random(6);
  const StepProblem problem = make_problem(random).problem;
  for (const Solver& solver : {Solver(Direct{}), Solver(Umfpack{}), Solver(Cholmod{})}) {
    SolverWorkspace workspace;
    StepSolution solution;
    EXPECT_EQ(solve(solver, problem, workspace, solution).status, SolveStatus::unsupported);
    EXPECT_TRUE(solution.u.array().isNaN().all());
    EXPECT_TRUE(solution.lambda.array().isNaN().all());
  }
}

}  // namespace
}  // namespace ligament
