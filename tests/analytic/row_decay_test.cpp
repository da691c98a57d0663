// SPDX-License-Identifier: Apache-2.0
#include "analytic/row_decay.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

struct Error {
  double g, hw;
};

Error spook_step(Error e, double theta, double gamma, double kappa) {
  const double upsilon = 1.0 / (1.0 + 4.0 * theta);
  // The curvature κ that a step adds to g is seen by G v as well: G⁺ v = G v + 2 κ/h.
  const double hw = (1.0 - gamma) * e.hw + gamma * upsilon * (e.hw - 4.0 * e.g);
  return {e.g + hw + kappa, hw + 2.0 * kappa};
}

Error relaxed_step(Error e, double damping_steps, double gamma, double kappa) {
  const double hw = (1.0 - gamma) * e.hw - gamma * e.g / (1.0 + damping_steps);
  return {e.g + hw + kappa, hw + 2.0 * kappa};
}

// Trace and determinant of a linear map of the plane, by probing.
template <class Map>
Multipliers multipliers_of(Map&& map) {
  const Error a = map(Error{1.0, 0.0}), b = map(Error{0.0, 1.0});
  return roots_of(a.g + b.hw, a.g * b.hw - b.g * a.hw);
}

// Roots of a quadratic lose half the digits where they meet: √(2e-16) = 1.5e-8, with a margin.
constexpr double root_tolerance = 1e-7;

void expect_same(const Multipliers& a, const Multipliers& b) {
  EXPECT_LT(std::abs(a.first - b.first), root_tolerance);
  EXPECT_LT(std::abs(a.second - b.second), root_tolerance);
}

TEST(RowDecay, closed_forms_are_the_eigenvalues_of_the_recursions) {
  for (const double steps : {0.0, 0.02, 0.5, 1.0, 2.0, 7.0})
    for (const double gamma : {0.01, 0.3, 0.9, 1.0}) {
      expect_same(spook_multipliers(steps, gamma),
                  multipliers_of([&](Error e) { return spook_step(e, steps, gamma, 0.0); }));
      expect_same(relaxed_multipliers(steps, gamma),
                  multipliers_of([&](Error e) { return relaxed_step(e, steps, gamma, 0.0); }));
    }
}

TEST(RowDecay, two_steps_of_damping_are_critical) {
  const auto [first, second] = spook_multipliers(2.0, 1.0);
  EXPECT_NEAR(std::abs(first - 1.0 / 3.0), 0.0, root_tolerance);
  EXPECT_NEAR(std::abs(second - 1.0 / 3.0), 0.0, root_tolerance);
  EXPECT_GT(std::abs(spook_multipliers(1.9, 1.0).first.imag()), 1e-3);
  EXPECT_EQ(spook_multipliers(2.1, 1.0).first.imag(), 0.0);
}

TEST(RowDecay, without_damping_nothing_decays) {
  for (const double gamma : {0.1, 0.5, 1.0})
    EXPECT_NEAR(std::abs(spook_multipliers(0.0, gamma).first), 1.0, 1e-14);
}

TEST(RowDecay, relaxed_keeps_the_share_a_over_h_plus_a) {
  EXPECT_NEAR(relaxed_multipliers(3.0, 1.0).first.real(), 0.75, 1e-15);
  EXPECT_EQ(std::abs(relaxed_multipliers(0.0, 1.0).first), 0.0);
}

// The recursions with γ = 1 and a curvature κ = 1 in every step settle to the closed forms: the
// slowest factor here is 0.8 (a/h = 4), and 0.8³⁰⁰ is below rounding.
TEST(RowDecay, a_curved_path_leaves_the_stated_violation) {
  for (const double steps : {0.5, 1.0, 2.0, 4.0}) {
    Error spook{0, 0}, relaxed{0, 0};
    for (int i = 0; i < 300; ++i) {
      spook = spook_step(spook, steps, 1.0, 1.0);
      relaxed = relaxed_step(relaxed, steps, 1.0, 1.0);
    }
    EXPECT_NEAR(spook.g, spook_curvature_violation(steps), 1e-12);
    EXPECT_NEAR(relaxed.g, relaxed_curvature_violation(steps), 1e-12);
  }
}

}  // namespace
}  // namespace ligament::analytic
