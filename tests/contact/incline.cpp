// SPDX-License-Identifier: Apache-2.0
// A block on an incline: it sticks below the friction angle and slides with g (sin α − μ cos α)
// above it, whichever way the incline faces and however the block lies on it.
//
// Momentum along and across the plane is exact in a step, and every sliding contact brakes with
// μ λ_n: v_t = g t (sin α − μ cos α) − μ v_n, where v_n is what is left of the settling. So what
// remains is what the solver leaves, a part of h g in each step.
#include <gtest/gtest.h>

#include <numbers>

#include "analytic/dry_friction.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"

namespace ligament {
namespace {

using scenes::InclineOptions;

struct Slide {
  Vec3 velocity;  // in the axes of the incline
  Vec3 way;
  double spin;  // [rad/s]
};

Slide slide_for(double time, const InclineOptions& options, const Method& method) {
  const Model model = scenes::make_block_on_incline(options);
  const BodyId block = *model.find_body("block");
  State state = model.initial_state();
  const RunReport report = run(model, method.stepper, state, {.t_end = time});
  expect_clean(report, method);
  const Quat axes = scenes::axes_of(options);
  const Vec3 way =
      compute_pose(model, state, block).p - compute_pose(model, model.initial_state(), block).p;
  return {axes.conjugate() * velocity_of(model, state, block), axes.conjugate() * way,
          compute_angular_velocity(model, state, block).norm()};
}

class Incline : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Incline, ::testing::ValuesIn(all_methods()), name_of_method);

constexpr double pi = std::numbers::pi;

TEST_P(Incline, block_slides_with_g_sin_minus_mu_g_cos) {
  const InclineOptions options{.slope = 35.0 * pi / 180, .contact = scenes::surface(0.5)};
  const double time = 2.0, a = analytic::sliding_acceleration(9.81, options.slope, 0.5);
  const double left = GetParam().error * 9.81 * time;  // [m/s] by the solver
  const Slide slide = slide_for(time, options, GetParam());
  EXPECT_NEAR(measured("speed error [m/s]", slide.velocity.x() - time * a), 0.0, left);
  EXPECT_LT(std::abs(slide.velocity.y()), left);
  EXPECT_LT(slide.spin * options.half.norm(), left);
}

// Whatever the direction, the same speed, straight down: to 1e-6, for these blocks are turned
// against their contacts and tangents.
TEST_P(Incline, friction_is_the_same_in_every_direction) {
  const double slope = 0.6, time = 1.0;
  double speed_error = 0.0, direction_error = 0.0;
  const double exact = time * analytic::sliding_acceleration(9.81, slope, 0.5);
  for (int i = 0; i < 8; ++i) {
    const InclineOptions options{.slope = slope,
                                 .azimuth = 0.8 * i,
                                 .heading = 0.3 * i * i,
                                 .contact = scenes::surface(0.5)};
    const Slide slide = slide_for(time, options, GetParam());
    speed_error = std::max(speed_error, std::abs(slide.velocity.norm() / exact - 1.0));
    direction_error =
        std::max(direction_error, std::abs(std::atan2(slide.velocity.y(), slide.velocity.x())));
  }
  EXPECT_LT(measured("relative error of speeds", speed_error), 1e-6);
  EXPECT_LT(measured("error of directions [rad]", direction_error), 1e-6);
}

// A thousandth below and above the friction angle, whatever the direction. Below, the block only
// gives way by its compliance: at most ε μ m g of one corner that carries all, and again as much
// while it settles.
TEST_P(Incline, block_sticks_below_the_friction_angle_and_slides_above_it) {
  const double mu = 0.5, limit = std::atan(mu), time = 5.0;
  double way = 0.0, speed_error = 0.0;
  for (int i = 0; i < 4; ++i) {
    InclineOptions options{
        .slope = 0.999 * limit, .azimuth = 0.4 + 1.7 * i, .heading = 0.3 * i * i};
    way = std::max(way, slide_for(time, options, GetParam()).way.norm());
    options.slope = 1.001 * limit;
    const double speed = time * analytic::sliding_acceleration(9.81, options.slope, mu);
    const Slide above = slide_for(time, options, GetParam());
    speed_error = std::max(speed_error, std::abs(above.velocity.x() - speed));
  }
  EXPECT_LT(measured("way below [m]", way), 2 * 1e-8 * mu * 9.81);
  EXPECT_LT(measured("speed error above [m/s]", speed_error), GetParam().error * 9.81 * time);
}

// The numbers of the prototypes: g = 10, ε = b_D = 1e-8, box friction without memory, damping of
// two steps, by pivoting.
Relaxed prototype() {
  return {.h = 1.0 / 60,
          .solver = BlockPivot{},
          .damping_steps = 2.0,
          .contacts = {.friction = FrictionLaw::box, .anchored = false, .slip = 1e-8}};
}

// C2 of the acceptance table. Sliding along a tangent, where the box is Coulomb's law: 2 g (sin α −
// μ cos α) as above, b_D times a force of 1 N apart.
TEST(BoxFriction, block_slides_at_the_speed_of_the_prototype) {
  const InclineOptions options{.slope = 0.6, .gravity = 10.0, .half = Vec3::Constant(0.5)};
  const Slide slide = slide_for(2.0, options, {"prototype", prototype()});
  EXPECT_NEAR(measured("C2 speed after 2 s", slide.velocity.x()), 3.0395, 1e-4);
  EXPECT_NEAR(slide.velocity.x(), 20.0 * (std::sin(0.6) - 0.5 * std::cos(0.6)), 1e-7);
}

// C3: without memory a block that sticks creeps at b_D times the force on each of its corners.
TEST(BoxFriction, block_creeps_without_memory) {
  const InclineOptions options{.slope = 0.3, .gravity = 10.0, .half = Vec3::Constant(0.5)};
  const Slide slide = slide_for(2.0, options, {"prototype", prototype()});
  const double creep = 1e-8 * 10.0 * std::sin(0.3) / 4;
  EXPECT_NEAR(measured("C3 creep over its closed form", slide.velocity.x() / creep), 1.0, 0.01);
}

}  // namespace
}  // namespace ligament
