// SPDX-License-Identifier: Apache-2.0
// Lemke's method against other algorithms, and against what a pyramid must do.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "ligament/problem/residual.h"
#include "ligament/solvers/lemke/complementarity.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

// Random positive definite problems have one solution; degenerate ones have ties in every pivot.
TEST(LemkeMethod, solves_complementarity_problems) {
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  lemke::Complementarity method;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 20;
    const MatX B = MatX::NullaryExpr(n, n, [&] { return normal(generator); });
    const MatX A = B * B.transpose() + 0.1 * MatX::Identity(n, n);
    VecX q = VecX::NullaryExpr(n, [&] { return normal(generator); });
    if (trial % 2) q.setConstant(-1.0);  // all rows tie in the first ratio test
    VecX z(q.size());
    ASSERT_EQ(method.solve(A, q, 1000, z), lemke::Pivoting::solved);
    const VecX w = A * z + q;
    EXPECT_GE(z.minCoeff(), 0.0);
    EXPECT_GE(w.minCoeff(), -1e-10);
    EXPECT_NEAR(z.dot(w), 0.0, 1e-9);
  }
}

// A body on one contact that is pushed sideways: M = 1, S = 1, p along an angle.
StepProblem make_pushed_particle(double angle, double push, const Law& law) {
  StepProblem problem;
  problem.M.add_block(3);
  problem.M.blocks[0].mass = 1.0;
  const int body[] = {0};
  problem.G.add_block(3, body, problem.M);
  problem.G.columns = 3;
  double* values = problem.G.entry_values(problem.G.entries[0]);
  for (int i = 0; i < 3; ++i) values[3 * i + i] = 1.0;
  resize_to_structure(problem);
  problem.laws[0] = law;
  problem.p << -1.0, push * std::cos(angle), push * std::sin(angle);
  return problem;
}

// Along a direction of the pyramid friction is exact; half way between two it is weaker by
// 1 − cos(π/2k), to the side of none; and the report shows it.
TEST(LemkeMethod, pyramid_is_exact_along_its_directions_and_weak_between) {
  const double mu = 0.5;
  for (const int k : {2, 4, 16}) {
    SolverWorkspace work;
    StepSolution solution;
    const StepProblem along = make_pushed_particle(std::numbers::pi / k, 3.0, Coulomb{mu});
    ASSERT_TRUE(solve(Lemke{.directions = k}, along, work, solution).ok());
    EXPECT_NEAR(solution.lambda(0), 1.0, 1e-12);
    EXPECT_NEAR(solution.lambda.tail<2>().norm(), mu, 1e-12);
    const StepProblem between = make_pushed_particle(0.5 * std::numbers::pi / k, 3.0, Coulomb{mu});
    const SolveReport report = solve(Lemke{.directions = k}, between, work, solution);
    ASSERT_TRUE(report.ok());
    const Eigen::Vector2d direction(std::cos(0.5 * std::numbers::pi / k),
                                    std::sin(0.5 * std::numbers::pi / k));
    const double hold = -direction.dot(solution.lambda.tail<2>());
    EXPECT_NEAR(hold, mu * std::cos(0.5 * std::numbers::pi / k), 1e-12);
    EXPECT_GT(report.velocity_error, 1e-4 / k);
    Residual residual;
    compute_residual(between, solution, residual);
    EXPECT_GT(measured("friction error", residual.friction_error), 1e-6);
  }
}

// What sticks, sticks exactly, with any number of directions; boxes and limits are exact too.
TEST(LemkeMethod, agrees_with_the_exact_cone_where_nothing_slides) {
  SolverWorkspace work;
  StepSolution pyramid, cone;
  const StepProblem problem = make_pushed_particle(0.3, 0.3, Coulomb{0.5});
  ASSERT_TRUE(solve(Lemke{}, problem, work, pyramid).ok());
  ASSERT_TRUE(solve(Newton{}, problem, work, cone).ok());
  EXPECT_LT((pyramid.u - cone.u).norm(), 1e-12);
  StepProblem box = make_pushed_particle(0.3, 3.0, Box{.lower = -0.2, .upper = 0.7});
  ASSERT_TRUE(solve(Lemke{}, box, work, pyramid).ok());
  ASSERT_TRUE(solve(BlockPivot{}, box, work, cone).ok());
  EXPECT_LT((pyramid.lambda - cone.lambda).norm(), 1e-12);
  StepProblem associated = make_pushed_particle(0.3, 3.0, Cone{0.5});
  EXPECT_EQ(solve(Lemke{}, associated, work, pyramid).status, SolveStatus::unsupported);
}

// The error of the pyramid falls with the number of directions.
TEST(LemkeMethod, more_directions_come_nearer_to_the_cone) {
  SolverWorkspace work;
  StepSolution pyramid, cone;
  double before = 0.0;
  for (const int k : {4, 8, 16}) {
    double worst = 0.0;
    for (int i = 0; i < 50; ++i) {
      const StepProblem problem = make_pushed_particle(0.1 * i, 3.0, Coulomb{0.5});
      ASSERT_TRUE(solve(Lemke{.directions = k}, problem, work, pyramid).ok());
      ASSERT_TRUE(solve(Newton{}, problem, work, cone).ok());
      worst = std::max(worst, (pyramid.u - cone.u).norm());
    }
    measured("off the cone by", worst);
    // A vertex of the polygon is at most half an angle π/k off: 2 μ sin(π/4k).
    EXPECT_LE(worst, 2.0 * 0.5 * std::sin(0.25 * std::numbers::pi / k) * 1.01);
    if (before > 0.0) {
      EXPECT_LT(worst, 0.6 * before);
    }
    before = worst;
  }
}

}  // namespace
}  // namespace ligament
