// SPDX-License-Identifier: Apache-2.0
#include "analytic/tops.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

// ω from the attitude by a central difference must be R I⁻¹ Rᵀ l: h = 1e-5 leaves h²/6 |ω|³ = 1e-8
// and rounding 2e-16/h = 2e-11.
TEST(FreeSymmetricTop, turns_with_the_velocity_of_its_momentum) {
  const Vec3 moments{2.0, 2.0, 3.0}, l{3.0, -1.0, 8.0};
  const Quat start = Quat(0.5, 0.1, -0.7, 0.2).normalized();
  const double h = 1e-5;
  for (const double t : {0.0, 0.3, 5.0}) {
    const Quat before = free_symmetric_top(moments, start, l, t - h);
    const Quat after = free_symmetric_top(moments, start, l, t + h);
    const Eigen::AngleAxisd turn(after * before.conjugate());
    const Vec3 w = turn.angle() / (2.0 * h) * turn.axis();
    const Mat3 R = free_symmetric_top(moments, start, l, t).toRotationMatrix();
    const Vec3 expected = R * (R.transpose() * l).cwiseQuotient(moments);
    EXPECT_LT((w - expected).norm(), 1e-7) << t;
  }
}

// With L_z chosen so that the tilt is in balance, the top precesses steadily: the root of
// I cos ϑ Ω² − L₃ Ω + m g s = 0.
TEST(LagrangeTop, precesses_steadily_at_the_balanced_rate) {
  const double tilt = 0.6, I = 0.29, torque = 5.0, L3 = 6.0, c = std::cos(tilt);
  const double rate = (L3 - std::sqrt(L3 * L3 - 4.0 * I * c * torque)) / (2.0 * I * c);
  const LagrangeTop top{I, torque, L3, L3 * c + I * rate * std::pow(std::sin(tilt), 2)};
  const TopMotion end = compute_top_motion(top, {.tilt = tilt}, 3.0, 3000);
  EXPECT_NEAR(end.tilt, tilt, 1e-12);
  EXPECT_NEAR(end.precession, 3.0 * rate, 1e-10);
}

TEST(LagrangeTop, keeps_its_energy) {
  const LagrangeTop top{0.29, 5.0, 6.0, 6.0 * std::cos(0.6)};
  const auto energy = [&](const TopMotion& x) {
    const double across = top.precession_rate(x.tilt) * std::sin(x.tilt);
    return 0.5 * top.inertia * (x.tilt_speed * x.tilt_speed + across * across) +
           top.weight_arm * std::cos(x.tilt);
  };
  const TopMotion start{.tilt = 0.6}, end = compute_top_motion(top, start, 10.0, 20000);
  // ω = L₃/I = 21 rad/s, ω h = 0.01: the method loses about (ω h)⁵/144 a step.
  EXPECT_NEAR(energy(end), energy(start), 1e-8);
}

// The reference of the acceptance table, E4: 8.661 rad in 10 s.
TEST(LagrangeTop, of_the_acceptance_table_precesses_8_661_radians) {
  const LagrangeTop top{0.29, 5.0, 6.0, 6.0 * std::cos(0.6)};
  EXPECT_NEAR(compute_top_motion(top, {.tilt = 0.6}, 10.0, 20000).precession, 8.661, 6e-4);
}

}  // namespace
}  // namespace ligament::analytic
