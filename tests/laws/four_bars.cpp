// SPDX-License-Identifier: Apache-2.0
// Two four-bar loops in a row, bars of 1 m and 1 kg on hinges about z: a parallelogram whose links
// all swing as one pendulum, and pass the flat, singular position twice a swing.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/fit.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

// `angle` of the cranks from the x axis, at rest.
Model make_double_four_bar(double angle) {
  ModelBuilder b{{.gravity = {0, -g, 0}}};
  const auto bar = [&](const char* name, const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    const double turn = std::atan2(along.y(), along.x());
    return b.add_body({.name = name,
                       .mass = box_of_mass({0.5, 0.05, 0.05}, 1.0),
                       .position = 0.5 * (from + to),
                       .orientation = Quat(Eigen::AngleAxisd(turn, Vec3::UnitZ()))});
  };
  const Vec3 crank(std::cos(angle), std::sin(angle), 0), step = Vec3::UnitX();
  const BodyId left = bar("left crank", Vec3::Zero(), crank);
  const BodyId middle = bar("middle crank", step, step + crank);
  const BodyId right = bar("right crank", 2 * step, 2 * step + crank);
  const BodyId first = bar("first coupler", crank, step + crank);
  const BodyId second = bar("second coupler", step + crank, 2 * step + crank);
  b.add_joint(Hinge{.b = left});
  b.add_joint(Hinge{.b = middle, .point = step});
  b.add_joint(Hinge{.b = right, .point = 2 * step});
  b.add_joint(Hinge{.a = left, .b = first, .point = crank});
  b.add_joint(Hinge{.a = first, .b = middle, .point = step + crank});
  b.add_joint(Hinge{.a = middle, .b = second, .point = step + crank});
  b.add_joint(Hinge{.a = second, .b = right, .point = 2 * step + crank});
  return std::move(b).build();
}

// The highest that the energy goes above that of the start [J]. Velocity leads position by half a
// step, so the momentum at a pose is the mean of that before and after; the start is staggered for
// the same reason.                                                                        [SP.10]
double find_rise(const Model& model, double h, long steps) {
  State state = model.initial_state();
  const double start = compute_energy(model, state).total();
  Workspace work(model);
  const Spook spook{.h = h};
  State trial = state;
  take_steps(spook, model, 1, trial, work);
  state.p -= 0.5 * (trial.p - state.p);
  state.v -= 0.5 * (trial.v - state.v);
  State before = state;
  double rise = -1e300;
  for (long i = 0; i < steps; ++i) {
    before = state;
    if (!step(spook, model, state, work).ok()) {
      ADD_FAILURE() << "step " << i;
      return 1e300;
    }
    before.p = 0.5 * (before.p + state.p);
    rise = std::max(rise, compute_energy(model, before).total() - start);
  }
  return rise;
}

// Released from the horizontal, where the force is largest: the energy of a leapfrog step differs
// from a conserved one by h²/24 |F|²/I − h²/12 v·U''v, and both terms are largest at this start.
// What rises above it is the work of gravity on the sag of the joints in the first step, ε F² of
// some 30 N in 14 rows, and rounding.
TEST(DoubleFourBar, energy_never_rises_above_its_start_in_a_million_steps) {
  const double bound = 14 * 1e-8 * 30.0 * 30.0;
  EXPECT_LT(measured("rise [J]", find_rise(make_double_four_bar(0.0), 1.0 / 60, 1'000'000)), bound);
}

// Released from elsewhere the difference has either sign, and vanishes with h².
TEST(DoubleFourBar, energy_rises_by_no_more_than_the_second_order_of_the_step) {
  const Model model = make_double_four_bar(0.5 * pi - 0.3);
  std::vector<double> steps, rises;
  for (const double h : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
    steps.push_back(h);
    rises.push_back(find_rise(model, h, static_cast<long>(20.0 / h)));
  }
  measured("rise at h = 1/60 [J]", rises[0]);
  EXPECT_GT(fit_exponent(steps, rises), 1.8);
  // h²/12 of the largest v·U''v, K φ'² with K = 3.5 m g l and φ'² = 4 K/I, I = 3 kg m²; and as much
  // for each of the two joints' curvatures that the swing goes through.
  const double K = 3.5 * g, h = steps[0];
  EXPECT_LT(rises[0], 3.0 * h * h / 12.0 * K * 4.0 * K / 3.0);
}

// A pendulum of inertia 3 × 1/3 + 2 × 1 (and the bars' thickness) with the weight of 3.5 bars at
// 1 m. Small swings about the bottom, 0.05 rad: the period is 2π √(I/K) (1 + a²/16), to the order
// of the step, and a swing ends where the cosine says.
TEST(DoubleFourBar, swings_as_the_pendulum_it_is) {
  const double amplitude = 0.05, h = 1e-3;
  const Model model = make_double_four_bar(-0.5 * pi + amplitude);
  const double inertia = 3 * (1.0 / 12 + 0.01 / 12 + 0.25) + 2.0;
  const double period = 2 * pi * std::sqrt(inertia / (3.5 * g)) * (1 + amplitude * amplitude / 16);
  State state = model.initial_state();
  const RunReport report =
      run(model, Spook{.h = h}, state, {.t_end = 2.25 * period, .staggered_start = true});
  EXPECT_EQ(report.status, RunStatus::completed);
  // A quarter swing after two whole ones: at the bottom, speed largest. The run ends within h/2 of
  // that time; constraint damping and the order of the step change the phase by less.
  const double fastest = amplitude * 2 * pi / period;
  EXPECT_NEAR(state.s(0), -amplitude, fastest * h);
}

}  // namespace
}  // namespace ligament
