// SPDX-License-Identifier: Apache-2.0
#include "analytic/swing.h"

#include <gtest/gtest.h>

#include "analytic/pendulum.h"

namespace ligament::analytic {
namespace {

// DLMF 22.5: k = 0 is the circle; 22.4.3: sn(K) = 1, cn(K) = 0, dn(K) = k'.
TEST(JacobiFunctions, have_their_special_values) {
  const JacobiFunctions circle = jacobi_functions(0.7, 0.0);
  EXPECT_NEAR(circle.sn, std::sin(0.7), 1e-15);
  EXPECT_NEAR(circle.cn, std::cos(0.7), 1e-15);
  for (const double k : {0.1, 0.7, 0.99}) {
    const JacobiFunctions quarter = jacobi_functions(complete_elliptic_integral(k), k);
    EXPECT_NEAR(quarter.sn, 1.0, 1e-14) << k;
    EXPECT_NEAR(quarter.cn, 0.0, 1e-13) << k;
    EXPECT_NEAR(quarter.dn, std::sqrt(1 - k * k), 1e-13) << k;
  }
}

// Central differences with a step of 1e-4: error 1e-8/6 times the third derivative, plus rounding
// over the step, 1e-12.
TEST(Swing, obeys_its_equation_of_motion) {
  const Swing swing{.omega = 2.2, .amplitude = 2.0};
  const double d = 1e-4;
  for (double t = 0.05; t < 6.0; t += 0.31) {
    const double speed = (swing.angle(t + d) - swing.angle(t - d)) / (2 * d);
    const double acceleration = (swing.speed(t + d) - swing.speed(t - d)) / (2 * d);
    EXPECT_NEAR(swing.speed(t), speed, 1e-6) << t;
    EXPECT_NEAR(swing.acceleration(t), acceleration, 1e-6) << t;
  }
}

TEST(Swing, starts_at_rest_and_returns_after_a_period) {
  const Swing swing{.omega = std::sqrt(9.81 / 0.7), .amplitude = 1.5};
  const double T = pendulum_period(0.7, 9.81, 1.5);
  EXPECT_DOUBLE_EQ(swing.angle(0.0), 1.5);
  EXPECT_DOUBLE_EQ(swing.speed(0.0), 0.0);
  EXPECT_NEAR(swing.angle(0.25 * T), 0.0, 1e-13);
  EXPECT_NEAR(swing.angle(0.5 * T), -1.5, 1e-13);
  EXPECT_NEAR(swing.angle(3.0 * T), 1.5, 1e-12);
}

}  // namespace
}  // namespace ligament::analytic
