// SPDX-License-Identifier: Apache-2.0
// Contacts that are looked for before they touch: they neither brake what does not reach them, nor
// let through what does.
#include <gtest/gtest.h>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81, epsilon = 1e-8;

class Approaching : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Approaching, ::testing::ValuesIn(all_methods()), name_of_method);

// A ball of 1 kg at a height above the floor, after one step.
struct After {
  double speed, height;
  int contacts;
};

After drop(double height, double speed, const Method& method) {
  const Model model = scenes::make_ball_on_incline({.radius = 0.1,
                                                    .height = height,
                                                    .velocity = {0, 0, -speed},
                                                    .contact = scenes::surface(0.5, epsilon)});
  const BodyId ball = *model.find_body("ball");
  State state = model.initial_state();
  Workspace work(model);
  const StepReport report = step(method.stepper, model, state, work);
  EXPECT_TRUE(report.ok());
  return {-velocity_of(model, state, ball).z(), compute_pose(model, state, ball).p.z() - 0.1,
          report.contacts};
}

// No cushion of air: as long as the gap does not close within the step the fall is free, to
// rounding of the speed.
TEST_P(Approaching, what_does_not_arrive_is_not_braked) {
  const double h = step_of(GetParam());
  for (const double speed : {0.0, 0.1, 3.0, 40.0}) {
    const double way = h * (speed + g * h), slack = ContactModel{}.slack * 0.1;
    const After after = drop(way + 0.5 * slack, speed, GetParam());
    EXPECT_EQ(after.contacts, 1) << "it was to be looked at";
    EXPECT_NEAR(after.speed, speed + g * h, 1e-15 * (1.0 + speed));
  }
}

// It ends the step where it touches, Σ λ = ε λ/h² short of −g/h: deeper by ε λ/h, λ the momentum
// that it loses. The solver's error comes on top, and rounding of 1e-16 of the radius.
TEST_P(Approaching, what_arrives_ends_the_step_where_it_touches) {
  const double h = step_of(GetParam());
  for (const double speed : {0.1, 3.0, 40.0})
    for (const double share : {0.01, 0.5, 0.99}) {
      const double free = speed + g * h, height = share * h * free;
      const After after = drop(height, speed, GetParam());
      const double lost = free - after.speed;
      EXPECT_GT(lost, 0.0);
      EXPECT_NEAR(after.height, -epsilon * lost / h, h * GetParam().error * free + 1e-16)
          << "at " << speed << " m/s from " << height << " m";
    }
}

}  // namespace
}  // namespace ligament
