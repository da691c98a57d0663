// SPDX-License-Identifier: Apache-2.0
// A mass on a spring by backward Euler, u⁺ = u − h ω² x⁺, x⁺ = x + h u⁺, and its collisions with a
// spring that only pushes: what the scheme takes out, with w = ω h.
#pragma once

#include <cmath>

namespace ligament::analytic {

// Of ½ u² + ½ ω² x², in each step.
inline double backward_euler_energy_factor(double w) { return 1.0 / (1.0 + w * w); }

// Part of the speed that a hit on the spring gives back, if the surface is reached at the start of
// a step. For w² ≥ 3 the mass is thrown back in the second step already, with a = w²:
//     u₁ = u/(1 + a),  x₁ = h u₁,  u₂ = (u₁ − a x₁/h)/(1 + a) = u (1 − a)/(1 + a)².
inline double spurious_restitution(double w) {
  const double a = w * w;
  return (a - 1.0) / ((1.0 + a) * (1.0 + a));
}
// For w ≪ 1, half a swing with the damping of the scheme: the energy falls by exp(−w² π/w).
inline double soft_restitution(double w) { return std::exp(-0.5 * std::acos(-1.0) * w); }

}  // namespace ligament::analytic
