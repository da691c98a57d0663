// SPDX-License-Identifier: Apache-2.0
// Exponents of power laws.
#pragma once

#include <cmath>
#include <span>

namespace ligament::papers {

// p of y ∝ xᵖ: the slope of the straight line nearest to the points (log x, log y).
inline double find_power(std::span<const double> x, std::span<const double> y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / count;
    mean_y += std::log(y[i]) / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - mean_y);
  }
  return xy / xx;
}

}  // namespace ligament::papers
