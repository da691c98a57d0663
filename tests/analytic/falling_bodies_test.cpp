// SPDX-License-Identifier: Apache-2.0
#include "analytic/falling_bodies.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

// The closed form against the equation, by differences: (θ(t+d) − 2 θ + θ(t−d))/d² with d = 1e-3 is
// off by d² ω⁴/12 of the angle, 3e-4, and the small angle by θ²/6, 1e-5.
TEST(TippingBox, solves_its_equation) {
  const TippingBox box;
  const double slope = box.critical_slope() + 1e-3, t = 0.4, d = 1e-3;
  const double second =
      (box.angle(slope, t + d) - 2 * box.angle(slope, t) + box.angle(slope, t - d)) / (d * d);
  const double r = std::hypot(0.1, 0.2), inertia = 4.0 / 3.0 * r * r;
  const double torque = 9.81 * r * std::sin(slope - box.critical_slope() + box.angle(slope, t));
  EXPECT_NEAR(second, torque / inertia, 4e-4 * second);
  EXPECT_NEAR(inertia, (0.2 * 0.2 + 0.4 * 0.4) / 12 + r * r, 1e-15);  // parallel axes
}

// Newton's and Euler's equations of the rod: forces as given, ẍ and z̈ by differences along the
// motion, torque about the centre.
TEST(RodAtWall, solves_its_equations) {
  const RodAtWall rod{.gravity = 9.81, .length = 1.4, .start = 1.1};
  const double l = 0.5 * rod.length;
  for (const double angle : {1.0, 0.9, 0.7}) {
    const double w = -rod.speed(angle), dw = -rod.acceleration(angle);
    const double x_dd = l * (-std::cos(angle) * w * w - std::sin(angle) * dw);
    const double z_dd = l * (-std::sin(angle) * w * w + std::cos(angle) * dw);
    const double wall = rod.wall_force_over_mass(angle), floor = rod.floor_force_over_mass(angle);
    EXPECT_NEAR(wall, x_dd, 1e-13);
    EXPECT_NEAR(floor, 9.81 + z_dd, 1e-13);
    const double torque = wall * l * std::sin(angle) - floor * l * std::cos(angle);
    EXPECT_NEAR(torque, rod.length * rod.length / 12 * dw, 1e-13);
    const double d = 1e-6;  // ½ d(θ̇²)/dθ = θ̈
    EXPECT_NEAR((std::pow(rod.speed(angle + d), 2) - std::pow(rod.speed(angle - d), 2)) / (4 * d),
                dw, 1e-7);
  }
  EXPECT_NEAR(rod.wall_force_over_mass(rod.leaves_at()), 0.0, 1e-14);
}

// Mobility of the end by Newton and Euler: ÿ_end = N/m + (L/2) cos θ · θ̈.
TEST(Painleve, least_friction_is_four_thirds) {
  const double angle = 0.8, mu = 0.6, l = 0.5, inertia = 1.0 / 12;
  // Normal force 1 and friction μ on the lower end, at −l (cos θ, sin θ) from the centre; friction
  // along +x, which turns the rod so that the end goes down.
  const double torque = -l * std::cos(angle) * 1.0 + l * std::sin(angle) * mu;
  EXPECT_NEAR(painleve_mobility(angle, mu), 1.0 - l * std::cos(angle) * torque / inertia, 1e-14);
  EXPECT_NEAR(painleve_mobility(std::atan(2.0), 4.0 / 3.0), 0.0, 1e-14);
  for (const double theta : {0.3, 0.8, 1.0, 1.3}) EXPECT_GT(painleve_mobility(theta, 1.33), 0.0);
}

}  // namespace
}  // namespace ligament::analytic
