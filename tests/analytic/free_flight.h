// SPDX-License-Identifier: Apache-2.0
// Free flight under a constant acceleration: the parabola, and the one that a step draws.
#pragma once

#include "ligament/math/types.h"

namespace ligament::analytic {

// x(t) = x₀ + t v₀ + t²/2 a.  (Galilei 1638.)
inline Vec3 parabola(const Vec3& x, const Vec3& v, const Vec3& a, double t) {
  return x + t * v + 0.5 * t * t * a;
}

// v⁺ = v + h a, x⁺ = x + h v⁺, n times: x_n = x₀ + n h v₀ + h² a n (n + 1)/2 (the sum of 1 … n). It
// is the parabola whose velocity is a h/2 ahead: the first-order error of the step, h t a/2.
inline Vec3 discrete_parabola(const Vec3& x, const Vec3& v, const Vec3& a, double h, double n) {
  return x + n * h * v + 0.5 * h * h * n * (n + 1.0) * a;
}

}  // namespace ligament::analytic
