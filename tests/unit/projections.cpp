// SPDX-License-Identifier: Apache-2.0
// Projections onto the sets of the five laws: what makes them projections.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ligament/math/law.h"
#include "support/random.h"

namespace ligament {
namespace {

struct LawCase {
  Law law;
  int rows;
};

const std::vector<LawCase> cases{{Equality{}, 3},     {Unilateral{}, 1},  {Unilateral{}, 4},
                                 {Box{-1.0, 2.0}, 3}, {Box{0.5, 0.5}, 1}, {Disc{1.5}, 2},
                                 {Disc{0.0}, 3},      {Disc{0.7}, 1},     {Cone{0.5}, 3},
                                 {Cone{0.0}, 3},      {Cone{2.0}, 2},     {Cone{1.0}, 6}};

bool contains(const Law& law, const VecX& x, double slack) {
  struct Visitor {
    const VecX& x;
    double slack;
    bool operator()(const Equality&) const { return true; }
    bool operator()(const Unilateral&) const { return x.minCoeff() >= -slack; }
    bool operator()(const Box& b) const {
      return x.minCoeff() >= b.lower - slack && x.maxCoeff() <= b.upper + slack;
    }
    bool operator()(const Disc& d) const { return x.norm() <= d.radius + slack; }
    bool operator()(const Cone& c) const {
      return x.tail(x.size() - 1).norm() <= c.mu * x(0) + slack;
    }
    bool operator()(const Coulomb& c) const { return (*this)(Cone{c.mu}); }
  };
  return std::visit(Visitor{x, slack}, law);
}

VecX random_vector(int rows, Random& random, double size = 3.0) {
  VecX x(rows);
  for (double& value : x) value = size * random.uniform();
  return x;
}

VecX projected(const Law& law, VecX x) {
  project(law, x);
  return x;
}

constexpr double rounding = 1e-14;

TEST(Projection, lands_in_the_set_and_leaves_its_points_alone) {
  Random random(1);
  for (const auto& [law, rows] : cases)
    for (int i = 0; i < 200; ++i) {
      const VecX x = projected(law, random_vector(rows, random));
      EXPECT_TRUE(contains(law, x, rounding)) << name_of(law) << ": " << x.transpose();
      EXPECT_LT((projected(law, x) - x).norm(), rounding) << name_of(law);
    }
}

// The point of a convex set nearest to x is the only one with (x − p)·(y − p) ≤ 0 for all y in it.
TEST(Projection, is_the_nearest_point) {
  Random random(2);
  for (const auto& [law, rows] : cases)
    for (int i = 0; i < 200; ++i) {
      const VecX x = random_vector(rows, random), p = projected(law, x);
      for (int trial = 0; trial < 20; ++trial) {
        const VecX y = projected(law, random_vector(rows, random));
        EXPECT_LE((x - p).dot(y - p), 1e-13) << name_of(law) << " at " << x.transpose();
      }
    }
}

TEST(Projection, brings_no_two_points_apart) {
  Random random(3);
  for (const auto& [law, rows] : cases)
    for (int i = 0; i < 200; ++i) {
      const VecX x = random_vector(rows, random), y = random_vector(rows, random);
      EXPECT_LE((projected(law, x) - projected(law, y)).norm(), (x - y).norm() + rounding);
    }
}

// Scaling commutes with the projection onto a cone, and the two parts are orthogonal (Moreau).
TEST(Projection, onto_a_cone_splits_into_orthogonal_parts) {
  Random random(4);
  for (const Law& law : {Law(Unilateral{}), Law(Cone{0.3}), Law(Cone{1.7})})
    for (int i = 0; i < 200; ++i) {
      const VecX x = random_vector(3, random), p = projected(law, x);
      EXPECT_NEAR(p.dot(x - p), 0.0, 1e-13) << name_of(law);
      EXPECT_LT((projected(law, 7.0 * x) - 7.0 * p).norm(), 1e-13) << name_of(law);
    }
}

TEST(Projection, onto_the_coulomb_cone_by_hand) {
  const Cone cone{0.5};
  EXPECT_EQ(projected(cone, Vec3(1, 0.3, 0.4)), VecX(Vec3(1, 0.3, 0.4)));  // on the cone
  EXPECT_EQ(projected(cone, Vec3(-2, 0.6, 0.8)), VecX(Vec3::Zero()));      // in the polar cone
  // (0, 1, 0): nearest generator (1, 0.5, 0) s with s = 0.5/1.25.
  EXPECT_LT((projected(cone, Vec3(0, 1, 0)) - Vec3(0.4, 0.2, 0)).norm(), 1e-16);
  EXPECT_EQ(projected(cone, Vec3(0, 0, 0)), VecX(Vec3::Zero()));
}

}  // namespace
}  // namespace ligament
