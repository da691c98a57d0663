// SPDX-License-Identifier: Apache-2.0
// Condensed row blocks [DI.4] against a dense LU with full pivoting of the whole system
//
//     M u − Gᵀ λ = p,    G u + Σ λ = b in joints,    A (G u + Σ λ − b) + C λ = c in condensed rows.
//
// Tolerance: as in direct_against_dense.cpp, the condition number times some 20 roundings. The
// condensed solve refines until corrections are rounding, so that its answers are as good as those
// of a backward stable solver.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <optional>

#include "ligament/solvers/direct/condensed.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

using direct::CondensedRows;
using direct::Factorization;

enum class LinearLaws { symmetric, general };

// Every second row block is condensed, or all of them.
void condense_some(const StepProblem& problem, int every, CondensedRows& rows) {
  rows.condensation.condensed.assign(problem.G.blocks.size(), 0);
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i)
    rows.condensation.condensed[i] = i % static_cast<std::size_t>(every) == 0;
}

// Symmetric: A = 1 and C ≥ 0 full, or open (A = 0, C = 1). General: a sliding contact, whose last
// row is a multiple of the first, or anything with a D that is positive definite but not symmetric.
void fill_laws(LinearLaws laws, Random& random, CondensedRows& rows) {
  for (const direct::CondensedBlock& block : rows.blocks) {
    const int n = block.rows;
    MatX A = MatX::Identity(n, n), C = MatX::Zero(n, n);
    const int kind = random.index(3);
    if (kind == 0) {
      A.setZero();
      C.setIdentity();
    } else if (kind == 1) {
      const MatX X = MatX::NullaryExpr(n, n, [&] { return random.uniform(); });
      C = X * X.transpose();
      if (laws == LinearLaws::general) C += X - X.transpose();
    } else if (laws == LinearLaws::general && n > 1) {
      A(n - 1, n - 1) = 0.0;
      C(n - 1, n - 1) = 1.0;
      C(n - 1, 0) = -0.3;
    }
    std::copy_n(A.data(), n * n, rows.A.data() + block.values);
    std::copy_n(C.data(), n * n, rows.C.data() + block.values);
    for (int i = 0; i < n; ++i) rows.c(block.first_row + i) = random.uniform();
  }
}

struct Dense {
  MatX K;
  VecX rhs;
};

Dense make_dense_system(const StepProblem& problem, const CondensedRows& rows) {
  Dense dense{make_dense_kkt(problem), VecX(problem.columns() + problem.rows())};
  dense.rhs << problem.p, problem.b;
  for (const direct::CondensedBlock& block : rows.blocks) {
    const int n = block.rows, at = problem.columns() + block.first_row;
    const Eigen::Map<const MatX> A(rows.A.data() + block.values, n, n);
    const Eigen::Map<const MatX> C(rows.C.data() + block.values, n, n);
    const MatX kkt = dense.K.middleRows(at, n);
    dense.K.middleRows(at, n) = A * kkt;
    dense.K.block(at, at, n, n) += C;
    dense.rhs.segment(at, n) =
        A * problem.b.segment(block.first_row, n) + rows.c.segment(block.first_row, n);
  }
  return dense;
}

// The largest difference from the dense answer in units of condition × rounding.
double compare_with_dense(const StepProblem& problem, CondensedRows& rows, Factorization& factor) {
  EXPECT_EQ(factorize_condensed(problem, rows, factor), -1);
  StepSolution solution;
  solve_condensed(problem, rows, factor, solution);
  const Dense dense = make_dense_system(problem, rows);
  const Eigen::FullPivLU<MatX> lu(dense.K);
  const VecX exact = lu.solve(dense.rhs);
  VecX x(exact.size());
  x << solution.u, solution.lambda;
  return (x - exact).norm() * lu.rcond() / (exact.norm() * 2.2e-16);
}

void expect_dense_answers(const ProblemShape& shape, int every, std::uint64_t seed) {
  Random random(seed);
  double worst = 0.0;
  for (const LinearLaws laws : {LinearLaws::symmetric, LinearLaws::general})
    for (int trial = 0; trial < 40; ++trial) {
      const StepProblem problem = make_random_problem(shape, random);
      CondensedRows rows;
      std::optional<Factorization> factor;
      condense_some(problem, every, rows);
      EXPECT_TRUE(update_plan(problem, rows, factor));
      fill_laws(laws, random, rows);
      const double error = compare_with_dense(problem, rows, *factor);
      EXPECT_LT(error, 20.0) << "problem " << trial;
      EXPECT_EQ(rows.symmetric || laws == LinearLaws::general, true);
      worst = std::max(worst, error);
    }
  measured("worst difference over condition times rounding", worst);
}

TEST(Condensed, rows_without_joints_give_dense_answers) {
  for (const int blocks : {1, 3, 8, 30})
    expect_dense_answers({.bodies = 6, .row_blocks = blocks}, 1, 1);
}

TEST(Condensed, rows_among_joints_give_dense_answers) {
  for (const int blocks : {2, 5, 12})
    expect_dense_answers({.bodies = 8, .row_blocks = blocks}, 2, 2);
  expect_dense_answers({.bodies = 20, .row_blocks = 30}, 10, 3);
}

TEST(Condensed, rows_with_non_symmetric_bodies_give_dense_answers) {
  expect_dense_answers({.bodies = 6, .row_blocks = 10, .blocks = Blocks::general}, 1, 4);
  expect_dense_answers({.bodies = 6, .row_blocks = 10, .blocks = Blocks::general}, 2, 5);
}

TEST(Condensed, rows_on_many_bodies_give_dense_answers) {
  expect_dense_answers({.bodies = 8, .row_blocks = 8, .most_bodies_a_block = 4}, 2, 6);
}

// A body with many joints is a hub without being tied.
TEST(Condensed, rows_beside_hubs_give_dense_answers) {
  expect_dense_answers({.bodies = 20, .row_blocks = 60, .hubs = 1}, 15, 7);
  expect_dense_answers({.bodies = 3, .row_blocks = 40, .hubs = 2}, 2, 8);
}

// Far below 1e-8 of the mobility Σ is replaced in the factor and taken back by refinement, which
// contracts by Σ'/(Σ' + S): the velocities are exact, while impulses in directions that S does not
// see (there are none here: rows are independent) would need 1/Σ solves.
TEST(Condensed, stiff_rows_are_solved_as_they_are) {
  Random random(9);
  for (const double Sigma : {1e-6, 1e-9, 1e-12, 0.0}) {
    double worst = 0.0;
    for (int trial = 0; trial < 40; ++trial) {
      StepProblem problem =
          make_random_problem({.bodies = 8, .row_blocks = 8, .most_rows = 3}, random);
      problem.Sigma.setConstant(Sigma);
      CondensedRows rows;
      std::optional<Factorization> factor;
      condense_some(problem, 1, rows);
      update_plan(problem, rows, factor);
      for (const direct::CondensedBlock& block : rows.blocks) {
        const int n = block.rows;
        const MatX A = MatX::Identity(n, n);
        std::copy_n(A.data(), n * n, rows.A.data() + block.values);
        std::fill_n(rows.C.data() + block.values, n * n, 0.0);
      }
      if (Eigen::FullPivLU<MatX>(make_dense(problem.G)).rank() < problem.rows()) continue;
      worst = std::max(worst, compare_with_dense(problem, rows, *factor));
    }
    measured("worst difference over condition times rounding", worst);
    EXPECT_LT(worst, 20.0) << Sigma;
  }
}

// A plan serves all contacts between its pairs of bodies, however many and in whatever order.
TEST(Condensed, the_plan_is_kept_while_its_pairs_are_those_at_hand) {
  Random random(10);
  CondensedRows rows;
  std::optional<Factorization> factor;
  const int pairs[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 1}};
  const auto solve_with = [&](std::initializer_list<int> contacts) {
    StepProblem problem = make_random_problem({.bodies = 6, .row_blocks = 0}, random);
    for (BodyBlock& body : problem.M.blocks) body.size = 6;
    BlockDiagonal M;
    for (const BodyBlock& body : problem.M.blocks) {
      M.add_block(6);
      M.blocks.back().mass = body.mass;
      M.blocks.back().rotation = make_random_inertia(Blocks::symmetric, random);
    }
    problem.M = M;
    problem.G = {};
    const int joint[] = {4, 5};
    problem.G.add_block(5, joint, problem.M);
    for (const int contact : contacts) problem.G.add_block(3, pairs[contact], problem.M);
    resize_to_structure(problem);
    fill_at_random({}, random, problem);
    rows.condensation.condensed.assign(problem.G.blocks.size(), 1);
    rows.condensation.condensed[0] = 0;
    const bool made = update_plan(problem, rows, factor);
    fill_laws(LinearLaws::general, random, rows);
    EXPECT_LT(compare_with_dense(problem, rows, *factor), 20.0);
    return made;
  };
  EXPECT_TRUE(solve_with({0, 1, 2, 3}));
  EXPECT_FALSE(solve_with({0, 1, 2, 3}));
  EXPECT_FALSE(solve_with({0, 0, 0, 3, 1, 1}));
  EXPECT_FALSE(solve_with({2}));
  EXPECT_TRUE(solve_with({2, 4}));
  EXPECT_FALSE(solve_with({4, 2, 2, 2, 4}));
  EXPECT_TRUE(solve_with({0, 1, 2, 3, 4}));
}

// Contacts that are gone for good leave the plan: 60 pairs shrink to 2.
TEST(Condensed, a_plan_that_has_become_much_too_large_is_made_anew) {
  Random random(11);
  CondensedRows rows;
  std::optional<Factorization> factor;
  const auto plan_for = [&](int count) {
    StepProblem problem = make_random_problem({.bodies = 0, .row_blocks = 0}, random);
    for (int i = 0; i < 61; ++i) problem.M.add_block(3);
    for (BodyBlock& body : problem.M.blocks) body.mass = 1.0;
    for (int i = 0; i < count; ++i) {
      const int pair[] = {i, i + 1};
      problem.G.add_block(3, pair, problem.M);
    }
    resize_to_structure(problem);
    fill_at_random({}, random, problem);
    rows.condensation.condensed.assign(problem.G.blocks.size(), 1);
    return update_plan(problem, rows, factor);
  };
  EXPECT_TRUE(plan_for(60));
  EXPECT_FALSE(plan_for(50));
  EXPECT_TRUE(plan_for(2));
  EXPECT_LT(factor->plan.nodes.size(), 4u);
}

// A chain of bodies that are tied as well as jointed (limits, motors) costs in proportion to its
// length: joints are ordered with their bodies and not after all of them.
TEST(Condensed, chains_of_joints_with_ties_stay_cheap) {
  const auto work_of = [](int links) {
    StepProblem problem;
    for (int i = 0; i < links; ++i) problem.M.add_block(6);
    for (int i = 0; i + 1 < links; ++i) {
      const int pair[] = {i, i + 1};
      problem.G.add_block(5, pair, problem.M);
    }
    for (int i = 0; i + 1 < links; ++i) {
      const int pair[] = {i, i + 1};
      problem.G.add_block(1, pair, problem.M);
    }
    resize_to_structure(problem);
    CondensedRows rows;
    rows.condensation.condensed.assign(problem.G.blocks.size(), 0);
    for (std::size_t i = problem.G.blocks.size() / 2; i < problem.G.blocks.size(); ++i)
      rows.condensation.condensed[i] = 1;
    for (BodyBlock& body : problem.M.blocks) {
      body.mass = 1.0;
      body.rotation.setIdentity();
    }
    std::optional<Factorization> factor;
    update_plan(problem, rows, factor);
    return factor->plan.work;
  };
  EXPECT_LT(measured("work of 400 links over that of 100", work_of(400) / work_of(100)), 4.1);
}

}  // namespace
}  // namespace ligament
