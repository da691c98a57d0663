// SPDX-License-Identifier: Apache-2.0
// Limits and ropes: they act where they are reached and nowhere else, give back what their
// restitution says, and let nothing jitter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/drives.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

using machines::Drive;
using machines::DriveOptions;

constexpr double h = 1.0 / 60;

// A throw at a limit and back, without gravity. The row of a bounce gives way by the floor of Σ,
// 1e3 roundings of the largest mobility in the model, 30 of the guide's turning rows: 6.7e-12 times
// the impulse (1 + e) m V. The body turns round before it would pass, so it stays inside.
constexpr double floor_of_slide = 1e3 * 2.3e-16 * 30.0;

TEST(Limit, gives_back_its_restitution_times_the_speed) {
  const double speed = 1.7;
  for (const double e : {0.25, 0.5, 1.0})
    for (const double side : {1.0, -1.0}) {
      Drive drive = machines::make_slide({.speed = side * speed});
      Limit limit{.on = drive.joint, .restitution = e};
      (side > 0 ? limit.upper : limit.lower) = side * 0.5;
      drive.builder.add_control(limit);
      const Model model = std::move(drive.builder).build();
      State state = model.initial_state();
      Workspace work(model);
      for (int i = 0; i < 120; ++i) {
        take_steps(Spook{.h = h}, model, 1, state, work);
        EXPECT_LT(side * state.s(0), 0.5);
      }
      EXPECT_NEAR(side * state.v(2), -e * speed, floor_of_slide * (1 + e) * 2.0 * speed) << e;
    }
}

// Without restitution a hit takes all the speed. The step that gets there ends at the limit, but
// for the ε/h of its impulse that the stop gives way; from there the row has b = −4 Υ g/h, which is
// what comes back: at most 4 Υ ε m/h² of the speed, 3e-5 of it for 1e-8 m/N at 60 steps a second.
TEST(Limit, without_restitution_takes_all_the_speed) {
  const double speed = 1.7, mass = 2.0;
  for (const double eps : {1e-8, 1e-12})
    for (const double start : {0.5, 0.5 + 0.3 * h * speed, 0.5 + 0.99 * h * speed}) {
      Drive drive = machines::make_slide({.inertia = mass, .speed = -speed});
      drive.builder.add_control(Limit{.on = drive.joint, .lower = -start, .compliance = eps});
      const Model model = std::move(drive.builder).build();
      State state = model.initial_state();
      Workspace work(model);
      double deepest = 0.0;
      for (int i = 0; i < 120; ++i) {
        take_steps(Spook{.h = h}, model, 1, state, work);
        deepest = std::min(deepest, state.s(0) + start);
      }
      const double back = 4.0 / 9.0 * eps * mass * speed / (h * h), rounding = 1e-15;
      EXPECT_GE(deepest, -eps * mass * speed / h - rounding);
      EXPECT_GE(state.v(2), -rounding);
      EXPECT_LE(state.v(2), back + 4.0 / 9.0 * rounding / h);
      EXPECT_NEAR(state.s(0), -start, 2.0 * back + 2e-15 / h);  // two seconds at that speed
    }
}

// Between two walls, e = 1: the energy is kept, and no wall is passed. Each hit gives back all the
// speed but the floor times the impulse 2 m V.
TEST(Limit, body_bounces_between_two_limits_and_keeps_its_energy) {
  const double speed = 2.3;
  Drive drive = machines::make_slide({.speed = speed});
  drive.builder.add_control(
      Limit{.on = drive.joint, .lower = -0.2, .upper = 0.3, .restitution = 1.0});
  const Model model = std::move(drive.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  int hits = 0;
  for (int i = 0; i < 6000; ++i) {
    const double before = state.v(2);
    take_steps(Spook{.h = h}, model, 1, state, work);
    ASSERT_GE(state.s(0), -0.2);
    ASSERT_LE(state.s(0), 0.3);
    if (before * state.v(2) < 0.0) ++hits;
    ASSERT_NEAR(std::abs(state.v(2)), speed, (1 + hits) * floor_of_slide * 4.0 * speed);
  }
  // The way between the walls takes 0.5/2.3 s = 13.04 steps; a hit comes a step early at most.
  EXPECT_GE(hits, 6000 / 13.05);
  EXPECT_LE(hits, 6000 / 12.0);
}

// A ball that bounces under gravity, by the recursion v⁺ = v − g h, x⁺ = x + h v⁺ between hits.
// There Ẽ = ½ v² + g x − ½ g h v does not change, and a hit v⁺ = −e v, x⁺ = x + h v⁺ changes it by
// −½ (1 − e²) v² − ½ g h (1 − e)|v| ≤ 0: never a rise, and with e = 1 none at all. Energy itself is
// Ẽ + ½ m g h v: it ripples by half a step of gravity.
struct Bouncing {
  double rise = 0.0;     // [J] largest rise of Ẽ in a step
  double change = 0.0;   // [J] of Ẽ over all
  double highest = 0.0;  // [J] largest energy above that of the start
  State state;
};

Bouncing bounce(double e, long steps) {
  const double g = 9.81, m = 2.0;
  Drive drive = machines::make_slide({.inertia = m, .gravity = g});
  drive.builder.add_control(Limit{.on = drive.joint, .lower = -1.0, .restitution = e});
  const Model model = std::move(drive.builder).build();
  Bouncing result{.state = model.initial_state()};
  double last = 0.0;
  const auto look = [&](const Sample& sample) {
    const double total = sample.energy.total();
    const double smooth = total - 0.5 * m * g * h * sample.state.v(2);
    if (sample.step > 0) result.rise = std::max(result.rise, smooth - last);
    result.change += sample.step > 0 ? smooth - last : 0.0;
    result.highest = std::max(result.highest, total);
    last = smooth;
  };
  run(model, Spook{.h = h}, result.state, {.steps = steps, .observers = {look}});
  return result;
}

TEST(Limit, bouncing_ball_never_gains_energy_and_comes_to_rest) {
  const double g = 9.81, m = 2.0, eps = 1e-8, fastest = std::sqrt(2 * g);
  for (const double e : {0.0, 0.3, 0.5, 0.8}) {
    // Bounces last (1 + e)/(1 − e) × √(2/g) s: 4.1 s of 10 for e = 0.8.
    const Bouncing result = bounce(e, 600);
    // The stop is a spring: what it stores in a hit, ε F²/2 at F = m V/h, may come back.
    EXPECT_LT(result.rise, 0.5 * eps * std::pow(m * fastest / h, 2)) << e;
    EXPECT_LT(result.highest, 0.5 * m * g * h * fastest) << e;
    // At rest on a stop that gives by ε m g. No jitter: the speed is nothing.
    EXPECT_NEAR(result.state.s(0), -1.0 - eps * m * g, 1e-14) << e;
    EXPECT_LT(std::abs(result.state.v(2)), 1e-13) << e;
  }
}

TEST(Limit, perfectly_elastic_ball_bounces_for_ever) {
  // 1000 s, a hit every 2 √(2/g) = 0.9 s at V = 4.4 m/s; each loses m V × the floor × 2 m V.
  const Bouncing result = bounce(1.0, 60000);
  EXPECT_LT(result.change, 0.0);
  EXPECT_GT(measured("change of the smooth energy", result.change),
            -1200 * 2 * std::pow(2.0 * 4.43, 2) * floor_of_slide);
  EXPECT_LT(result.rise, 1e-13);
}

// A pendulum whose limits are out of reach moves as the one that has none. The rows are in the
// problem and exert nothing; what may differ is the order in which the solver sums.
TEST(Limit, that_is_not_reached_has_no_effect) {
  const auto swing = [](bool with_limits) {
    ModelBuilder b;
    const BodyId upper =
        b.add_body({.mass = box_of_mass({0.5, 0.05, 0.05}, 1.0), .position = {0.5, 0, 0}});
    const BodyId lower =
        b.add_body({.mass = box_of_mass({0.5, 0.05, 0.05}, 1.0), .position = {1.5, 0, 0}});
    const JointId first = b.add_joint(Hinge{.b = upper, .axis = Vec3::UnitY()});
    const JointId second =
        b.add_joint(Hinge{.a = upper, .b = lower, .point = {1, 0, 0}, .axis = Vec3::UnitY()});
    if (with_limits) {
      b.add_control(Limit{.on = first, .lower = -50.0, .upper = 50.0, .restitution = 0.5});
      b.add_control(Limit{.on = second, .lower = -50.0});
      b.add_joint(Rope{.b = lower, .point_a = Vec3::Zero(), .length = 5.0});
    }
    const Model model = std::move(b).build();
    State state = model.initial_state();
    run(model, Spook{.h = h}, state, {.t_end = 2.0});
    return state;
  };
  const State with = swing(true), without = swing(false);
  const double apart = (with.q - without.q).lpNorm<Eigen::Infinity>();
  // 120 steps of rounding, in a double pendulum that is not chaotic for so long: an error grows by
  // e^(2 s × 3/s) at most.
  EXPECT_LT(measured("apart", apart), 120 * 2e-16 * 400);
}

// Free fall on a slack rope is free fall, to the last digit, for the row is alone and exerts
// nothing; then the rope holds: it stretches by ε × m V/h, the force of the catch, and what comes
// back is 4 Υ ε m V/h² of speed (as from a limit without restitution).
TEST(Rope, lets_fall_freely_until_it_is_taut_and_then_holds) {
  const double g = 9.81, m = 2.0, length = 1.3, eps = 1e-8;
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  const BodyId bob =
      b.add_body({.kind = BodyKind::particle, .mass = {.mass = m}, .position = {0, 0, -0.1}});
  b.add_joint(Rope{.b = bob, .point_a = Vec3::Zero(), .length = length});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  double v = 0.0, z = -0.1, lowest = 0.0, highest = -10.0;
  bool taut = false;
  for (int i = 0; i < 600; ++i) {
    take_steps(Spook{.h = h}, model, 1, state, work);
    const double now = compute_pose(model, state, bob).p.z();
    taut = taut || work.solution.lambda(0) > 0.0;
    if (!taut) {
      v -= h * g;
      z += h * v;
      ASSERT_NEAR(now, z, 1e-14);
      ASSERT_GT(now, -length);
    } else {
      lowest = std::min(lowest, now);
      highest = std::max(highest, now);
    }
  }
  ASSERT_TRUE(taut);
  const double fastest = std::sqrt(2 * g * (length - 0.1));
  const double back = 4.0 / 9.0 * eps * m * fastest / (h * h);
  EXPECT_GT(lowest, -length - eps * m * (fastest / h + g));
  EXPECT_LT(highest, -length + back * back / (2 * g) + h * back);
  EXPECT_NEAR(compute_pose(model, state, bob).p.z(), -length - eps * m * g, 1e-14);
  EXPECT_LT(std::abs(state.v(2)), 1e-13);
}

// Thrown sideways on a taut rope without gravity, a particle circles as on a rod. A rod has the
// error (θ + ½) κ of [SP.6]. The row of a rope does not look back at the speed of its gap, so that
// every step takes 4 Υ of the error away and adds κ: the error is κ/(4 Υ) = (θ + ¼) κ. Leading
// order; the next one is (θ + ½)² (h v/r)² = 7e-3 of it.
TEST(Rope, holds_a_circling_particle_by_the_curvature_closed_form) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId bob =
      b.add_body({.kind = BodyKind::particle, .position = {1, 0, 0}, .velocity = {0, 2, 0}});
  b.add_joint(Rope{.b = bob, .point_a = Vec3::Zero(), .relaxation = {.compliance = 1e-12}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, 100, state, work);
  const double kappa = 0.5 * h * h * state.v.squaredNorm();
  EXPECT_NEAR((compute_pose(model, state, bob).p.norm() - 1.0) / kappa, 2.25, 7e-3 * 2.25);
}

}  // namespace
}  // namespace ligament
