// SPDX-License-Identifier: Apache-2.0
// Bodies that fall over: the box on an edge, the rod against a wall, the rod that slides on its
// end.
#pragma once

#include <cmath>

namespace ligament::analytic {

// A box of half width b and half height H on an incline tips over its lower edge where tan α > b/H.
// About that edge, r from the centre, I = (4/3) m r²: θ̈ = (m g r/I) sin(α − α_c + θ), for small
// angles θ = (α − α_c)(cosh ω t − 1).
struct TippingBox {
  double gravity = 9.81, half_width = 0.1, half_height = 0.2;

  double critical_slope() const { return std::atan2(half_width, half_height); }
  double rate() const { return std::sqrt(0.75 * gravity / std::hypot(half_width, half_height)); }
  double angle(double slope, double t) const {
    return (slope - critical_slope()) * (std::cosh(rate() * t) - 1.0);
  }
};

// A uniform rod of length L slides down a wall, without friction, from rest at the angle θ₀ over
// the floor: its centre goes on a circle of radius L/2 about the corner. By energy
//     θ̇² = (3 g/L)(sin θ₀ − sin θ),
// and the wall pushes with m ẍ = (3/4) m g cos θ (3 sin θ − 2 sin θ₀): until sin θ = (2/3) sin θ₀.
struct RodAtWall {
  double gravity = 9.81, length = 1.0, start = 1.2;  // start: θ₀ [rad]

  double speed(double angle) const {  // −θ̇
    return std::sqrt(3.0 * gravity / length * (std::sin(start) - std::sin(angle)));
  }
  double wall_force_over_mass(double angle) const {
    return 0.75 * gravity * std::cos(angle) * (3.0 * std::sin(angle) - 2.0 * std::sin(start));
  }
  double floor_force_over_mass(double angle) const {  // g + z̈
    const double s = std::sin(angle);
    return gravity + 0.5 * length *
                         (-acceleration(angle) * std::cos(angle) - s * speed(angle) * speed(angle));
  }
  double acceleration(double angle) const {  // −θ̈
    return 1.5 * gravity / length * std::cos(angle);
  }
  double leaves_at() const { return std::asin(2.0 / 3.0 * std::sin(start)); }
};

// A uniform rod at the angle θ over the floor, its lower end sliding so that friction pushes it
// into the floor. Unit normal force on the end, with μ along, moves the end off the floor by
//     (1 + 3 cos²θ − 3 μ sin θ cos θ)/m :
// where that is negative no force keeps the end on the floor, and rigid bodies with Coulomb
// friction have no acceleration (Painlevé 1895). The least μ for that is 4/3, at tan θ = 2.
inline double painleve_mobility(double angle, double mu) {
  const double c = std::cos(angle), s = std::sin(angle);
  return 1.0 + 3.0 * c * c - 3.0 * mu * s * c;
}

}  // namespace ligament::analytic
