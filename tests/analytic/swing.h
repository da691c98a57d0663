// SPDX-License-Identifier: Apache-2.0
// The plane pendulum as a function of time, and what its bearing feels.
#pragma once

#include <array>
#include <cmath>

namespace ligament::analytic {

struct JacobiFunctions {
  double sn = 0.0, cn = 1.0, dn = 1.0;
};

// sn, cn, dn (u, k) for 0 ≤ k < 1 by the arithmetic-geometric mean: the amplitudes of Gauss's
// transformations, from the last, which is linear in u, back to the first.  DLMF 22.20(ii).
inline JacobiFunctions jacobi_functions(double u, double k) {
  std::array<double, 20> ratio{};  // cₙ/aₙ
  double a = 1.0, b = std::sqrt((1.0 - k) * (1.0 + k)), c = k;
  int n = 0;
  while (std::abs(c) > 1e-17 * a && n + 1 < static_cast<int>(ratio.size())) {
    c = 0.5 * (a - b);
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
    ratio[static_cast<std::size_t>(++n)] = c / a;
  }
  double phi = std::ldexp(a * u, n);
  for (; n > 0; --n)
    phi = 0.5 * (phi + std::asin(ratio[static_cast<std::size_t>(n)] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1.0 - k * k * sn * sn)};
}

// φ̈ = −ω² sin φ, let go at rest at φ = amplitude < π: sin(φ/2) = k cd(ω t), k = sin(amplitude/2).
// Whittaker, Analytical Dynamics, § 44 (a quarter period later); DLMF 22.19.
struct Swing {
  double omega = 1.0;      // [rad/s] of small swings
  double amplitude = 1.0;  // [rad]

  double angle(double t) const {
    const double k = std::sin(0.5 * amplitude);
    const JacobiFunctions j = jacobi_functions(omega * t, k);
    return 2.0 * std::asin(k * j.cn / j.dn);
  }
  double speed(double t) const {
    const double k = std::sin(0.5 * amplitude);
    const JacobiFunctions j = jacobi_functions(omega * t, k);
    return -2.0 * omega * k * std::cos(0.5 * amplitude) * j.sn / j.dn;
  }
  double acceleration(double t) const { return -omega * omega * std::sin(angle(t)); }
};

}  // namespace ligament::analytic
