// SPDX-License-Identifier: Apache-2.0
// Blocks and balls under Coulomb friction, from Newton's and Euler's equations with ‖F‖ = μ N while
// something slides.
#pragma once

#include <cmath>

namespace ligament::analytic {

// Down an incline with friction: m a = m g sin α − μ m g cos α. Positive where it slides.
inline double sliding_acceleration(double gravity, double slope, double mu) {
  return gravity * (std::sin(slope) - mu * std::cos(slope));
}

// A solid sphere, (2/5) m R² ω̇ = F R, rolls down: m a = m g sin α − F, a = R ω̇. It needs μ ≥
// (2/7) tan α. With a lever ρ of the normal force against rolling, (2/5) m R² ω̇ = F R − ρ N:
//     a = (5/7) g (sin α − (ρ/R) cos α).
inline double rolling_acceleration(double gravity, double slope, double lever_over_radius = 0.0) {
  return 5.0 / 7.0 * sliding_acceleration(gravity, slope, lever_over_radius);
}
inline double least_rolling_friction(double slope) { return 2.0 / 7.0 * std::tan(slope); }

// A solid sphere thrown along a level floor without spin: v̇ = −μ g and R ω̇ = (5/2) μ g until R ω
// = v, at (5/7) of the speed, which it keeps.
struct ThrownSphere {
  double gravity = 9.81, mu = 0.5, speed = 1.0;

  double rolls_from() const { return 2.0 / 7.0 * speed / (mu * gravity); }
  double rolling_speed() const { return 5.0 / 7.0 * speed; }
  double speed_at(double t) const {
    return t < rolls_from() ? speed - mu * gravity * t : rolling_speed();
  }
  double way(double t) const {
    const double sliding = std::fmin(t, rolls_from());
    return (speed - 0.5 * mu * gravity * sliding) * sliding + rolling_speed() * (t - sliding);
  }
};

// A sphere that spins about the normal, against a torque s N: ω̇ = −(5/2) s g/R².
inline double spinning_deceleration(double gravity, double lever, double radius) {
  return 2.5 * lever * gravity / (radius * radius);
}

}  // namespace ligament::analytic
