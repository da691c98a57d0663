// SPDX-License-Identifier: Apache-2.0
#include "analytic/dry_friction.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

TEST(DryFriction, incline_is_in_balance_at_the_friction_angle) {
  for (const double mu : {0.1, 0.5, 2.0}) {
    EXPECT_NEAR(sliding_acceleration(9.81, std::atan(mu), mu), 0.0, 1e-14);
    EXPECT_NEAR(rolling_acceleration(9.81, std::atan(mu), mu), 0.0, 1e-14);
  }
  EXPECT_NEAR(sliding_acceleration(10.0, std::asin(1.0), 0.3), 10.0, 1e-14);
}

// m v²/2 + I ω²/2 gains what the weight does: (7/10) v² = g s sin α after a way s = v²/(2 a).
TEST(DryFriction, rolling_without_slip_keeps_the_energy) {
  const double a = rolling_acceleration(9.81, 0.3), v = 2.0;
  EXPECT_NEAR(0.7 * v * v, 9.81 * std::sin(0.3) * v * v / (2 * a), 1e-13);
  // The force that it takes, m g sin α − m a, is μ N at the least friction.
  EXPECT_NEAR(9.81 * std::sin(0.3) - a, least_rolling_friction(0.3) * 9.81 * std::cos(0.3), 1e-13);
}

// The equations, by small steps. Explicit Euler is off by μ g dt a step, and the time of the change
// by dt.
TEST(DryFriction, thrown_sphere_solves_its_equations) {
  const ThrownSphere sphere{.gravity = 9.81, .mu = 0.3, .speed = 2.0};
  const double radius = 0.2, dt = 1e-6;
  double v = sphere.speed, w = 0.0, x = 0.0, t = 0.0;
  while (v > radius * w) {
    v -= dt * sphere.mu * sphere.gravity;
    w += dt * sphere.mu * sphere.gravity * radius / (0.4 * radius * radius);
    x += dt * v;
    t += dt;
  }
  EXPECT_NEAR(t, sphere.rolls_from(), 2 * dt);
  EXPECT_NEAR(v, sphere.rolling_speed(), 2 * dt * sphere.mu * sphere.gravity);
  EXPECT_NEAR(x, sphere.way(t), 1e-5);
  EXPECT_NEAR(sphere.way(t + 1.0) - sphere.way(t), sphere.rolling_speed(), 1e-5);
  EXPECT_EQ(sphere.speed_at(t + 1.0), sphere.rolling_speed());
}

// (2/5) m R² ω̇ = −s m g.
TEST(DryFriction, spinning_sphere_solves_its_equation) {
  EXPECT_NEAR(0.4 * 0.3 * 0.3 * spinning_deceleration(9.81, 0.02, 0.3), 0.02 * 9.81, 1e-15);
}

}  // namespace
}  // namespace ligament::analytic
