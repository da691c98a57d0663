// SPDX-License-Identifier: Apache-2.0
// Free bodies that spin: momentum, energy and attitude without any constraint (E1, E2, E3 and E7 of
// the acceptance table), through the stepper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analytic/tops.h"
#include "ligament/steppers/gyroscopic.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;
const Vec3 triaxial{1.0, 2.0, 2.5};  // [kg m²]

// One body in empty space. Its moments may be given in axes that are not the body's own.
Model make_free_body(const Vec3& moments, const Vec3& w, const Quat& e = Quat::Identity(),
                     const Mat3& axes = Mat3::Identity()) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  b.add_body({.name = "body",
              .mass = {.mass = 2.0, .inertia = axes * moments.asDiagonal() * axes.transpose()},
              .orientation = e,
              .angular_velocity = w});
  return std::move(b).build();
}

// Mostly about the middle axis, where free rotation is unstable and the body tumbles.
Vec3 near_middle_axis(double speed) { return speed * Vec3(0.1, 1.0, 0.1).normalized(); }

Vec3 angular_momentum(const State& state) { return state.p.segment<3>(3); }

struct Tumbling {
  double energy_band = 0.0;      // largest |E/E₀ − 1|
  double momentum_change = 0.0;  // largest |l − l₀|/|l₀|
};

Tumbling tumble(const Model& model, const Stepper& stepper, int steps) {
  State state = model.initial_state();
  Workspace work(model);
  const double E = compute_energy(model, state).total();
  const Vec3 l = angular_momentum(state);
  Tumbling result;
  for (int i = 0; i < steps; ++i) {
    if (!step(stepper, model, state, work).ok()) return {1e300, 1e300};
    const double now = compute_energy(model, state).total();
    result.energy_band = std::max(result.energy_band, std::abs(now / E - 1.0));
    result.momentum_change =
        std::max(result.momentum_change, (angular_momentum(state) - l).norm() / l.norm());
  }
  return result;
}

// E1. h w = 0.1. The momentum is stored and no impulse acts on it; the energy is kept by the
// midpoint rule up to the Newton tolerance of 1e-13 a step: at most 1e-8 in 1e5 steps, and far less
// as Newton's last iteration overshoots it.
TEST(FreeBody, midpoint_keeps_energy_and_momentum_for_1e5_steps) {
  const Model model = make_free_body(triaxial, near_middle_axis(6.0));
  for (const Stepper& stepper : both_steppers(h)) {
    const Tumbling result = tumble(model, stepper, 100000);
    EXPECT_LT(measured("E1 energy", result.energy_band), 1e-9);
    EXPECT_LT(measured("E1 momentum", result.momentum_change), 1e-10);
  }
}

// The same body described in axes that are not principal: the model finds them.
TEST(FreeBody, does_not_depend_on_the_axes_that_describe_it) {
  const Quat turn = Random(5).rotation();
  const Vec3 w = near_middle_axis(6.0);
  const Model straight = make_free_body(triaxial, w);
  const Model turned = make_free_body(triaxial, w, turn.conjugate(), turn.toRotationMatrix());
  State a = straight.initial_state(), b = turned.initial_state();
  Workspace work_a(straight), work_b(turned);
  take_steps(Spook{.h = h}, straight, 300, a, work_a);
  take_steps(Spook{.h = h}, turned, 300, b, work_b);
  // 5 s of tumbling at 6 rad/s. Neighbouring motions part as exp(w √((I₂−I₁)(I₃−I₂)/(I₁I₃)) t) =
  // exp(2.7 t): 1e-16 × e¹³ is 6e-11.
  const Quat attitude_b = compute_pose(turned, b, {1}).R * turn;
  EXPECT_LT(compute_pose(straight, a, {1}).R.angularDistance(attitude_b), 1e-9);
}

// E2. The drift is a splitting: energy stays in a band of width O((h w)²).
TEST(FreeBody, symmetric_top_drift_keeps_energy_in_a_band) {
  const Spook drift{.h = h, .gyroscopic = Gyroscopic::kick_drift};
  const Tumbling slow = tumble(make_free_body(triaxial, near_middle_axis(6.0)), drift, 100000);
  const Tumbling fast = tumble(make_free_body(triaxial, near_middle_axis(60.0)), drift, 100000);
  EXPECT_LT(measured("E2 energy band, h w = 0.1", slow.energy_band), 2e-4);
  EXPECT_LT(measured("E2 energy band, h w = 1", fast.energy_band), 2e-2);
  EXPECT_LT(slow.momentum_change, 1e-10);
  EXPECT_LT(fast.momentum_change, 1e-10);
}

// E3. With two equal moments the drift is the exact motion: energy and attitude to rounding, which
// in 1e4 steps adds up to at most 1e4 × 2e-16 × (angle of a step).
TEST(FreeBody, symmetric_top_drift_is_exact_for_a_symmetric_top) {
  const Spook drift{.h = h, .gyroscopic = Gyroscopic::kick_drift};
  const Vec3 l{20.0, -35.0, 110.0};
  for (const Vec3& moments : {Vec3(1, 1, 1.8), Vec3(2, 2, 0.5), Vec3(1.5, 1.5, 1.5)}) {
    const Quat e = Random(6).rotation();
    const Vec3 w = e * (e.conjugate() * l).cwiseQuotient(moments);
    const Model model = make_free_body(moments, w, e);
    const Tumbling result = tumble(model, drift, 10000);
    EXPECT_LT(measured("E3 energy", result.energy_band), 1e-10);
    State state = model.initial_state();
    Workspace work(model);
    take_steps(drift, model, 10000, state, work);
    const Quat exact = analytic::free_symmetric_top(moments, e, l, 10000 * h);
    EXPECT_LT(compute_pose(model, state, {1}).R.angularDistance(exact), 1e-9);
  }
}

// The midpoint rule is of second order in the attitude: halving h divides the error by four.
TEST(FreeBody, midpoint_attitude_converges_with_the_square_of_the_step) {
  const Vec3 moments{1, 1, 1.8}, w{2.0, -1.0, 4.0};
  const Model model = make_free_body(moments, w);
  const auto error_at = [&](int steps) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = 1.0 / steps}, model, steps, state, work);
    const Quat exact = analytic::free_symmetric_top(moments, Quat::Identity(),
                                                    angular_momentum(model.initial_state()), 1.0);
    return compute_pose(model, state, {1}).R.angularDistance(exact);
  };
  for (const int steps : {120, 240}) {
    const double ratio = error_at(steps) / error_at(2 * steps);
    EXPECT_NEAR(ratio, 4.0, 0.1) << steps;  // the next order is (h w)² = 1.5e-3 of it
  }
}

// [GY.1] and its tangent: what the midpoint solver returns solves the equation, and the tangent is
// its derivative (central difference, step 1e-6: 1e-10 of rounding, no third derivative).
TEST(Midpoint, solves_its_equation_and_has_the_right_tangent) {
  Random random(17);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 I(random.uniform(1, 1.9), random.uniform(1, 1.9), random.uniform(1, 1.9));
    const Vec3 l = random.vector(random.scale(0.1, 100.0));
    const auto value = [&](const Vec3& w) -> Vec3 {
      const Vec3 Iw = I.cwiseProduct(w);
      return Iw + 0.5 * h * w.cross(Iw);
    };
    Vec3 w = l.cwiseQuotient(I);
    ASSERT_TRUE(solve_midpoint(I, l, h, w));
    EXPECT_LT((value(w) - l).norm(), 1e-12 * l.norm());
    const Mat3 tangent = compute_midpoint_tangent(I, w, h);
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = 1e-6 * Vec3::Unit(k);
      const Vec3 slope = (value(w + d) - value(w - d)) / 2e-6;
      EXPECT_LT((slope - tangent.col(k)).norm(), 1e-8 * (1.0 + w.norm()));
    }
  }
}

// E7, a negative control: the gyroscopic torque −w × I w added explicitly, as many engines did.
TEST(ExplicitGyroscopicTorque, blows_up) {
  Vec3 w = near_middle_axis(6.0);
  Quat e = Quat::Identity();
  const double start = 0.5 * w.dot(triaxial.cwiseProduct(w));
  int step_of_tenfold = -1;
  for (int i = 0; i < 10000 && step_of_tenfold < 0; ++i) {
    const Mat3 R = e.toRotationMatrix();
    const Mat3 inertia = R * triaxial.asDiagonal() * R.transpose();
    const Mat3 inverse = R * triaxial.cwiseInverse().asDiagonal() * R.transpose();
    w += h * (inverse * (-w.cross(Vec3(inertia * w))));
    e = cayley_turn(h * w, e);
    const Vec3 w_B = e.conjugate() * w;
    if (!(0.5 * w_B.dot(triaxial.cwiseProduct(w_B)) < 10.0 * start)) step_of_tenfold = i;
  }
  measured("E7 step of tenfold energy", step_of_tenfold);
  EXPECT_GE(step_of_tenfold, 0);
}

}  // namespace
}  // namespace ligament
