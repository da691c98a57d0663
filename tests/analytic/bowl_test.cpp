// SPDX-License-Identifier: Apache-2.0
#include "analytic/bowl.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analytic/pendulum.h"

namespace ligament::analytic {
namespace {

// Order four with 20000 steps a period: rounding is left, 1e-16 √20000 a metre.
TEST(Bowl, ball_in_a_plane_is_a_pendulum) {
  for (const bool rolls : {true, false}) {
    const Bowl bowl{.radius = 1.2, .ball = 0.2, .rolls = rolls};
    const double angle = 0.9, length = (rolls ? 1.4 : 1.0) * bowl.arm();
    const Vec3 start = bowl.arm() * Vec3(std::sin(angle), 0, -std::cos(angle));
    const double period = pendulum_period(length, bowl.gravity, angle);
    const Bowl::Motion end = bowl.move({start, Vec3::Zero()}, period, 20000);
    EXPECT_LT((end.x - start).norm(), 1e-12);
    EXPECT_LT(end.v.norm(), 1e-11);
  }
}

// ½ m v² + ½ I ω² = ½ m v² (1 + 1/k) + const: the spin does no work, it only turns the path.
TEST(Bowl, spin_turns_the_path_and_keeps_the_energy) {
  const Bowl bowl{.spin = 30.0};
  const Bowl::Motion start{bowl.arm() * Vec3(std::sin(0.8), 0, -std::cos(0.8)), Vec3(0, 0.5, 0)};
  const Bowl::Motion end = bowl.move(start, 2.0, 20000);
  const auto energy = [&](const Bowl::Motion& at) {
    return 0.7 * at.v.squaredNorm() + bowl.gravity * at.x.z();
  };
  EXPECT_NEAR(energy(end), energy(start), 1e-11);
  EXPECT_NEAR(end.x.norm(), bowl.arm(), 1e-11);
  Bowl still = bowl;
  still.spin = 0.0;
  EXPECT_GT((still.move(start, 2.0, 20000).x - end.x).norm(), 0.1);
}

}  // namespace
}  // namespace ligament::analytic
