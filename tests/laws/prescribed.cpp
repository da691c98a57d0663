// SPDX-License-Identifier: Apache-2.0
// What is given as a function of time: motions of fixed bodies, targets of controls, loads, tables.
#include <gtest/gtest.h>

#include <cmath>

#include "support/fit.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

// A mass welded to a turntable: it stays where it is put, and the weld pulls with m ω² r.
TEST(PrescribedMotion, of_a_turntable_carries_what_is_fixed_to_it) {
  const double w = 2.0, r = 0.8, mass = 1.5, h = 0.01;
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId table =
      b.add_body({.name = "table", .kind = BodyKind::fixed, .motion = [=](double t) {
                    return Frame{.R = Quat(Eigen::AngleAxisd(w * t, Vec3::UnitZ()))};
                  }});
  const BodyId load = b.add_body({.name = "load",
                                  .mass = box_of_mass({0.1, 0.2, 0.3}, mass),
                                  .position = {r, 0, 0},
                                  .velocity = {0, w * r, 0},
                                  .angular_velocity = {0, 0, w}});
  const JointId weld =
      b.add_joint(Fixed{.name = "weld", .a = table, .b = load, .point = {r, 0, 0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  JointLoad exerted;
  const auto look = [&](const Sample& sample) {
    exerted = compute_joint_load(sample.model, sample.impulses(), weld);
  };
  run(model, Spook{.h = h}, state, {.t_end = 5.0, .observers = {look}});
  const Frame pose = compute_pose(model, state, load);
  const Vec3 expected = Quat(Eigen::AngleAxisd(w * state.t, Vec3::UnitZ())) * Vec3(r, 0, 0);
  // The weld stays open by (τ/h + ½) κ, κ = (h w)² r/2 [SP.6]; its force grows with the radius,
  // by 1.25 (h w)², and is right to (h w)² otherwise.
  EXPECT_LT((pose.p - expected).norm(), 2.5 * h * h * w * w * r);
  const double pull = mass * w * w * r;
  EXPECT_NEAR(exerted.force.head<2>().norm(), pull, 2.25 * pull * h * h * w * w);
  EXPECT_NEAR(compute_angular_velocity(model, state, table).z(), w, 1e-6);
}

// A mass on a spring whose base is shaken, x'' = −ω₀² (x − A sin Ω t), from rest:
//     x = A ω₀²/(ω₀² − Ω²) (sin Ω t − (Ω/ω₀) sin ω₀ t)
double shaken_mass_error(double h) {
  const double A = 0.1, Omega = 3.0, k = 50.0, mass = 2.0, w0 = std::sqrt(k / mass);
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId base = b.add_body({.name = "base", .kind = BodyKind::fixed, .motion = [=](double t) {
                                    return Frame{.p = {A * std::sin(Omega * t), 0, 0}};
                                  }});
  const BodyId load = b.add_body({.name = "load", .mass = box_of_mass({0.1, 0.1, 0.1}, mass)});
  const JointId guide = b.add_joint(Prismatic{.a = base, .b = load, .axis = Vec3::UnitX()});
  b.add_control(Servo{.on = guide, .stiffness = k, .damping = 0.0});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  double worst = 0.0;
  const auto look = [&](const Sample& sample) {
    const double t = sample.state.t;
    const double x = A * w0 * w0 / (w0 * w0 - Omega * Omega) *
                     (std::sin(Omega * t) - Omega / w0 * std::sin(w0 * t));
    worst = std::max(worst, std::abs(compute_pose(model, sample.state, load).p.x() - x));
  };
  run(model, Spook{.h = h}, state, {.t_end = 4.0, .staggered_start = true, .observers = {look}});
  return worst;
}

TEST(PrescribedMotion, of_a_base_shakes_a_mass_on_a_spring_as_the_closed_form_says) {
  std::vector<double> steps, errors;
  for (const double h : {0.02, 0.01, 0.005}) {
    steps.push_back(h);
    errors.push_back(shaken_mass_error(h));
  }
  measured("error at h = 0.005 [m]", errors.back());
  EXPECT_GT(measured("order", fit_exponent(steps, errors)), 1.8);
  // Frequencies are right to (h ω₀)²/24 or so: after 20 rad of phase, times the swing of 0.3 m.
  EXPECT_LT(errors.back(), 0.3 * 20.0 * (0.005 * 5.0) * (0.005 * 5.0) / 12.0);
}

// A slide that must follow a sine does so to compliance × force at every step, whatever the step:
// the row is linear, and its target is known at both ends of the step.
TEST(Motion, follows_its_target_to_compliance_times_force) {
  const double A = 0.3, w = 2.0, mass = 2.0;
  for (const double h : {1.0 / 60, 1e-3}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId slider =
        b.add_body({.mass = box_of_mass({0.1, 0.1, 0.1}, mass), .velocity = {0, 0, A * w}});
    const JointId guide = b.add_joint(Prismatic{.b = slider});
    b.add_control(Motion{.on = guide, .target = [=](double t) { return A * std::sin(w * t); }});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    double worst = 0.0;
    const auto look = [&](const Sample& sample) {
      worst = std::max(worst, std::abs(sample.state.s(0) - A * std::sin(w * sample.state.t)));
    };
    run(model, Spook{.h = h}, state, {.t_end = 5.0, .observers = {look}});
    // The first step starts with the velocity of t = 0 where the row expects that of half a step
    // before: off by A w² h/2 · h/9, which dies out by a factor three a step.
    const double sag = 1e-8 * mass * A * w * w, start = A * w * w * w * h * h * h;
    EXPECT_LT(worst, 1.01 * sag + start) << h;
  }
}

// The scheme's own recursion: v⁺ = v + h F(t)/m, x⁺ = x + h v⁺.
TEST(Load, on_a_free_mass_follows_the_recursion_of_the_scheme) {
  const double mass = 3.0, h = 0.01;
  const auto force = [](double t) { return 5.0 * std::sin(4.0 * t); };
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId body = b.add_body({.mass = box_of_mass({0.1, 0.2, 0.3}, mass)});
  b.add_load({.body = body, .force = {force, 0.0, 1.0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  run(model, Spook{.h = h}, state, {.steps = 500});
  double x = 0.0, v = 0.0;
  for (int n = 0; n < 500; ++n) {
    v += h * force(n * h) / mass;
    x += h * v;
  }
  const Vec3 p = compute_pose(model, state, body).p;
  EXPECT_NEAR(p.x(), x, 1e-13);
  EXPECT_NEAR(p.z(), h * h / mass * 500 * 501 / 2, 1e-12);
  EXPECT_EQ(p.y(), 0.0);
}

// Thrust along the x axis of a body that spins at w: x = F/(m w²)(1 − cos wt), y = F/(m w²)(wt −
// sin wt).
double thrust_error(double h) {
  const double mass = 2.0, F = 3.0, w = 1.5, T = 4.0;
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId body =
      b.add_body({.mass = cylinder_of_mass(0.3, 0.2, mass), .angular_velocity = {0, 0, w}});
  b.add_load({.body = body, .in_body_axes = true, .force = {F, 0.0, 0.0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  run(model, Spook{.h = h}, state, {.t_end = T, .staggered_start = true});
  const double a = F / (mass * w * w);
  const Vec3 exact(a * (1 - std::cos(w * T)), a * (w * T - std::sin(w * T)), 0);
  return (compute_pose(model, state, body).p - exact).norm();
}

TEST(Load, in_body_axes_turns_with_the_body) {
  std::vector<double> steps{0.02, 0.01, 0.005}, errors;
  for (const double h : steps) errors.push_back(thrust_error(h));
  measured("error at h = 0.005 [m]", errors.back());
  EXPECT_GT(measured("order", fit_exponent(steps, errors)), 1.8);
  // The Cayley map lags by (h w)²/12 of the way, the sum of forces is a midpoint rule: (h w)²/24.
  EXPECT_LT(errors.back(), 0.667 * 6.0 * 6.0 * (0.005 * 1.5) * (0.005 * 1.5) / 8.0);
}

// A force off the centre turns the body: two opposite ones at ± r make the torque 2 r F alone.
TEST(Load, at_a_point_off_the_centre_is_a_torque_too) {
  const double F = 2.0, arm = 0.4, h = 0.01;
  const MassProperties disc = cylinder_of_mass(0.5, 0.1, 1.0);
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId body = b.add_body({.mass = disc});
  b.add_load(
      {.body = body, .in_body_axes = true, .point = Vec3(arm, 0, 0), .force = {0.0, F, 0.0}});
  b.add_load(
      {.body = body, .in_body_axes = true, .point = Vec3(-arm, 0, 0), .force = {0.0, -F, 0.0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  run(model, Spook{.h = h}, state, {.steps = 100});
  EXPECT_NEAR(compute_angular_velocity(model, state, body).z(),
              100 * h * 2 * arm * F / disc.inertia(2, 2), 1e-10);
  EXPECT_LT(compute_pose(model, state, body).p.norm(), 1e-13);
}

TEST(Table, is_straight_between_its_points_and_constant_outside) {
  const TimeFunction table = make_table({0.0, 1.0, 3.0}, {2.0, 4.0, 0.0});
  EXPECT_EQ(table(-1.0), 2.0);
  EXPECT_EQ(table(0.0), 2.0);
  EXPECT_EQ(table(0.5), 3.0);
  EXPECT_EQ(table(1.0), 4.0);
  EXPECT_EQ(table(2.5), 1.0);
  EXPECT_EQ(table(3.0), 0.0);
  EXPECT_EQ(table(9.0), 0.0);
  EXPECT_THROW(make_table({}, {}), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, 1.0}, {1.0}), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, 0.0}, {1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, std::nan("")}, {1.0, 2.0}), std::invalid_argument);
}

// A motor that is told its speed by a table drives as one that is told by a formula.
TEST(Table, drives_a_motor_as_the_formula_does) {
  const auto angle_after = [](const TimeFunction& speed) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId wheel = b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 1.0)});
    b.add_control(Motor{.on = b.add_joint(Hinge{.b = wheel}), .speed = speed});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    run(model, Spook{.h = 0.01}, state, {.t_end = 4.0});
    return state.s(0);
  };
  const double by_formula = angle_after([](double t) {
    return t < 1.0 ? 2.0 * t : t < 3.0 ? 3.0 - t : 0.0;
  });
  EXPECT_NEAR(angle_after(make_table({0.0, 1.0, 3.0}, {0.0, 2.0, 0.0})), by_formula, 1e-12);
  EXPECT_NEAR(by_formula, 3.0, 1e-3);
}

}  // namespace
}  // namespace ligament
