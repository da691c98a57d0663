// SPDX-License-Identifier: Apache-2.0
#include "analytic/legs.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

void expect_balance(const std::vector<Leg>& legs, const Eigen::VectorXd& f, double weight) {
  double sum = 0.0, x = 0.0, y = 0.0;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const double force = f(static_cast<Eigen::Index>(i));
    EXPECT_GE(force, 0.0);
    sum += force, x += force * legs[i].x, y += force * legs[i].y;
  }
  EXPECT_NEAR(sum, weight, 1e-12 * weight);
  EXPECT_NEAR(x, 0.0, 1e-12 * weight);
  EXPECT_NEAR(y, 0.0, 1e-12 * weight);
}

// A1 of the acceptance table: centre at (0.1, 0.05), legs at (±0.5, ±0.3), alike and with
// stiffness 1 : 2 : 5 : 10. Forces over the weight, to the six digits given there.
TEST(Legs, give_the_forces_of_the_table) {
  std::vector<Leg> legs{{-0.6, -0.35}, {0.4, -0.35}, {0.4, 0.25}, {-0.6, 0.25}};
  const double alike[] = {0.158333, 0.258333, 0.341667, 0.241667};
  Eigen::VectorXd f = find_leg_forces(legs, 1.0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(f(i), alike[i], 5e-7);
  expect_balance(legs, f, 1.0);
  const double stiffness[] = {1, 2, 5, 10}, unlike[] = {0.117593, 0.299074, 0.300926, 0.282407};
  for (std::size_t i = 0; i < 4; ++i) legs[i].compliance = 1e-8 / stiffness[i];
  f = find_leg_forces(legs, 1.0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(f(i), unlike[i], 5e-7);
  expect_balance(legs, f, 1.0);
}

// Three legs: statics alone says all, whatever their compliance.
TEST(Legs, three_are_determined_by_statics) {
  std::vector<Leg> legs{{-0.5, -0.3, 1e-8}, {0.6, -0.2, 3e-8}, {0.1, 0.5, 7e-9}};
  const Eigen::VectorXd f = find_leg_forces(legs, 5.0);
  Eigen::Matrix3d A;
  A << 1, 1, 1, -0.5, 0.6, 0.1, -0.3, -0.2, 0.5;
  EXPECT_LT((f - A.inverse() * Eigen::Vector3d(5, 0, 0)).norm(), 1e-12);
}

TEST(Legs, two_share_like_a_lever) {
  const Eigen::VectorXd f = find_leg_forces({{-0.3, 0.0, 1e-8}, {0.6, 0.0, 5e-8}}, 3.0);
  EXPECT_NEAR(f(0), 2.0, 1e-12);
  EXPECT_NEAR(f(1), 1.0, 1e-12);
}

// A2 of it: eight legs around a centre that is off, the far ones are lifted.
TEST(Legs, that_would_pull_do_not_carry) {
  std::vector<Leg> legs;
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.2 + k * std::acos(-1.0) / 4;
    legs.push_back({0.6 * std::cos(angle) - 0.45, 0.4 * std::sin(angle) - 0.1});
  }
  const double expected[] = {0.390677, 0.309705, 0.052066, 0, 0, 0, 0, 0.247552};
  const Eigen::VectorXd f = find_leg_forces(legs, 1.0);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(f(i), expected[i], 5e-7);
  expect_balance(legs, f, 1.0);
}

}  // namespace
}  // namespace ligament::analytic
