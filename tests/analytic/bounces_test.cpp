// SPDX-License-Identifier: Apache-2.0
#include "analytic/bounces.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

TEST(Bounces, follow_from_free_fall_between_them) {
  for (const double e : {0.3, 0.8, 1.0}) {
    const Bounces ball{.gravity = 9.81, .height = 1.7, .e = e};
    double t = std::sqrt(2 * 1.7 / 9.81), v = std::sqrt(2 * 1.7 * 9.81);
    for (int k = 1; k < 10; ++k) {
      EXPECT_NEAR(ball.time(k), t, 1e-13);
      v *= e;
      EXPECT_NEAR(ball.speed_after(k), v, 1e-13);
      EXPECT_NEAR(ball.height_after(k), v * v / (2 * 9.81), 1e-13);
      t += 2 * v / 9.81;
    }
  }
}

TEST(Bounces, end_after_a_finite_time) {
  const Bounces ball{.e = 0.5};
  EXPECT_NEAR(ball.time(200), ball.end(), 1e-14);
}

}  // namespace
}  // namespace ligament::analytic
