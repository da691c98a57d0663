// SPDX-License-Identifier: Apache-2.0
#include "analytic/pendulum.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

// K(1/√2) = Γ(1/4)²/(4 √π): the lemniscatic case, DLMF 19.20.2 and 23.5.
TEST(CompleteEllipticIntegral, has_its_two_special_values) {
  EXPECT_DOUBLE_EQ(complete_elliptic_integral(0.0), 0.5 * std::numbers::pi);
  const double gamma = std::tgamma(0.25);
  EXPECT_NEAR(complete_elliptic_integral(std::numbers::sqrt2 / 2),
              gamma * gamma / (4.0 * std::sqrt(std::numbers::pi)), 1e-15 * 4);
}

// The trapezoidal rule converges geometrically on a smooth periodic integrand: 200 points leave
// rounding only for k ≤ 0.99.
TEST(CompleteEllipticIntegral, is_the_integral) {
  for (const double k : {0.1, 0.5, 0.9, 0.99}) {
    double sum = 0.0;
    constexpr int points = 200;
    for (int i = 0; i < points; ++i) {
      const double s = std::sin(std::numbers::pi * (i + 0.5) / points);
      sum += 1.0 / std::sqrt(1.0 - k * k * s * s);
    }
    EXPECT_NEAR(complete_elliptic_integral(k), 0.5 * std::numbers::pi * sum / points, 1e-13) << k;
  }
}

// A quarter period by Runge and Kutta's method of order four, h = 1e-4 T: error below 1e-12.
TEST(PendulumPeriod, is_that_of_the_equation_of_motion) {
  const double l = 0.7, g = 9.81, amplitude = 2.0;
  const double T = pendulum_period(l, g, amplitude);
  constexpr int steps = 2500;
  const double h = 0.25 * T / steps;
  double angle = amplitude, speed = 0.0;
  const auto pull = [&](double a) { return -g / l * std::sin(a); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = pull(angle), s1 = speed;
    const double s2 = speed + 0.5 * h * k1, k2 = pull(angle + 0.5 * h * s1);
    const double s3 = speed + 0.5 * h * k2, k3 = pull(angle + 0.5 * h * s2);
    const double s4 = speed + h * k3, k4 = pull(angle + h * s3);
    angle += h / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4);
    speed += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  EXPECT_NEAR(angle, 0.0, 1e-10);
}

// T = 2π √(l/g) (1 + A²/16 + O(A⁴)): at A = 0.01 the next term is 11/3072 A⁴ = 4e-11.
TEST(PendulumPeriod, of_small_amplitudes_is_galileis) {
  const double small = 2.0 * std::numbers::pi * std::sqrt(0.1);
  EXPECT_NEAR(pendulum_period(1.0, 10.0, 0.01) / small, 1.0 + 1e-4 / 16.0, 1e-10);
}

}  // namespace
}  // namespace ligament::analytic
