// SPDX-License-Identifier: Apache-2.0
// A mass on a spring with a damper, less than critically damped.
#pragma once

#include <cmath>

namespace ligament::analytic {

// m ẍ + c ẋ + k x = 0, let go at rest at x = `start`: with δ = c/2m and ν² = k/m − δ² > 0,
// x = start e^{−δ t} (cos ν t + (δ/ν) sin ν t).  Landau & Lifshitz, Mechanics, § 25.
struct Oscillator {
  double mass = 1.0;       // [kg], or a moment of inertia [kg m²]
  double stiffness = 1.0;  // [N/m, N m/rad]
  double damping = 0.0;    // [N s/m, N m s/rad]
  double start = 1.0;      // [m, rad]

  double decay() const { return 0.5 * damping / mass; }
  double frequency() const { return std::sqrt(stiffness / mass - decay() * decay()); }
  double position(double t) const {
    const double d = decay(), n = frequency();
    return start * std::exp(-d * t) * (std::cos(n * t) + d / n * std::sin(n * t));
  }
  double speed(double t) const {
    const double d = decay(), n = frequency();
    return -start * stiffness / (mass * n) * std::exp(-d * t) * std::sin(n * t);
  }
  // Of spring and damper together, on the mass.
  double force(double t) const { return -stiffness * position(t) - damping * speed(t); }
};

}  // namespace ligament::analytic
