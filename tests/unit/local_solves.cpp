// SPDX-License-Identifier: Apache-2.0
// The exact solves of one block inside a sweep, against their laws: 20000 random blocks of 3 × 3 of
// any conditioning, friction from ice to glue, every case of contact.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "ligament/math/cones.h"
#include "ligament/solvers/gauss_seidel/local_solve.h"
#include "support/measured.h"
#include "support/random.h"

namespace ligament::gauss_seidel {
namespace {

struct Block {
  Mat3 A;
  Vec3 q;
  double mu;
};

Block make_block(Random& random) {
  const Mat3 R = random.rotation().toRotationMatrix();
  const Vec3 values(random.scale(1e-3, 1e3), random.scale(1e-3, 1e3), random.scale(1e-3, 1e3));
  Mat3 A = R * values.asDiagonal() * R.transpose();
  A = 0.5 * (A + A.transpose().eval());
  return {.A = A, .q = random.scale(1e-3, 1e3) * random.vector(), .mu = random.scale(0.01, 10.0)};
}

enum class Case { apart, sticking, sliding };

Case case_of(const Vec3& lambda, double mu) {
  if (lambda(0) == 0.0) return Case::apart;
  return lambda.tail<2>().norm() < mu * lambda(0) * (1.0 - 1e-12) ? Case::sticking : Case::sliding;
}

// How far λ and w = A λ + q are from the law of the cone, each part relative to its own size: λ in
// the cone, w in the dual cone, and λ ⟂ w. (A projection with one step for both would hide errors
// of badly conditioned blocks.) w is a difference of |A||λ| and |q|, which is what it rounds
// against.
double cone_error(const Block& block, const Vec3& lambda, Vec3 w) {
  const double size_w =
      block.A.cwiseAbs().rowwise().sum().maxCoeff() * lambda.norm() + block.q.norm();
  const double size = std::max(lambda.norm(), 1e-300);
  const double in_cone = (lambda.tail<2>().norm() - block.mu * lambda(0)) / size;
  const double in_dual = (block.mu * w.tail<2>().norm() - w(0)) / ((1.0 + block.mu) * size_w);
  const double apart = std::abs(lambda.dot(w)) / (size * size_w);
  return std::max({in_cone, in_dual, apart, 0.0});
}

// The multiplier is found to a rounding of itself, and a condition number of 1e6 turns that into
// 1e-10 of λ at worst; A λ cancels against q by as much.
constexpr double tolerance = 1e-10;

struct Counts {
  int apart = 0, sticking = 0, sliding = 0;

  void add(Case found) {
    ++(found == Case::apart ? apart : found == Case::sticking ? sticking : sliding);
  }
  void expect_all() const {
    EXPECT_GT(apart, 500);
    EXPECT_GT(sticking, 500);
    EXPECT_GT(sliding, 500);
  }
};

TEST(SolveCone, keeps_the_associated_law) {
  Random random(1);
  double worst = 0.0;
  Counts counts;
  for (int trial = 0; trial < 20000; ++trial) {
    const Block block = make_block(random);
    const Vec3 lambda = solve_cone(block.A, block.q, block.mu);
    worst = std::max(worst, cone_error(block, lambda, block.A * lambda + block.q));
    counts.add(case_of(lambda, block.mu));
  }
  counts.expect_all();
  EXPECT_LT(measured("worst error of a law", worst), tolerance);
}

// Coulomb's law is the cone's with the normal velocity raised by μ times the slip [WA.5].
TEST(SolveCoulomb, keeps_the_law_of_coulomb) {
  Random random(2);
  double worst = 0.0;
  Counts counts;
  for (int trial = 0; trial < 20000; ++trial) {
    const Block block = make_block(random);
    const Vec3 lambda = solve_coulomb(block.A, block.q, block.mu);
    Vec3 w = block.A * lambda + block.q;
    w(0) += block.mu * w.tail<2>().norm();
    worst = std::max(worst, cone_error(block, lambda, w));
    counts.add(case_of(lambda, block.mu));
  }
  counts.expect_all();
  EXPECT_LT(measured("worst error of a law", worst), tolerance);
}

// Coulomb's law in components: no normal velocity where it presses, slip against friction.
TEST(SolveCoulomb, slides_without_a_lift) {
  Random random(3);
  for (int trial = 0; trial < 5000; ++trial) {
    const Block block = make_block(random);
    const Vec3 lambda = solve_coulomb(block.A, block.q, block.mu), w = block.A * lambda + block.q;
    if (case_of(lambda, block.mu) != Case::sliding) continue;
    const double size = block.A.norm() * lambda.norm() + block.q.norm();
    EXPECT_LT(std::abs(w(0)) / size, tolerance);
    EXPECT_NEAR(w.tail<2>().dot(lambda.tail<2>()), -w.tail<2>().norm() * lambda.tail<2>().norm(),
                tolerance * size * lambda.norm());
  }
}

// Between spheres A is diagonal with equal tangential entries, and both solves have closed forms.
TEST(SolveCoulomb, is_the_sequential_solve_between_spheres) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a_n = random.scale(0.1, 10.0), a_t = random.scale(0.1, 10.0);
    const double mu = random.scale(0.01, 10.0);
    const Vec3 q = random.vector();
    Vec3 expected = Vec3(-q(0) / a_n, -q(1) / a_t, -q(2) / a_t);
    expected(0) = std::max(0.0, expected(0));
    project_onto_disc(mu * expected(0), expected.tail<2>());
    const Vec3 found = solve_coulomb(Vec3(a_n, a_t, a_t).asDiagonal(), q, mu);
    EXPECT_LT((found - expected).norm(), 1e-13 * (1.0 + expected.norm()));
  }
}

// The corner of the search for the cone's multiplier: q without a normal part, on a block without
// coupling, where the multiplier is the pole itself.
TEST(SolveCone, has_a_solution_at_the_pole) {
  const double mu = 0.5, a_n = 2.0, a_t = 3.0;
  const Vec3 lambda = solve_cone(Vec3(a_n, a_t, a_t).asDiagonal(), Vec3(0.0, 1.0, 0.0), mu);
  // On the border, λ = x (1, −μ, 0); energy ½ x² (a_n + μ² a_t) − x μ is least at
  const double x = mu / (a_n + mu * mu * a_t);
  EXPECT_LT((lambda - x * Vec3(1.0, -mu, 0.0)).norm(), 1e-14);
}

TEST(LocalSolves, do_without_friction_and_with_a_lot) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    Block block = make_block(random);
    for (const double mu : {0.0, 1e-9, 1e6}) {
      block.mu = mu;
      const Vec3 cone = solve_cone(block.A, block.q, mu);
      const Vec3 coulomb = solve_coulomb(block.A, block.q, mu);
      EXPECT_TRUE(cone.allFinite() && coulomb.allFinite());
      EXPECT_LT(cone_error(block, cone, block.A * cone + block.q), 1e-6) << mu;
      if (mu == 0.0) {
        EXPECT_EQ(cone, coulomb);
      }
    }
  }
}

template <int rows>
double worst_disc_error(Random& random) {
  using Vector = Eigen::Matrix<double, rows, 1>;
  using Matrix = Eigen::Matrix<double, rows, rows>;
  double worst = 0.0;
  for (int trial = 0; trial < 3000; ++trial) {
    Matrix B;
    for (int i = 0; i < rows * rows; ++i) B(i) = random.uniform();
    const Matrix A = B * B.transpose() + random.scale(1e-3, 1.0) * Matrix::Identity();
    Vector q;
    for (int i = 0; i < rows; ++i) q(i) = random.uniform();
    const double radius = random.scale(1e-3, 10.0);
    const Vector lambda = solve_disc<rows>(A, q, radius), w = A * lambda + q;
    EXPECT_LE(lambda.norm(), radius * (1.0 + 1e-15));
    // Inside w = 0; at the border w points against λ.
    const bool inside = lambda.norm() < radius * (1.0 - 1e-12);
    const Vector error = inside ? w : Vector(w + lambda * (w.norm() / radius));
    worst = std::max(worst, error.norm() / (A.norm() * lambda.norm() + q.norm()));
  }
  return worst;
}

TEST(SolveDisc, keeps_its_law) {
  Random random(6);
  EXPECT_LT(measured("worst error, 1 row", worst_disc_error<1>(random)), 1e-12);
  EXPECT_LT(measured("worst error, 2 rows", worst_disc_error<2>(random)), 1e-12);
  EXPECT_LT(measured("worst error, 6 rows", worst_disc_error<6>(random)), 1e-12);
}

}  // namespace
}  // namespace ligament::gauss_seidel
