// SPDX-License-Identifier: Apache-2.0
// Friction that holds: what sticks stays where it is, however long the load lasts. A block at 95 %
// of its friction limit and an object between two fingers move less than a nanometre in 1000 s.
//
// At rest nothing moves but rounding: a pose of size 1 m in 60000 steps wanders by 60000 · 1e-16 m
// at the very most.
#include <gtest/gtest.h>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double settling = 10.0, holding = 1000.0;  // [s]

// How far the body gets away from where it has settled, and how far it turns, at worst over the
// time. Shown after every second.
struct Creep {
  double way = 0.0, turn = 0.0;
};

Creep measure_creep(const Model& model, BodyId body, const Method& method) {
  State state = model.initial_state();
  RunReport report = run(model, method.stepper, state, {.t_end = settling});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  const Frame settled = compute_pose(model, state, body);
  Creep creep;
  const Observer look = [&](const Sample& sample) {
    if (sample.step % 60 != 0) return;
    const Frame pose = compute_pose(sample.model, sample.state, body);
    creep.way = std::max(creep.way, (pose.p - settled.p).norm());
    creep.turn = std::max(creep.turn, pose.R.angularDistance(settled.R));
  };
  report = run(model, method.stepper, state, {.t_end = settling + holding, .observers = {look}});
  expect_clean(report, method);
  measured("way [m]", creep.way);
  measured("turn [rad]", creep.turn);
  return creep;
}

class Creeping : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Creeping, ::testing::ValuesIn(both_methods()), name_of_method);

TEST_P(Creeping, block_on_an_incline_does_not) {
  const double mu = 0.5;
  const Model model = scenes::make_block_on_incline({.slope = std::atan(0.95 * mu),
                                                     .azimuth = 0.4,
                                                     .heading = 0.3,
                                                     .contact = scenes::surface(mu)});
  const Creep creep = measure_creep(model, *model.find_body("block"), GetParam());
  EXPECT_LT(creep.way, 1e-9);
  EXPECT_LT(creep.turn, 1e-9);
}

TEST_P(Creeping, object_in_a_grip_does_not) {
  for (const auto press : {scenes::Press::vice, scenes::Press::hand}) {
    const Model model = scenes::make_grip({.share_of_limit = 0.95, .press = press});
    const Creep creep = measure_creep(model, *model.find_body("object"), GetParam());
    EXPECT_LT(creep.way, 1e-9);
    EXPECT_LT(creep.turn, 1e-9);
  }
}

}  // namespace
}  // namespace ligament
