// SPDX-License-Identifier: Apache-2.0
// Friction without anchors, a viscous brake of given mobility, and friction that there is none.
#include <gtest/gtest.h>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81;

class Braked : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Braked, ::testing::ValuesIn(both_methods()), name_of_method);

// A ball on a slope that sticks and does not roll: its contact gives way by `slip` m/s per newton,
// and it turns by slip/ρ² rad/s per newton metre, as a rim at the lever ρ of rolling friction
// would. Under F = m g sin α the centre moves with slip F (1 + r²/ρ²). Inertia is overcome
// after the time 7/5 m r² slip/ρ² = 0.1 ms; the overlap shortens r by 5e-8 of it.
TEST_P(Braked, ball_that_does_not_roll_creeps_by_its_slip) {
  const double slope = 0.1, radius = 0.1, slip = 1e-6;
  for (const double lever : {0.02, 0.04}) {
    Material rough = scenes::surface(0.5);
    rough.rolling_friction = lever;
    const Model model =
        scenes::make_ball_on_incline({.slope = slope, .radius = radius, .contact = rough});
    const Method method = with_contacts(GetParam(), {.anchored = false, .slip = slip});
    State state = model.initial_state();
    expect_clean(run(model, method.stepper, state, {.t_end = 0.5}), method);
    const double force = g * std::sin(slope), ratio = radius / lever;
    const double speed = velocity_of(model, state, *model.find_body("ball")).norm();
    EXPECT_NEAR(speed / (slip * force * (1.0 + ratio * ratio)), 1.0, 1e-6);
  }
}

TEST_P(Braked, block_without_friction_falls_along_the_slope) {
  const double slope = 0.3, time = 1.0, h = step_of(GetParam());
  const Model model = scenes::make_block_on_incline({.slope = slope});
  const BodyId block = *model.find_body("block");
  const Method method = with_contacts(GetParam(), {.friction = FrictionLaw::none});
  State state = model.initial_state();
  const Vec3 start = compute_pose(model, state, block).p;
  const RunReport report = run(model, method.stepper, state, {.t_end = time});
  expect_clean(report, method);
  EXPECT_GT(report.contacts, 0);
  // v grows by g h sin α a step, and the way is its sum: ½ g t (t + h) sin α. What the block sinks
  // in, ε × load, turns it by less than 1e-7 rad.
  const double t = h * static_cast<double>(report.steps);
  EXPECT_NEAR(velocity_of(model, state, block).norm(), g * t * std::sin(slope), 1e-6);
  EXPECT_NEAR((compute_pose(model, state, block).p - start).norm(),
              0.5 * g * t * (t + h) * std::sin(slope), 1e-6);
}

// RegularizedVi pushes penetrations out slowly if asked to; anchors know no penetration. A block
// that is pushed to either side stretches its contacts as with Relaxed: by ε F over their number.
TEST(RegularizedVi, anchors_hold_the_same_to_either_side) {
  const double push = 2.0;  // [m/s²] sideways, below μ g
  const auto stretch_of = [&](double side, const Stepper& stepper) {
    ModelBuilder b{{.gravity = {side * push, 0, -g}}};
    const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
    b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
    const Vec3 half(0.2, 0.2, 0.05);
    const BodyId id =
        b.add_body({.name = "block", .mass = box_of_mass(half, 1.0), .position = {0, 0, half.z()}});
    b.add_shape({.body = id, .geometry = BoxShape{half}, .material = stuff});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    EXPECT_EQ(run(model, stepper, state, {.t_end = 2.0}).status, RunStatus::completed);
    return compute_pose(model, state, *model.find_body("block")).p.x();
  };
  for (const double push_out : {1.0, 0.2}) {
    const RegularizedVi vi{.contacts = {.friction = FrictionLaw::cone}, .push_out = push_out};
    const double there = stretch_of(1.0, vi), back = stretch_of(-1.0, vi);
    EXPECT_NEAR(there / -back, 1.0, 1e-6);
    if (push_out == 1.0) {
      EXPECT_NEAR(there / stretch_of(1.0, Relaxed{}), 1.0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace ligament
