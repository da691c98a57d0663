// SPDX-License-Identifier: Apache-2.0
#include "analytic/oscillator.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

// Central differences with a step of 1e-4: error 1e-8/6 times the third derivative, 3e-7 here.
TEST(Oscillator, obeys_its_equation_of_motion) {
  const Oscillator oscillator{.mass = 2.0, .stiffness = 50.0, .damping = 3.0, .start = 0.3};
  const double d = 1e-4;
  for (double t = 0.05; t < 3.0; t += 0.17) {
    const double speed = (oscillator.position(t + d) - oscillator.position(t - d)) / (2 * d);
    const double acceleration = (oscillator.speed(t + d) - oscillator.speed(t - d)) / (2 * d);
    EXPECT_NEAR(oscillator.speed(t), speed, 1e-6) << t;
    EXPECT_NEAR(oscillator.force(t), 2.0 * acceleration, 2e-6) << t;
  }
  EXPECT_DOUBLE_EQ(oscillator.position(0.0), 0.3);
  EXPECT_DOUBLE_EQ(oscillator.speed(0.0), 0.0);
}

}  // namespace
}  // namespace ligament::analytic
