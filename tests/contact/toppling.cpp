// SPDX-License-Identifier: Apache-2.0
// Bodies that tip, slip and fall: the box on an incline, the rod that leaves its wall, Painlevé's
// rod.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analytic/falling_bodies.h"
#include "support/contact_scenes.h"
#include "support/fit.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81;

class Toppling : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Toppling, ::testing::ValuesIn(both_methods()), name_of_method);

// ---- A box that is twice as high as wide ----

constexpr analytic::TippingBox tower{.gravity = g, .half_width = 0.1, .half_height = 0.2};

struct Motion {
  double tilt;  // [rad] against the incline
  double way;   // [m]
};

Motion stand(double slope, double mu, double time, const Method& method) {
  const scenes::InclineOptions options{.slope = slope,
                                       .azimuth = 0.7,
                                       .half = {tower.half_width, 0.15, tower.half_height},
                                       .contact = scenes::surface(mu)};
  const Model model = scenes::make_block_on_incline(options);
  const BodyId block = *model.find_body("block");
  State state = model.initial_state();
  expect_clean(run(model, method.stepper, state, {.t_end = time}), method);
  const Frame start = compute_pose(model, model.initial_state(), block);
  const Frame end = compute_pose(model, state, block);
  return {end.R.angularDistance(start.R), (end.p - start.p).norm()};
}

// Where it stands, its corners give way by compliance × load: one edge may carry all.
constexpr double sink = 1e-8 * g;

TEST_P(Toppling, box_with_friction_stands_until_its_centre_is_over_the_edge) {
  const double limit = tower.critical_slope(), mu = 0.8, time = 2.0;
  const Motion below = stand(0.999 * limit, mu, time, GetParam());
  EXPECT_LT(measured("tilt below [rad]", below.tilt), 2 * sink / tower.half_width);
  // θ = (α − α_c)(cosh ω t − 1). The scheme is half a step ahead, h ω/2 · coth(ω t/2), and grows by
  // (ω h)²/24 too slowly; small angles are θ²/6 off; the start, ε m g/b of tilt, counts as slope.
  const double slope = 1.001 * limit, t = 0.8, w = tower.rate(), h = step_of(GetParam());
  const double exact = tower.angle(slope, t);
  const double allowed = 0.5 * h * w / std::tanh(0.5 * w * t) + h * h * w * w + exact * exact / 6 +
                         2 * sink / tower.half_width / (slope - limit);
  EXPECT_NEAR(
      measured("tilt above over the closed form", stand(slope, mu, t, GetParam()).tilt / exact),
      1.0, allowed);
  EXPECT_GT(measured("tilt above, later [rad]", stand(slope, mu, 2.5, GetParam()).tilt), 1.0);
}

TEST_P(Toppling, slippery_box_slides_before_it_tips) {
  const double mu = 0.3, limit = std::atan(mu), time = 2.0;
  ASSERT_LT(limit, tower.critical_slope());
  const Motion below = stand(0.999 * limit, mu, time, GetParam());
  EXPECT_LT(below.way, 2 * sink);
  const double slope = 1.02 * limit;
  const Motion above = stand(slope, mu, time, GetParam());
  EXPECT_LT(measured("tilt [rad]", above.tilt), 2 * sink / tower.half_width);
  // x = Σ h v: half a step ahead of ½ a t².
  const double a = g * (std::sin(slope) - mu * std::cos(slope));
  EXPECT_NEAR(above.way / (0.5 * a * time * time), 1.0, step_of(GetParam()) / time + 1e-5);
}

// ---- A rod at a wall ----

// A capsule between a floor and a wall without friction: forces go through the centres of its round
// ends, so that these are the ends of an ideal rod.
Model make_rod_at_wall(const analytic::RodAtWall& ideal) {
  const double radius = 0.05, length = ideal.length, start = ideal.start;
  ModelBuilder b{};
  const MaterialId smooth = b.add_material({"smooth", scenes::half_of(scenes::surface(0.0))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = smooth});
  b.add_shape({.name = "wall",
               .geometry = HalfSpaceShape{},
               .pose = {.R = scenes::turn(std::acos(0.0), Vec3::UnitY())},
               .material = smooth});
  const double inertia = length * length / 12;
  const BodyId rod =
      b.add_body({.name = "rod",
                  .mass = {.mass = 1.0, .inertia = Vec3(inertia, inertia, 1e-3).asDiagonal()},
                  .position = {radius + 0.5 * length * std::cos(start), 0,
                               radius + 0.5 * length * std::sin(start)},
                  .orientation = scenes::turn(start - std::acos(0.0), Vec3::UnitY())});
  b.add_shape({.name = "rod",
               .body = rod,
               .geometry = CapsuleShape{.radius = radius, .half_length = 0.5 * length},
               .material = smooth});
  return std::move(b).build();
}

// The height of the rod, over its length, when the wall lets go: where its force, which falls
// steadily, goes through zero, on the line through the last steps.
double leaving_sine(const analytic::RodAtWall& ideal, double h, const Method& method) {
  const Model model = make_rod_at_wall(ideal);
  const ShapeId wall = *model.find_shape("wall");
  const BodyId rod = *model.find_body("rod");
  State state = model.initial_state();
  Workspace work(model);
  const Method small = with_step(method, h);
  std::vector<double> sines, forces;
  for (int i = 0; i < 10 / h; ++i) {
    const Vec3 axis = compute_pose(model, state, rod).R * Vec3::UnitZ();
    EXPECT_TRUE(step(small.stepper, model, state, work).ok());
    double press = 0.0;
    for (const ContactRows& rows : work.contacts.rows)
      if (rows.contact.shape_a == wall) press += work.solution.lambda(rows.normal_row) / h;
    if (!(press > 0.0)) break;
    sines.push_back(std::abs(axis.z()));
    forces.push_back(press);
  }
  const std::size_t n = forces.size();
  EXPECT_GT(n, 10U);
  const double slope = (forces[n - 1] - forces[n - 3]) / (sines[n - 1] - sines[n - 3]);
  return sines[n - 1] - forces[n - 1] / slope;
}

// To what sin θ changes by in a step: cos θ θ̇ h.
TEST_P(Toppling, rod_leaves_the_wall_at_two_thirds_of_its_height) {
  const analytic::RodAtWall rod{.gravity = g, .length = 1.0, .start = 1.1};
  const double leaves = rod.leaves_at(), rate = std::cos(leaves) * rod.speed(leaves);
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const double error = leaving_sine(rod, h, GetParam()) - 2.0 / 3.0 * std::sin(rod.start);
    EXPECT_LT(std::abs(measured("sin θ − (2/3) sin θ₀, in steps", error / (rate * h))), 1.0);
  }
}

// ---- Painlevé's rod ----

// Slides on its lower end, μ = 2 and tan θ = 2, so that friction pushes it into the floor and no
// acceleration exists. What exists is a shock: the end stops within the step, however short. With
// the mobilities of a thin rod's end, 17/5 along the floor, 8/5 off it and −6/5 between them,
//     −v + (17/5) λ_t − (6/5) λ_n = 0,   −g h − (6/5) λ_t + (8/5) λ_n = 0.
TEST_P(Toppling, rod_of_painleve_stops_with_a_shock) {
  const double mu = 2.0, angle = std::atan(2.0), length = 1.0, radius = 1e-3, speed = 3.0;
  ASSERT_LT(analytic::painleve_mobility(angle, mu), 0.0);
  ModelBuilder b{};
  const MaterialId chalk = b.add_material({"chalk", scenes::half_of(scenes::surface(mu, 1e-12))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = chalk});
  const double inertia = length * length / 12;
  const BodyId rod =
      b.add_body({.name = "rod",
                  .mass = {.mass = 1.0, .inertia = Vec3(inertia, inertia, 1e-3).asDiagonal()},
                  .position = {0, 0, radius + 0.5 * length * std::sin(angle)},
                  .orientation = scenes::turn(std::acos(0.0) - angle, Vec3::UnitY()),
                  .velocity = {-speed, 0, 0}});
  b.add_shape({.name = "rod",
               .body = rod,
               .geometry = CapsuleShape{.radius = radius, .half_length = 0.5 * length},
               .material = chalk});
  const Model model = std::move(b).build();
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    const Method method = with_step(GetParam(), h);
    State state = model.initial_state();
    double first_slip = -1.0, ratio = 0.0;
    const Observer look = [&](const Sample& sample) {
      if (sample.step != 1) return;
      ASSERT_EQ(sample.work.contacts.rows.size(), 1U);
      const ContactRows& rows = sample.work.contacts.rows[0];
      first_slip = sample.work.row_speed.segment<2>(rows.friction_row).norm();
      const VecX& lambda = sample.work.solution.lambda;
      ratio = lambda.segment<2>(rows.friction_row).norm() / lambda(rows.normal_row);
    };
    const RunReport report = run(model, method.stepper, state, {.t_end = 2.0, .observers = {look}});
    // Where the rod topples over, the local problem has no definite sign, and the bound of the
    // error need not reach its tolerance; the laws hold all the same, to 1e-9 of the speed.
    EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
    EXPECT_LT(report.residual_max, 1e-9 * speed);
    EXPECT_TRUE(state.q.allFinite() && state.v.allFinite());
    // Impulses of about 1 N s give way by Σ ≤ ε/h²; the round end is 1e-3 of the length off.
    EXPECT_LT(measured("slip after the first step [m/s]", first_slip), 2e-12 / (h * h));
    const double lambda_t = (speed + 0.75 * g * h) / 2.5,
                 lambda_n = 0.625 * g * h + 0.75 * lambda_t;
    EXPECT_NEAR(measured("λ_t/λ_n", ratio), lambda_t / lambda_n, 5e-3);
    // Positions are half a step ahead of velocities: m g h V/2 of ripple.
    EXPECT_LT(report.energy.max, report.energy.initial + 0.5 * g * h * speed);
  }
}

}  // namespace
}  // namespace ligament
