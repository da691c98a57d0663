// SPDX-License-Identifier: Apache-2.0
// A disc that rolls without slip: nonholonomic rows against the closed forms of the rolling disc.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ligament/simulation/diagnosis.h"
#include "support/fit.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81, radius = 0.3, mass = 2.0;
constexpr double axial = 0.5 * mass * radius * radius,
                 diametral = 0.5 * axial;  // [kg m²] thin disc

MassProperties make_disc() {
  return {.mass = mass, .inertia = Vec3(diametral, diametral, axial).asDiagonal()};
}

// Straight down an incline, a = g sin α/(1 + C/(m R²)) = (2/3) g sin α. The rows are linear along
// this motion: the stepper's own recursion is x_n = a h² n(n + 1)/2, up to the slip, 1e-8 ×
// friction a second, and the sag.
TEST(RollingDisc, rolls_down_an_incline_at_two_thirds_of_its_slope) {
  const double slope = 0.4, h = 0.01;
  const Vec3 down(std::cos(slope), 0, -std::sin(slope)),
      normal(std::sin(slope), 0, std::cos(slope));
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  const Quat upright(Eigen::AngleAxisd(0.5 * pi, Vec3::UnitX()));  // axis of the disc along −y
  const BodyId disc =
      b.add_body({.mass = make_disc(), .position = radius * normal, .orientation = upright});
  b.add_joint(RollingDisc{.b = disc,
                          .point = radius * normal,
                          .axis = Vec3::UnitY(),
                          .normal = normal,
                          .radius = radius});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  const long n = 300;
  run(model, Spook{.h = h}, state, {.steps = n});
  const double a = 2.0 / 3.0 * g * std::sin(slope);
  const Vec3 moved = state.q.segment<3>(7) - radius * normal;
  const double slip = 1e-8 * mass * g * n * h;
  EXPECT_NEAR(moved.dot(down), a * h * h * n * (n + 1) / 2, 10 * slip);
  EXPECT_NEAR(moved.dot(normal), 0.0, 1e-8 * mass * g * 2);
  EXPECT_NEAR(moved.y(), 0.0, 1e-12);
}

// A steady turn. e₃ the axis of the disc at θ from the vertical z, e₁ horizontal in its plane,
// e₂ = e₃ × e₁ up in its plane; ω = Ω z + (n − Ω cos θ) e₃. Balance of moments about the centre:
//     (C + m R²) n Ω sin θ − A Ω² sin θ cos θ + m g R cos θ = 0
struct SteadyTurn {
  double theta = 1.2, Omega = 1.5;  // [rad], [rad/s]
  double spin() const {
    return (diametral * Omega * Omega * std::sin(theta) * std::cos(theta) -
            mass * g * radius * std::cos(theta)) /
           ((axial + mass * radius * radius) * Omega * std::sin(theta));
  }
};

Model make_turning_disc(const SteadyTurn& turn) {
  const Vec3 e1 = Vec3::UnitX(), e3(0, -std::sin(turn.theta), std::cos(turn.theta));
  const Vec3 e2 = e3.cross(e1);
  Mat3 axes;
  axes << e1, e2, e3;
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  const BodyId disc =
      b.add_body({.mass = make_disc(),
                  .position = radius * e2,
                  .orientation = Quat(axes),
                  .velocity = -turn.spin() * radius * e1,
                  .angular_velocity = turn.Omega * std::sin(turn.theta) * e2 + turn.spin() * e3});
  b.add_joint(RollingDisc{.b = disc, .point = radius * e2, .axis = e3, .radius = radius});
  return std::move(b).build();
}

struct TurnErrors {
  double lean = 0.0;    // [rad] farthest from θ
  double circle = 0.0;  // [m] farthest from the circle of the centre
};

TurnErrors follow_turn(double h) {
  const SteadyTurn turn;
  const Model model = make_turning_disc(turn);
  const double theta = turn.theta, around = -turn.spin() * radius / turn.Omega;
  // The centre moves at v along e₁ and turns with Ω: its circle's middle is z × v/Ω away.
  const Vec3 start = model.initial_state().q.segment<3>(7);
  const Vec3 middle = start + around * Vec3::UnitY();
  TurnErrors errors;
  State state = model.initial_state();
  const auto look = [&](const Sample& sample) {
    const Frame pose = compute_pose(model, sample.state, BodyId{1});
    const double lean = std::acos((pose.R * Vec3::UnitZ()).z());
    errors.lean = std::max(errors.lean, std::abs(lean - theta));
    const Vec3 arm = pose.p - middle;
    errors.circle =
        std::max(errors.circle, std::abs(std::hypot(arm.x(), arm.y()) - std::abs(around)));
  };
  const RunReport report =
      run(model, Spook{.h = h}, state,
          {.t_end = 2 * pi / turn.Omega, .staggered_start = true, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed);
  return errors;
}

// The steady turn is a solution; the stepper leaves it by no more than its order, at least one.
// (The lean error is c h (1 − a h) with a of some 30/s: a fit at 4 ms would read 0.9.)
TEST(RollingDisc, keeps_a_steady_turn) {
  std::vector<double> steps, leans, circles;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const TurnErrors errors = follow_turn(h);
    steps.push_back(h);
    leans.push_back(errors.lean);
    circles.push_back(errors.circle);
  }
  measured("lean error at h = 5e-4 [rad]", leans.back());
  measured("circle error at h = 5e-4 [m]", circles.back());
  EXPECT_GT(measured("order of the lean", fit_exponent(steps, leans)), 0.9);
  EXPECT_GT(measured("order of the circle", fit_exponent(steps, circles)), 0.9);
  // First order: the velocities of the rows lead by at most h in a turn at ω ≈ 10 rad/s.
  EXPECT_LT(leans.back(), 5e-4 * 10.0);
  EXPECT_LT(circles.back(), 5e-4 * 10.0);
}

TEST(RollingDisc, has_three_degrees_of_freedom) {
  const Diagnosis diagnosis = diagnose(make_turning_disc({}), Spook{.h = 1e-3});
  EXPECT_EQ(diagnosis.degrees_of_freedom, 3);
  EXPECT_TRUE(diagnosis.redundant.empty());
}

}  // namespace
}  // namespace ligament
