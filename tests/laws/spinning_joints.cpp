// SPDX-License-Identifier: Apache-2.0
// Spinning bodies on joints: the heavy top (m = 1 kg, 0.5 m, tilt 0.6 rad, h = 1/60 s, ε = 1e-10)
// and a rotor on a free box. E4, E5 and E6 of the acceptance table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analytic/tops.h"
#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;

struct Precession {
  double angle = 0.0;            // [rad] in 10 s
  double vertical_change = 0.0;  // largest |L_z/L_z0 − 1|, about the tip
  double energy_ratio_min = 1.0, energy_ratio_max = 1.0;
};

Precession precess(const machines::HeavyTopOptions& options, const Stepper& stepper) {
  const Model model = machines::make_heavy_top(options);
  State state = model.initial_state();
  const double E = compute_energy(model, state).total();
  const double Lz = compute_momentum(model, state).angular.z();
  Precession result;
  double azimuth = 0.0;  // the axis starts in the x–z plane
  const auto watch = [&](const Sample& sample) {
    const Vec3 axis = compute_pose(sample.model, sample.state, {1}).R * Vec3::UnitZ();
    const double now = std::atan2(axis.y(), axis.x());
    result.angle += std::remainder(now - azimuth, 2.0 * std::numbers::pi);
    azimuth = now;
    const double L = compute_momentum(sample.model, sample.state).angular.z();
    result.vertical_change = std::max(result.vertical_change, std::abs(L / Lz - 1.0));
    const double ratio = sample.energy.total() / E;
    result.energy_ratio_min = std::min(result.energy_ratio_min, ratio);
    result.energy_ratio_max = std::max(result.energy_ratio_max, ratio);
  };
  const RunReport report = run(model, stepper, state, {.t_end = 10.0, .observers = {watch}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  return result;
}

double reference_precession(double spin) {
  const analytic::LagrangeTop top{.inertia = 0.04 + 0.25,
                                  .weight_arm = 5.0,
                                  .L3 = 0.06 * spin,
                                  .Lz = 0.06 * spin * std::cos(0.6)};
  // ω = L₃/I ≤ 207 rad/s: 2e5 steps in 10 s are ω h ≤ 0.01.
  return compute_top_motion(top, {.tilt = 0.6}, 10.0, 200000).precession;
}

// E4. The quadrature of Lagrange's top gives 8.661 rad.
TEST(HeavyTop, at_spin_100_precesses_like_lagranges) {
  const Precession top = precess({.spin = 100.0}, Spook{.h = h});
  measured("E4 reference", reference_precession(100.0));
  measured("E4 precession", top.angle);
  measured("E4 change of L_z", top.vertical_change);
  measured("E4 energy loss", 1.0 - top.energy_ratio_min);
  EXPECT_GT(top.angle, 8.4);
  EXPECT_LT(top.angle, 8.9);
  EXPECT_LT(top.vertical_change, 3e-3);
  EXPECT_LT(1.0 - top.energy_ratio_min, 3e-3);
  EXPECT_NEAR(top.angle, reference_precession(100.0), 0.02 * 8.661);
}

// E5. h · spin · I₃/I₁ = 25: far beyond any explicit treatment.
TEST(HeavyTop, at_spin_1000_precesses_like_lagranges) {
  const Precession top = precess({.spin = 1000.0}, Spook{.h = h});
  measured("E5 reference", reference_precession(1000.0));
  measured("E5 precession", top.angle);
  measured("E5 least energy ratio", top.energy_ratio_min);
  measured("E5 largest energy ratio", top.energy_ratio_max);
  EXPECT_GT(top.angle, 0.80);
  EXPECT_LT(top.angle, 0.87);
  EXPECT_GT(top.energy_ratio_min, 0.999);
  EXPECT_LT(top.energy_ratio_max, 1.001);
}

// A long run: 1e5 steps of the fast top (spin 300: energy 0.99999, L_z 0.9999 in the prototype).
TEST(HeavyTop, at_spin_300_keeps_energy_and_momentum_for_1e5_steps) {
  const Model model = machines::make_heavy_top({.spin = 300.0});
  State state = model.initial_state();
  Workspace work(model);
  const double E = compute_energy(model, state).total();
  const double Lz = compute_momentum(model, state).angular.z();
  take_steps(Spook{.h = h}, model, 100000, state, work);
  const double energy = measured("energy ratio", compute_energy(model, state).total() / E);
  const double momentum = measured("L_z ratio", compute_momentum(model, state).angular.z() / Lz);
  EXPECT_NEAR(energy, 1.0, 1e-3);
  EXPECT_NEAR(momentum, 1.0, 1e-2);
}

// E6. Total angular momentum is exact up to the couples |g × λ| of violated anchors.
TEST(Rotor, on_a_free_box_keeps_total_angular_momentum_and_energy) {
  const Model model = machines::make_rotor_on_box({.spin = 300.0});
  State state = model.initial_state();
  const Vec3 L = compute_momentum(model, state).angular;
  double change = 0.0;
  const auto watch = [&](const Sample& sample) {
    const Vec3 now = compute_momentum(sample.model, sample.state).angular;
    change = std::max(change, (now - L).norm() / L.norm());
  };
  const RunReport report = run(model, Spook{.h = h}, state, {.t_end = 20.0, .observers = {watch}});
  ASSERT_EQ(report.status, RunStatus::completed) << report.failure;
  EXPECT_LT(measured("E6 momentum change", change), 1e-4);
  EXPECT_GT(measured("E6 least energy ratio", report.energy.min / report.energy.initial), 0.99);
  EXPECT_LT(measured("E6 largest energy ratio", report.energy.max / report.energy.initial), 1.001);
}

// The spin of the rotor is a conserved quantity of the bearing: the hinge must not brake it.
TEST(Rotor, is_not_braked_by_its_bearing) {
  const Model model = machines::make_rotor_on_box({.spin = 300.0});
  State state = model.initial_state();
  Workspace work(model);
  const auto spin_of = [&] {
    const Quat R_box = compute_pose(model, state, {1}).R;
    const Vec3 relative =
        compute_angular_velocity(model, state, {2}) - compute_angular_velocity(model, state, {1});
    return (R_box.conjugate() * relative).z();
  };
  take_steps(Spook{.h = h}, model, 1200, state, work);
  EXPECT_NEAR(measured("spin after 20 s", spin_of()), 300.0, 1.0);
}

}  // namespace
}  // namespace ligament
