// SPDX-License-Identifier: Apache-2.0
#include "analytic/free_flight.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

const Vec3 x0{1, -2, 3}, v0{4, 5, -6}, a0{0.5, 0, -9.81};

TEST(DiscreteParabola, is_the_recursion) {
  const double h = 0.01;
  Vec3 x = x0, v = v0;
  for (int n = 1; n <= 100; ++n) {
    v += h * a0;
    x += h * v;
    // 2 n roundings of numbers below 10.
    EXPECT_LT((x - discrete_parabola(x0, v0, a0, h, n)).norm(), n * 1e-14);
  }
}

TEST(DiscreteParabola, is_ahead_of_the_parabola_by_half_a_step_of_velocity) {
  const double h = 0.02, t = 3.0;
  const Vec3 ahead = discrete_parabola(x0, v0, a0, h, t / h) - parabola(x0, v0, a0, t);
  EXPECT_LT((ahead - 0.5 * h * t * a0).norm(), 1e-13);
}

}  // namespace
}  // namespace ligament::analytic
