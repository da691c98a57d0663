// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/impulse/higher_order.h"

#include <array>
#include <cmath>

namespace ligament {

std::span<const double> composition_of(HigherOrder kind) {
  static constexpr std::array<double, 1> whole{1.0};
  static const double z = 1.0 / (4.0 - std::cbrt(4.0));
  static const std::array<double, 5> suzuki{z, z, 1.0 - 4.0 * z, z, z};
  // Solution A of Yoshida 1990, table 1.
  static constexpr double w1 = -1.17767998417887100695, w2 = 0.23557321335935813368,
                          w3 = 0.78451361047755726382, w0 = 1.0 - 2.0 * (w1 + w2 + w3);
  static constexpr std::array<double, 7> yoshida{w3, w2, w1, w0, w1, w2, w3};
  if (kind == HigherOrder::suzuki_4) return suzuki;
  if (kind == HigherOrder::yoshida_6) return yoshida;
  return whole;
}

int extrapolations_of(HigherOrder kind) {
  if (kind == HigherOrder::extrapolation_4) return 2;
  if (kind == HigherOrder::extrapolation_6) return 3;
  return kind == HigherOrder::extrapolation_8 ? 4 : 0;
}

double extrapolation_weight(int flights, int most) {
  double weight = 1.0;
  const double n = static_cast<double>(flights) * flights;
  for (int i = 1; i <= most; ++i)
    if (i != flights) weight *= n / (n - static_cast<double>(i) * i);
  return weight;
}

}  // namespace ligament
