// SPDX-License-Identifier: Apache-2.0
// How the two steppers treat the error of one holonomic row, in closed form.
//
// A row with mobility s = G M⁻¹ Gᵀ, discrete compliance Σ and γ = s/(s + Σ) obeys, with the error
// g and its speed w = G v, a linear recursion (derived from the rows of docs/theory/spook.md):
//
//     Spook    h w⁺ = (1 − γ) h w + γ Υ (h w − 4 g),   g⁺ = g + h w⁺,   Υ = 1/(1 + 4 θ), θ = τ/h
//     Relaxed  h w⁺ = (1 − γ) h w − γ g/(1 + a/h),     g⁺ = g + h w⁺
#pragma once

#include <cmath>
#include <complex>
#include <utility>

namespace ligament::analytic {

using Multipliers = std::pair<std::complex<double>, std::complex<double>>;

// The roots of μ² − trace μ + determinant.
inline Multipliers roots_of(double trace, double determinant) {
  const std::complex<double> root =
      std::sqrt(std::complex<double>(0.25 * trace * trace - determinant, 0.0));
  return {0.5 * trace + root, 0.5 * trace - root};
}

// μ = 1 − 2 γΥ(1+θ) ± 2 √((γΥ(1+θ))² − γΥ).  Lacoursière 2007, eq. 34.
inline Multipliers spook_multipliers(double theta, double gamma) {
  const double gu = gamma / (1.0 + 4.0 * theta);
  const double centre = gu * (1.0 + theta);
  const std::complex<double> root =
      2.0 * std::sqrt(std::complex<double>(centre * centre - gu, 0.0));
  return {1.0 - 2.0 * centre + root, 1.0 - 2.0 * centre - root};
}

// From the recursion above: trace 2 − γ − γ/(1 + a/h), determinant 1 − γ. For γ = 1 the error
// factor is a/(h + a).
inline Multipliers relaxed_multipliers(double damping_steps, double gamma) {
  return roots_of(2.0 - gamma - gamma / (1.0 + damping_steps), 1.0 - gamma);
}

// Steady violation of a row on a curved path, in units of κ = (h²/2) vᵀ(∂²g)v, for γ → 1: what the
// recursions settle to when every step adds κ to g.
inline double spook_curvature_violation(double theta) { return theta + 0.5; }
inline double relaxed_curvature_violation(double damping_steps) { return 1.0 + damping_steps; }

}  // namespace ligament::analytic
