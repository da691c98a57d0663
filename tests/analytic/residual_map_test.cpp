// SPDX-License-Identifier: Apache-2.0
#include "analytic/residual_map.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace ligament::analytic {
namespace {

TEST(ResidualMap, a_feasible_change_explains_the_residual) {
  Random random(1);
  int feasible = 0;
  for (int i = 0; i < 10000; ++i) {
    const ApproximateRow row{.r = random.uniform(),
                             .y = random.uniform(),
                             .t = random.uniform(),
                             .d = random.uniform(0.1, 10),
                             .b = random.uniform()};
    const RowChange change = explain_residual(row, 1e-12);
    if (change.fate != RowFate::feasible) continue;
    ++feasible;
    EXPECT_GE(change.beta, 0.0);
    EXPECT_GE(change.alpha, 0.0);
    EXPECT_LT(change.alpha, 1.0);
    // A handful of roundings of terms no larger than r/p, p ≥ 1e-8 in 10⁴ draws.
    EXPECT_NEAR(change.beta * row.y + change.alpha * row.t, row.r, 1e-12 * std::abs(row.r));
  }
  EXPECT_GT(feasible, 5000);
}

// Nothing shorter than the choice made: compared with the solutions on a line of 200 points.
TEST(ResidualMap, the_change_is_the_smallest) {
  const ApproximateRow row{.r = 0.3, .y = 0.5, .t = 0.8, .d = 2.0, .b = 1.0};
  const RowChange change = explain_residual(row, 1e-12);
  const double size = std::hypot(change.alpha, change.beta / row.d);
  for (int i = 0; i <= 200; ++i) {
    const double alpha = i / 200.0 * row.r / row.t;
    const double beta = (row.r - alpha * row.t) / row.y;
    EXPECT_GE(std::hypot(alpha, beta / row.d), size * (1.0 - 1e-12));
  }
}

TEST(ResidualMap, a_row_that_pulls_the_wrong_way_is_infeasible) {
  const RowChange change = explain_residual({.r = 0.1, .y = -1.0, .t = -0.5, .d = 1.0}, 1e-12);
  EXPECT_EQ(change.fate, RowFate::infeasible);
  EXPECT_LT(change.beta, 0.0);
}

TEST(ResidualMap, an_exact_row_is_left_alone) {
  EXPECT_EQ(explain_residual({.r = 1e-16, .y = 1, .t = 1, .d = 1, .b = 1}, 1e-12).fate,
            RowFate::exact);
}

TEST(ResidualMap, stabilization_is_never_switched_off) {
  const ApproximateRow row{.r = 2.0, .y = 0.1, .t = 1.0, .d = 1.0, .b = 1.0};
  const RowChange change = explain_residual(row, 1e-12);
  EXPECT_EQ(change.alpha, largest_alpha);
  EXPECT_NEAR(change.beta * row.y + change.alpha * row.t, row.r, 1e-14);
}

// Lacoursière 2005, eq. 5.5: from c = 0, a = 0 the physics is c = h² β/(1 − α), d = α/(h β).
TEST(ResidualMap, from_a_rigid_row_it_is_equation_5_5) {
  const double h = 0.01, alpha = 0.3, beta = 2.0;
  const EffectivePhysics physics = effective_relaxed_physics(h, 0.0, 0.0, alpha, beta);
  EXPECT_NEAR(physics.compliance, h * h * beta / (1.0 - alpha), 1e-18);
  EXPECT_NEAR(physics.damping_time / physics.compliance, alpha / (h * beta), 1e-12);
}

}  // namespace
}  // namespace ligament::analytic
