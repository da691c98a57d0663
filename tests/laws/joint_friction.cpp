// SPDX-License-Identifier: Apache-2.0
// Dry friction in a joint with a given bound: it sticks below the bound, slides above it, and stops
// what moves. All by the stepper's own recursion, to rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "support/drives.h"
#include "support/probe.h"

namespace ligament {
namespace {

using machines::Drive;
using machines::DriveOptions;

constexpr double h = 1.0 / 60, inertia = 2.0, bound = 3.0;

using MakeDrive = Drive (*)(const DriveOptions&);
constexpr MakeDrive drives[] = {machines::make_slide, machines::make_wheel};

struct Braked {
  Model model;
  int speed;
};

Braked make_braked(MakeDrive make, const DriveOptions& options, double inverse_drag) {
  Drive drive = make(options);
  drive.builder.add_control(
      Friction{.on = drive.joint, .max_force = bound, .inverse_drag = inverse_drag});
  return {std::move(drive.builder).build(), drive.speed};
}

// Steady: v = δ × load exactly, reached by a factor σ/(1 + σ), σ = δ I/h = 0.12, a step.
TEST(JointFriction, sticks_below_its_bound_and_creeps_by_inverse_drag_times_load) {
  for (const MakeDrive make : drives)
    for (const double load : {-2.9, -1.0, 2.0, 2.999}) {
      const double drag = 1e-3;
      const Braked braked = make_braked(make, {.inertia = inertia, .load = load}, drag);
      State state = braked.model.initial_state();
      Workspace work(braked.model);
      take_steps(Spook{.h = h}, braked.model, 60, state, work);
      EXPECT_NEAR(state.v(braked.speed), drag * load, 1e-15);
    }
}

TEST(JointFriction, slides_above_its_bound_with_what_is_left_of_the_load) {
  for (const MakeDrive make : drives)
    for (const double load : {-7.0, 3.001, 5.0}) {
      const Braked braked = make_braked(make, {.inertia = inertia, .load = load}, 1e-8);
      State state = braked.model.initial_state();
      Workspace work(braked.model);
      const double left = load > 0 ? load - bound : load + bound;
      for (int n = 1; n <= 200; ++n) {
        take_steps(Spook{.h = h}, braked.model, 1, state, work);
        // Sliding is slower than δ × bound at first when the load is just above the bound: then the
        // friction is still that of creep, which differs from the bound by v/δ.
        const double v = n * h * left / inertia;
        ASSERT_NEAR(state.v(braked.speed), v, std::abs(v) * 1e-13 + n * 1e-15) << n;
      }
    }
}

// v_n = v₀ − n h T/I while positive. The stop comes at v₀ I/T within a step; from there the speed
// falls by σ/(1 + σ) = 1.2e-6 a step, to nothing, and stays there: dry friction does not turn
// round.
TEST(JointFriction, stops_a_wheel_in_the_time_of_the_closed_form_and_keeps_it_there) {
  for (const MakeDrive make : drives)
    for (const double start : {4.0, -1.23}) {
      const Braked braked = make_braked(make, {.inertia = inertia, .speed = start}, 1e-8);
      State state = braked.model.initial_state();
      Workspace work(braked.model);
      const double stop = std::abs(start) * inertia / bound;  // [s]
      double stopped_at = -1.0, place = 0.0;
      for (int n = 1; n <= 400; ++n) {
        take_steps(Spook{.h = h}, braked.model, 1, state, work);
        const double v = std::abs(state.v(braked.speed));
        if (n * h < stop) {
          ASSERT_NEAR(v, std::abs(start) - n * h * bound / inertia, n * 1e-15) << n;
        } else if (n * h > stop + 4 * h) {
          ASSERT_LT(v, 1e-15) << n;
        }
        if (stopped_at < 0.0 && v < 1e-5) stopped_at = n * h, place = state.s(0);
      }
      EXPECT_NEAR(stopped_at, stop, h);
      EXPECT_NEAR(state.s(0), place, 1e-5 * h * 2);
    }
}

// Friction between two wheels that float: the inner torque cannot change the sum of momenta, and
// they end with the common speed (I₁ ω₁ + I₂ ω₂)/(I₁ + I₂).
TEST(JointFriction, between_two_wheels_brings_them_to_their_common_speed) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId first =
      b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 8.0), .angular_velocity = {0, 0, 5.0}});
  const BodyId second =
      b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 24.0), .angular_velocity = {0, 0, -3.0}});
  b.add_joint(Hinge{.b = first});
  const JointId clutch = b.add_joint(Hinge{.a = first, .b = second});
  b.add_control(Friction{.on = clutch, .max_force = bound});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  const double I1 = 1.0, I2 = 3.0, stop = 8.0 / (bound / I1 + bound / I2);
  double stopped_at = -1.0;
  for (int n = 1; n <= 300; ++n) {
    take_steps(Spook{.h = h}, model, 1, state, work);
    ASSERT_NEAR(state.p(5) + state.p(11), 5.0 * I1 - 3.0 * I2, 1e-12);
    if (stopped_at < 0.0 && std::abs(state.v(5) - state.v(11)) < 1e-4) stopped_at = n * h;
  }
  EXPECT_NEAR(stopped_at, stop, h);
  EXPECT_NEAR(state.v(5), (5.0 * I1 - 3.0 * I2) / (I1 + I2), 1e-12);
  EXPECT_NEAR(state.v(11), state.v(5), 1e-12);
}

}  // namespace
}  // namespace ligament
