// SPDX-License-Identifier: Apache-2.0
// Errors against steps: orders of convergence, and the lines that show them in a figure.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ligament/io/figure/figure.h"

namespace ligament::papers {

// The exponent p of errors ≈ c xᵖ, by least squares of the logarithms.
inline double fit_order(std::span<const double> x, std::span<const double> errors) {
  const auto n = static_cast<double>(x.size());
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(errors[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// The same from the last `count` of them.
inline double fit_last_order(const std::vector<double>& x, const std::vector<double>& errors,
                             std::size_t count) {
  const std::size_t from = x.size() - std::min(count, x.size());
  return fit_order(std::span(x).subspan(from), std::span(errors).subspan(from));
}

// Each error over the next one.
inline std::vector<double> find_ratios(const std::vector<double>& errors) {
  std::vector<double> out;
  for (std::size_t i = 1; i < errors.size(); ++i) out.push_back(errors[i - 1] / errors[i]);
  return out;
}

// first, first/2, first/4, …
inline std::vector<double> halvings(double first, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(std::ldexp(first, -i));
  return out;
}

// Dashes of slope `order` below or above a curve: `factor` times its last point.
inline Curve make_guide(const std::string& label, double order, const Curve& along,
                        double factor = 0.5) {
  Curve guide{.label = label, .x = along.x, .colour = 6, .dash = 1};
  for (const double x : along.x)
    guide.y.push_back(factor * along.y.back() * std::pow(x / along.x.back(), order));
  return guide;
}

}  // namespace ligament::papers
