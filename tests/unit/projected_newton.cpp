// SPDX-License-Identifier: Apache-2.0
// Projected Newton on problems that pivoting does not end on: more rows than the bodies have
// freedoms, which contradict each other, barely compliant. Judged by dense algebra of its own.
#include "ligament/solvers/pivoting/projected_newton.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "ligament/solvers/pivoting/block_pivot.h"
#include "support/measured.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A box LCP written out: w = S λ − c.
struct DenseProblem {
  MatX G, W, S;
  VecX p, b, Sigma, c, lower, upper;

  explicit DenseProblem(const StepProblem& problem)
      : G(make_dense(problem.G)),
        W(make_dense(problem.M).inverse()),
        S(G * W * G.transpose() + MatX(problem.Sigma.asDiagonal())),
        p(problem.p),
        b(problem.b),
        Sigma(problem.Sigma),
        c(b - G * W * p),
        lower(VecX::Constant(problem.rows(), -infinity)),
        upper(VecX::Constant(problem.rows(), infinity)) {
    for (int i = 0; i < problem.rows(); ++i) {  // a row a law
      const Law& law = problem.laws[static_cast<std::size_t>(i)];
      if (std::holds_alternative<Unilateral>(law)) lower(i) = 0.0;
      if (const Box* box = std::get_if<Box>(&law)) lower(i) = box->lower, upper(i) = box->upper;
    }
  }

  double objective(const VecX& y) const { return 0.5 * y.dot(S * y) - c.dot(y); }

  // The largest w of a row that is between its bounds, or that has the wrong sign at one.
  double largest_error(const VecX& y) const {
    const VecX w = S * y - c;
    double worst = 0.0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      EXPECT_GE(y(i), lower(i));
      EXPECT_LE(y(i), upper(i));
      if (y(i) <= lower(i))
        worst = std::max(worst, -w(i));
      else if (y(i) >= upper(i))
        worst = std::max(worst, w(i));
      else
        worst = std::max(worst, std::abs(w(i)));
    }
    return worst;
  }

  // Rounding of w = S λ − c, and 1e-10 of the speeds that a law may be off by to count as kept.
  // |G| |W| |Gᵀ| |λ| is a sum over the columns, in S, times a sum over the rows, so it loses
  // (rows + columns) roundings; they do not cancel as the terms do. (A free row less than 1e-10 of
  // the impulses outside its bounds would be put on them, at the cost of more: these problems have
  // none.)
  double tolerance(const VecX& y) const {
    const MatX terms = G.cwiseAbs() * W.cwiseAbs() * G.cwiseAbs().transpose();
    const VecX sizes = terms * y.cwiseAbs() + Sigma.cwiseProduct(y.cwiseAbs()) + c.cwiseAbs();
    const double roundings =
        std::numeric_limits<double>::epsilon() * static_cast<double>(G.rows() + G.cols());
    const VecX u = W * (p + G.transpose() * y);
    const double fastest = std::max({u.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>(),
                                     Sigma.cwiseProduct(y).lpNorm<Eigen::Infinity>()});
    return roundings * sizes.maxCoeff() + 1e-10 * fastest;
  }
};

enum class Bounds { one_sided, mixed };

// Of rank about half the number of rows: three to six freedoms a body, a body for ten rows.
StepProblem make_hard_problem(int rows, double Sigma, Bounds bounds, Random& random) {
  StepProblem problem = make_random_problem({.bodies = rows / 10,
                                             .row_blocks = rows,
                                             .most_rows = 1,
                                             .most_bodies_a_block = rows / 10,
                                             .least_sigma = Sigma,
                                             .largest_sigma = Sigma},
                                            random);
  give_laws_at_random(RandomLaws::bounds, random, problem);
  if (bounds == Bounds::one_sided)
    for (Law& law : problem.laws) law = Unilateral{};
  return problem;
}

struct Descent {
  SolveReport report;
  StepSolution solution;
  pivoting::Sides sides;
};

// From no impulses at all.
Descent descend(const StepProblem& problem, int factorizations) {
  Descent run;
  read_bounds(problem, run.sides);
  run.solution.lambda.setZero(problem.rows());
  put_within_bounds(problem, run.sides, run.solution);
  pivoting::ProjectedNewtonWorkspace work;
  run.report = solve_projected_newton({.max_factorizations = factorizations}, problem, run.sides,
                                      work, run.solution);
  return run;
}

TEST(ProjectedNewton, keeps_the_laws_of_hard_problems) {
  Random random(1);
  int problems = 0, solved = 0;
  double worst = 0.0;
  for (const int rows : {50, 60, 80, 100})
    for (const double Sigma : {1e-3, 1e-6})
      for (const Bounds bounds : {Bounds::one_sided, Bounds::mixed}) {
        const StepProblem problem = make_hard_problem(rows, Sigma, bounds, random);
        const DenseProblem dense(problem);
        EXPECT_LT((dense.S - MatX(problem.Sigma.asDiagonal())).fullPivLu().rank(), 3 * rows / 4);
        const Descent run = descend(problem, 200);
        ++problems;
        EXPECT_LE(run.report.factorizations, 200);
        if (run.report.status != SolveStatus::solved) continue;
        ++solved;
        const VecX& y = run.solution.lambda;
        worst = std::max(worst, dense.largest_error(y) / dense.tolerance(y));
      }
  EXPECT_LE(measured("largest error over its tolerance", worst), 1.0);
  measured("problems", problems);
  // Of the prototype's 80, to n = 400, 63 were solved.
  EXPECT_GE(measured("solved", solved), 0.75 * problems);
}

// Runs that differ only in where they are cut off have the same iterates.
TEST(ProjectedNewton, descends_with_every_factorization) {
  Random random(2);
  for (const double Sigma : {1e-3, 1e-6}) {
    const StepProblem problem = make_hard_problem(80, Sigma, Bounds::mixed, random);
    const DenseProblem dense(problem);
    double before = dense.objective(descend(problem, 0).solution.lambda);
    int count = 1;
    for (; count <= 60; ++count) {
      const Descent run = descend(problem, count);
      const double now = dense.objective(run.solution.lambda);
      // At first by far more than rounding, which is 1e-13 of it.
      const double rounding = count < 8 ? 0.0 : 1e-13 * std::abs(before);
      EXPECT_LT(now, before + rounding) << "factorization " << count;
      before = now;
      if (run.report.status != SolveStatus::not_converged) break;
    }
    EXPECT_GT(measured("factorizations", count), 8);
  }
}

// What was found when it was cut off: within its bounds, with the momentum that goes with it, and
// the bound on its error holds.
TEST(ProjectedNewton, says_how_far_it_may_be_off) {
  Random random(3);
  const StepProblem problem = make_hard_problem(60, 1e-3, Bounds::one_sided, random);
  const Descent exact = descend(problem, 1000);
  ASSERT_EQ(exact.report.status, SolveStatus::solved);
  EXPECT_TRUE(std::isnan(exact.report.velocity_error));
  const MatX M = make_dense(problem.M), G = make_dense(problem.G);
  for (const int factorizations : {0, 1, 4}) {
    const Descent run = descend(problem, factorizations);
    ASSERT_EQ(run.report.status, SolveStatus::not_converged);
    EXPECT_EQ(run.report.factorizations, factorizations);
    EXPECT_GE(run.solution.lambda.minCoeff(), 0.0);
    const VecX& u = run.solution.u;
    const VecX missing = M * u - G.transpose() * run.solution.lambda - problem.p;
    EXPECT_LT(missing.lpNorm<Eigen::Infinity>(),
              1e-13 * (1.0 + 60 * run.solution.lambda.maxCoeff()));
    const VecX off = u - exact.solution.u, moved = u - VecX(M.inverse() * problem.p);
    const double error = std::sqrt(off.dot(M * off)), scale = std::sqrt(moved.dot(M * moved));
    EXPECT_LE(error, run.report.velocity_error * scale * (1.0 + 1e-9) + 1e-12);
  }
}

// BlockPivot goes on with it where its pivots do not suffice, and starts the next time from the
// answer.
TEST(BlockPivot, falls_back_on_projected_newton) {
  Random random(8);
  int fallen_back = 0, solved = 0;
  double worst = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem problem = make_hard_problem(100, 1e-3, Bounds::one_sided, random);
    SolverWorkspace workspace;
    StepSolution solution, again;
    const SolveReport report = solve(BlockPivot{.pivots_per_row = 1}, problem, workspace, solution);
    ASSERT_TRUE(report.ok());
    if (report.iterations == 0) continue;
    ++fallen_back;
    EXPECT_LE(report.factorizations, 20 + 100 + 200);
    if (report.status != SolveStatus::solved) continue;
    ++solved;
    const DenseProblem dense(problem);
    worst =
        std::max(worst, dense.largest_error(solution.lambda) / dense.tolerance(solution.lambda));
    const SolveReport warm = solve(BlockPivot{.pivots_per_row = 1}, problem, workspace, again);
    EXPECT_EQ(warm.factorizations, 1);
    EXPECT_EQ(again.lambda, solution.lambda);
  }
  EXPECT_LE(measured("largest error over its tolerance", worst), 1.0);
  EXPECT_GT(measured("problems of 20 that pivoting did not end on", fallen_back), 4);
  EXPECT_GE(measured("of these solved", solved), 0.75 * fallen_back);
}

// Without symmetry there is nothing to descend: the best guess is the result, as it was.
TEST(BlockPivot, does_not_descend_where_blocks_are_not_symmetric) {
  Random random(9);
  int gave_up = 0;
  for (int trial = 0; trial < 10; ++trial) {
    ProblemShape shape{.bodies = 10, .row_blocks = 100, .most_rows = 1, .blocks = Blocks::general};
    shape.least_sigma = shape.largest_sigma = 1e-6;
    StepProblem problem = make_random_problem(shape, random);
    for (Law& law : problem.laws) law = Unilateral{};
    SolverWorkspace workspace;
    StepSolution solution;
    const SolveReport report = solve(BlockPivot{.pivots_per_row = 1}, problem, workspace, solution);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_LE(report.factorizations, 20 + 100);
    if (report.status == SolveStatus::not_converged) ++gave_up;
  }
  EXPECT_GT(measured("problems of 10 that were given up", gave_up), 0);
}

}  // namespace
}  // namespace ligament
