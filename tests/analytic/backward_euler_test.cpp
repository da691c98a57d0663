// SPDX-License-Identifier: Apache-2.0
#include "analytic/backward_euler.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

struct Mass {
  double x, u;  // h = 1
};

Mass spring_step(Mass m, double w) {
  m.u = (m.u - w * w * m.x) / (1.0 + w * w);
  m.x += m.u;
  return m;
}

// The spring acts only where it would push at the end of the step.
double simulate_hit(double w) {
  Mass m{0.0, -1.0};
  for (int i = 0; i < 100000; ++i) {
    if (m.x + m.u >= 0.0) {
      if (m.u > 0.0) return m.u;
      m.x += m.u;
      continue;
    }
    m = spring_step(m, w);
  }
  return -1.0;
}

TEST(BackwardEuler, loses_the_stated_part_of_the_energy) {
  for (const double w : {0.01, 0.1, 1.0, 10.0}) {
    const Mass a{0.3, -0.7}, b = spring_step(a, w);
    const auto energy = [w](Mass m) { return 0.5 * (m.u * m.u + w * w * m.x * m.x); };
    EXPECT_NEAR(energy(b) / energy(a), backward_euler_energy_factor(w), 1e-14);
  }
}

TEST(BackwardEuler, gives_back_the_stated_part_of_the_speed) {
  for (const double w : {std::sqrt(3.0) + 1e-9, 2.0, 3.0, 5.0, 10.0, 100.0})
    EXPECT_NEAR(simulate_hit(w), spurious_restitution(w), 1e-12);
  // (π/2) w of the logarithm, and one step in π/w is not a whole swing: w²/2 more or less.
  for (const double w : {0.01, 0.1, 0.2})
    EXPECT_NEAR(simulate_hit(w) / soft_restitution(w), 1.0, 0.5 * w * w + 1e-4);
}

}  // namespace
}  // namespace ligament::analytic
