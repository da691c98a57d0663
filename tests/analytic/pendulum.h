// SPDX-License-Identifier: Apache-2.0
// The plane pendulum of any amplitude, and the bar that swings about its end.
#pragma once

#include <cmath>
#include <numbers>

namespace ligament::analytic {

// K(k) = ∫₀^{π/2} dφ/√(1 − k² sin²φ) = π/(2 agm(1, √(1 − k²))).
// NIST Digital Library of Mathematical Functions (DLMF), 19.8.5.
inline double complete_elliptic_integral(double modulus) {
  double a = 1.0, g = std::sqrt((1.0 - modulus) * (1.0 + modulus));
  while (a - g > 4e-16 * a) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g);
    a = mean;
  }
  return 0.5 * std::numbers::pi / a;
}

// Period [s] of a point mass on a string of length l [m] that swings to `amplitude` [rad] < π on
// both sides: T = 4 √(l/g) K(sin(amplitude/2)).  Landau & Lifshitz, Mechanics, § 11, problem 1.
inline double pendulum_period(double length, double gravity, double amplitude) {
  return 4.0 * std::sqrt(length / gravity) * complete_elliptic_integral(std::sin(0.5 * amplitude));
}

// The string length of the point pendulum that swings like a thin bar of length l held at one end:
// I/(m l/2) with I = m l²/3.  Landau & Lifshitz, Mechanics, § 32.
inline double equivalent_length_of_bar(double length) { return 2.0 * length / 3.0; }

}  // namespace ligament::analytic
