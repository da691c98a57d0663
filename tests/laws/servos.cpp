// SPDX-License-Identifier: Apache-2.0
// Servos and motors: they hold, they follow, and at their limit of force they push with that force
// and no more.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "support/drives.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

using machines::Drive;
using machines::DriveOptions;
using Complex = std::complex<double>;

constexpr double h = 1.0 / 60;

using MakeDrive = Drive (*)(const DriveOptions&);
constexpr MakeDrive drives[] = {machines::make_slide, machines::make_wheel};

// A wheel that starts at `angle` of its axle.
struct HeldWheel {
  double angle, torque, stiffness;
};

Model make_held_wheel(const HeldWheel& given) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId wheel =
      b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 8.0), .torque = {0, 0, given.torque}});
  const Quat back(Eigen::AngleAxisd(-given.angle, Vec3::UnitZ()));
  const JointId axle =
      b.add_joint(Hinge{.b = wheel, .frame_a = Frame{.R = back}, .frame_b = Frame{}});
  b.add_control(Servo{.on = axle, .target = given.angle, .stiffness = given.stiffness});
  return std::move(b).build();
}

// 1e12 N m/rad under 50 N m gives by 5e-11 rad. About zero a double resolves that to 16 digits, but
// the momentum of each step is the difference of two impulses h × 50 N m, and rounded to 1e-16 of
// them: the angle is moved by up to h × 1e-16/I a step, 2e-18 rad or 4e-8 of the deflection.
// The row is stiff at this step (Σ = 4 ε Υ/h² = 1.6e-9 against a mobility of 1): an error shrinks
// by 3 a step, and 300 steps are at rest.
TEST(Servo, of_a_million_million_newton_metres_holds_its_load) {
  const double K = 1e12, torque = 50.0;
  const Model model = make_held_wheel({.angle = 0.0, .torque = torque, .stiffness = K});
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, 300, state, work);
  EXPECT_NEAR(measured("deflection × stiffness / torque", state.s(0) * K / torque), 1.0, 1e-6);
  EXPECT_LT(std::abs(state.v(5)), 1e-15);
}

// The same at one radian. Angles there are multiples of 1.1e-16 and come out of a quaternion whose
// four entries are rounded to as much: 4e-16 in all, 1e-5 of the deflection. The row divides what
// rounding leaves by h and damps it: speeds stay below 4e-16/h.
TEST(Servo, of_a_million_million_newton_metres_holds_at_the_accuracy_of_an_angle) {
  const double K = 1e12, torque = 50.0;
  const Model model = make_held_wheel({.angle = 1.0, .torque = torque, .stiffness = K});
  State state = model.initial_state();
  ASSERT_NEAR(state.s(0), 1.0, 1e-15);
  Workspace work(model);
  double farthest = 0.0;
  for (int i = 0; i < 3000; ++i) {
    take_steps(Spook{.h = h}, model, 1, state, work);
    farthest = std::max(farthest, std::abs(state.s(0) - 1.0));
  }
  EXPECT_NEAR(state.s(0) - 1.0, torque / K, 5e-16);
  EXPECT_LT(std::abs(state.v(5)), 4e-16 / h);
  // No overshoot to speak of: the deflection of one step of free fall, before the row answers, is
  // none, for the row is implicit.
  EXPECT_LT(measured("farthest × stiffness / torque", farthest * K / torque), 2.0);
}

// Stable at any stiffness: a knock dies out. The multipliers of [SP.7] lie inside the unit circle
// for every γ, with |μ|² = 1 − 4 θ Υ γ where they are complex; the slowest here, K = 10 N/m on 2
// kg, has γ = 3.1e-3 and takes 13400 steps to fall by 1e-8. Each stiffness gets the steps that it
// needs.
TEST(Servo, is_stable_at_any_stiffness) {
  for (const double K : {10.0, 1e4, 1e8, 1e12}) {
    Drive drive = machines::make_slide({.speed = 1.0});
    drive.builder.add_control(Servo{.on = drive.joint, .stiffness = K});
    const Model model = std::move(drive.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    const double theta = 2.0, upsilon = 1.0 / (1.0 + 4.0 * theta), mass = 2.0;
    const double gamma = 1.0 / (1.0 + mass * 4.0 * upsilon / (K * h * h));
    const double radius = std::sqrt(1.0 - 4.0 * theta * upsilon * gamma);
    const long steps = 10 + std::lround(std::log(1e-8) / std::log(radius));
    take_steps(Spook{.h = h}, model, steps, state, work);
    EXPECT_LT(std::abs(state.v(2)), 1e-7) << K;
    EXPECT_LT(std::abs(state.s(0)), 1e-7 * std::max(1.0, std::sqrt(mass / K))) << K;
  }
}

// Following T sin(ω t): with z = exp(i ω h) the recursion of the row,
//     w⁺ + Σ m (w⁺ − w + (T_{n+1} − 2 T_n + T_{n−1})/h) = Υ (w − 4 g/h),   w⁺ = (g_{n+1} − g_n)/h,
// has the answer g_n = Im(A zⁿ) with
//     A [(z − 1) + Σ m (z − 1)(1 − 1/z) − Υ (1 − 1/z) + 4 Υ] = −Σ m (z − 2 + 1/z) T.
Complex servo_error(double m, double Sigma, double upsilon, double omega) {
  const Complex z = std::polar(1.0, omega * h), back = 1.0 - 1.0 / z;
  return -Sigma * m * (z - 2.0 + 1.0 / z) /
         ((z - 1.0) * (1.0 + Sigma * m * back) - upsilon * back + 4.0 * upsilon);
}

TEST(Servo, follows_a_sine_with_the_lag_of_its_recursion) {
  const double m = 2.0, omega = 1.0;
  for (const double K : {1e3, 1e5, 1e8}) {
    Drive drive = machines::make_slide({.inertia = m, .speed = omega});
    drive.builder.add_control(
        Servo{.on = drive.joint, .target = [](double t) { return std::sin(t); }, .stiffness = K});
    const Model model = std::move(drive.builder).build();
    const double upsilon = 1.0 / 9.0, Sigma = 4.0 * upsilon / (K * h * h);
    const Complex A = servo_error(m, Sigma, upsilon, omega);
    State state = model.initial_state();
    double worst = 0.0;
    const auto look = [&](const Sample& sample) {
      if (sample.step < 2000) return;  // the transient: |μ| < 0.98 a step, 1e-17 after 2000
      const double t = sample.state.t;
      const double expected = std::imag(A * std::polar(1.0, omega * t));
      worst = std::max(worst, std::abs(sample.state.s(0) - std::sin(t) - expected));
    };
    run(model, Spook{.h = h}, state, {.steps = 3000, .observers = {look}});
    EXPECT_LT(worst, 2e-14) << K;  // the rounding of t = 50 s, 7e-15, and some of positions
    // In the limit of small steps the mass lags by its inertia over the stiffness, m ω²/K; the
    // damping of two steps turns the phase by 2 h ω, and the rest is (h ω)².
    EXPECT_NEAR(std::abs(A) * K / (m * omega * omega), 1.0, 3e-3 + m / K) << K;
  }
}

// At its limit a drive pushes with max_force: v_n = n h F/I, each step one rounding of v.
TEST(Servo, that_saturates_accelerates_by_its_force_over_the_inertia) {
  const double F = 3.0, inertia = 2.0;
  for (const MakeDrive make : drives)
    for (const double sign : {1.0, -1.0}) {
      Drive drive = make({.inertia = inertia});
      drive.builder.add_control(
          Servo{.on = drive.joint, .target = sign * 100.0, .stiffness = 1e9, .max_force = F});
      const Model model = std::move(drive.builder).build();
      State state = model.initial_state();
      Workspace work(model);
      for (int n = 1; n <= 200; ++n) {
        take_steps(Spook{.h = h}, model, 1, state, work);
        ASSERT_NEAR(state.v(drive.speed), sign * n * h * F / inertia, n * 1e-15) << n;
        ASSERT_NEAR(
            compute_control_force(
                {work.constraints, work.problem.G, work.frames, work.solution.lambda, h}, {0}),
            sign * F, 1e-14);
      }
    }
}

// A motor from standstill: n h F/I while it needs more than F, that is while (1 + σ) h F/I is
// missing with σ = δ I/h; from there the slip leaves a part σ/(1 + σ) of what is missing in each
// step.
TEST(Motor, that_saturates_accelerates_by_its_force_over_the_inertia_up_to_its_speed) {
  const double F = 3.0, inertia = 2.0, speed = 4.0, drag = 1e-8;
  const double gain = h * F / inertia, sigma = drag * inertia / h;
  for (const MakeDrive make : drives) {
    Drive drive = make({.inertia = inertia});
    drive.builder.add_control(
        Motor{.on = drive.joint, .speed = speed, .max_force = F, .inverse_drag = drag});
    const Model model = std::move(drive.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    double missing = speed;
    for (int n = 1; n <= 400; ++n) {
      take_steps(Spook{.h = h}, model, 1, state, work);
      missing = missing > (1.0 + sigma) * gain ? missing - gain : missing * sigma / (1.0 + sigma);
      ASSERT_NEAR(state.v(drive.speed), speed - missing, n * 1e-15) << n;
    }
    EXPECT_NEAR(state.v(drive.speed), speed, 1e-15 * 400);
  }
}

// Against a load larger than its force a motor is driven back: v_n = n h (F − load)/I.
TEST(Motor, that_is_too_weak_gives_way) {
  const double F = 3.0, load = -5.0, inertia = 2.0;
  for (const MakeDrive make : drives) {
    Drive drive = make({.inertia = inertia, .load = load});
    drive.builder.add_control(Motor{.on = drive.joint, .speed = 1.0, .max_force = F});
    const Model model = std::move(drive.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = h}, model, 100, state, work);
    EXPECT_NEAR(state.v(drive.speed), 100 * h * (F + load) / inertia, 100 * 1e-15);
  }
}

// The speed of a motor may change with time; the slide is where the sum of the speeds in the middle
// of the steps says.
TEST(Motor, follows_a_speed_that_changes) {
  Drive drive = machines::make_slide();
  drive.builder.add_control(Motor{
      .on = drive.joint, .speed = [](double t) { return std::cos(3.0 * t); }, .inverse_drag = 0.0});
  const Model model = std::move(drive.builder).build();
  State state = model.initial_state();
  double sum = 0.0;
  const auto look = [&](const Sample& sample) {
    // No slip but that of the floor of compliance, 2e-13 of the impulse.
    EXPECT_NEAR(sample.state.s(0), sum, 1e-12);
    sum += h * std::cos(3.0 * (sample.state.t + 0.5 * h));
  };
  run(model, Spook{.h = h}, state, {.t_end = 5.0, .observers = {look}});
}

}  // namespace
}  // namespace ligament
