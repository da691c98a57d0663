// SPDX-License-Identifier: Apache-2.0
// Impacts with closed forms: balls, cradles and billiards.
#include <gtest/gtest.h>

#include <cmath>

#include "analytic/bounces.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

constexpr double g = 9.81;

Model make_ball(double e, double height, double speed = 0.0) {
  return scenes::make_ball_on_incline(
      {.gravity = g,
       .height = height,
       .velocity = {0, 0, speed},
       .contact = {.friction = 0.5, .restitution = e, .compliance = 1e-8}});
}

struct Fall {
  std::vector<ImpactRecord> impacts;
  double rest_since = 0.0;  // [s]
  double speed = 0.0, height = 0.0;
};

Fall drop(const Model& model, const Trapezoidal& method, double t_end) {
  State state = model.initial_state();
  Fall fall;
  const auto watch = [&](const Sample& sample) {
    const auto& impacts = sample.work.trapezoidal.impacts;
    fall.impacts.insert(fall.impacts.end(), impacts.begin(), impacts.end());
    const BodyId ball = *model.find_body("ball");
    fall.speed = velocity_of(model, sample.state, ball).norm();
    fall.height = compute_pose(model, sample.state, ball).p.z() - 0.1;
    if (fall.speed > 1e-6) fall.rest_since = sample.state.t;
  };
  const RunReport report = run(model, method, state, {.t_end = t_end, .observers = {watch}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  return fall;
}

// Free flight is a parabola, which the trapezoidal rule follows exactly: bounce times are right to
// rounding for as long as there is at most one bounce a step.
TEST(Bouncing, times_are_exact_and_the_ball_comes_to_rest_in_time) {
  const double h = 0.01;
  for (const double e : {0.5, 0.9}) {
    const analytic::Bounces exact{.gravity = g, .height = 1.0, .e = e};
    const Fall fall = drop(make_ball(e, 1.0), {.h = h}, exact.end() + 1.0);
    int checked = 0;
    for (int k = 1; exact.time(k + 1) - exact.time(k) > 2.0 * h; ++k, ++checked)
      EXPECT_NEAR(fall.impacts.at(static_cast<std::size_t>(k - 1)).t / exact.time(k), 1.0, 1e-6);
    EXPECT_GE(checked, 5);
    // From there on a step holds a bounce or two: the speed e^k √(2 g) falls below plastic_speed
    // within ln(1e6 · g h)/ln(1/e) bounces, one a step at least.
    const double left = std::log(1e6 * g * h) / std::log(1.0 / e) * h;
    EXPECT_NEAR(measured("at rest since", fall.rest_since), exact.end(), left + 2.0 * h);
    EXPECT_LT(measured("speed", fall.speed), 1e-6);
    EXPECT_LT(measured("height", std::abs(fall.height)), 1e-9);
  }
}

// Test 16 of the method.
TEST(Bouncing, ball_of_the_acceptance_table) {
  const Fall fall = drop(make_ball(0.5, 1.0), plain(0.01), 3.0);
  EXPECT_LT(fall.speed, 1e-6);
  EXPECT_LT(measured("height", std::abs(fall.height)), 1e-10);
  EXPECT_LT(measured("impacts", static_cast<double>(fall.impacts.size())), 60);
}

// Test 18: what is closed and arrives is hit, with restitution, and not reflected.
TEST(Bouncing, closed_contact_that_arrives_is_an_impact) {
  const Model model = make_ball(0.5, 0.0, -1.0);
  State state = model.initial_state();
  Workspace work(model);
  ASSERT_TRUE(step(Trapezoidal{.h = 0.01}, model, state, work).ok());
  ASSERT_EQ(work.trapezoidal.impacts.size(), 1U);
  EXPECT_NEAR(work.trapezoidal.impacts[0].speed_before, -1.0, 1e-12);
  EXPECT_NEAR(work.trapezoidal.impacts[0].speed_after, 0.5, 1e-9);
  EXPECT_NEAR(state.v(2), 0.5 - g * 0.01, 1e-9);
}

// Balls that nearly touch hit one after the other: the last one leaves with all the speed.
TEST(Cradle, passes_the_speed_on) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const MaterialId steel = b.add_material({"steel", {.friction = 0.0, .restitution = 1.0}});
  for (int i = 0; i < 5; ++i) {
    const BodyId ball = b.add_body({.name = "ball " + std::to_string(i),
                                    .mass = sphere_of_mass(0.1, 1.0),
                                    .position = {i * (0.2 + 1e-6) - (i == 0 ? 0.1 : 0.0), 0, 0},
                                    .velocity = {i == 0 ? 2.0 : 0.0, 0, 0}});
    b.add_shape({.body = ball, .geometry = SphereShape{0.1}, .material = steel});
  }
  const Model model = std::move(b).build();
  State state = model.initial_state();
  const RunReport report = run(model, Trapezoidal{.h = 0.01}, state, {.t_end = 0.1});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  for (std::uint32_t i = 1; i <= 5; ++i)
    EXPECT_NEAR(velocity_of(model, state, {i}).x(), i == 5 ? 2.0 : 0.0, 1e-9) << i;
}

struct Billiard {
  int hits = 0;
  double energy_change = 0.0;
};

// Galperin 2003: a heavy block comes, a light one is between it and a wall; ⌊π √(M/m)⌋ hits.
Billiard play(double ratio, double h, double t_end) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const MaterialId steel = b.add_material({"steel", {.friction = 0.0, .restitution = 1.0}});
  b.add_shape({.name = "wall",
               .geometry = HalfSpaceShape{},
               .pose = {.R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())},
               .material = steel});
  for (int i = 0; i < 2; ++i) {
    const Vec3 place(i == 0 ? 1.1 : 1.31, 0, 0), half = Vec3::Constant(0.1);
    const BodyId block = b.add_body({.name = i == 0 ? "light" : "heavy",
                                     .mass = box_of_mass(half, i == 0 ? 1.0 : ratio),
                                     .position = place,
                                     .velocity = {i == 0 ? 0.0 : -1.0, 0, 0}});
    b.add_shape({.name = i == 0 ? "light" : "heavy",
                 .body = block,
                 .geometry = BoxShape{half},
                 .material = steel});
    b.add_joint(Prismatic{.b = block, .point = place, .axis = Vec3::UnitX(), .contacts = true});
  }
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Billiard out;
  const auto watch = [&](const Sample& sample) {
    // Four corners of two faces are one hit.
    double last = -1.0;
    for (const ImpactRecord& impact : sample.work.trapezoidal.impacts) {
      if (impact.t != last) ++out.hits;
      last = impact.t;
    }
    out.energy_change = std::abs(sample.energy.total() / (0.5 * ratio) - 1.0);
  };
  const RunReport report =
      run(model, Trapezoidal{.h = h}, state, {.t_end = t_end, .observers = {watch}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  return out;
}

// A step holds one hit of each contact at most. In the unfolded billiard, a straight line that
// passes a corner of the angle √(m/M) at the distance √m x, hits are (x/V)(m/M) apart at least,
// those of one contact twice as far; x = 1 m from the wall, V = 1 m/s. The last hit is at the angle
// 314 · 0.01 of π, (x/V) 0.01/(π − 3.14) ≈ 6 s after the closest approach.
TEST(Galperin, counts_the_digits_of_pi) {
  const Billiard hundred = play(100.0, 0.01, 3.0);
  EXPECT_EQ(hundred.hits, 31);
  EXPECT_LT(measured("energy", hundred.energy_change), 1e-9);
  const Billiard myriad = play(10000.0, 5e-5, 10.0);
  EXPECT_EQ(myriad.hits, 314);
  EXPECT_LT(measured("energy", myriad.energy_change), 1e-8);
}

}  // namespace
}  // namespace ligament::trapezoidal
