// SPDX-License-Identifier: Apache-2.0
// Exponents of power laws.
#pragma once

#include <cmath>
#include <span>

namespace ligament {

// The slope of the least-squares line through (log x, log y): p of y ∝ xᵖ.
inline double fit_exponent(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sum_x += a, sum_y += b, sum_xx += a * a, sum_xy += a * b;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

}  // namespace ligament
