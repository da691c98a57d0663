// SPDX-License-Identifier: Apache-2.0
// The scenes of the project by two methods: Trapezoidal and SPOOK move them alike, within the
// first-order error of SPOOK, which falls as its step falls.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ligament/io/scene.h"
#include "ligament/simulation/assembly.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

VecX simulate(const Model& model, const Stepper& stepper, State state, double t_end) {
  const RunReport report = run(model, stepper, state, {.t_end = t_end});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  return state.q;
}

struct Comparison {
  double t_end = 0.2;    // [s]
  double exact = 1e-4;   // [s] step of Trapezoidal
  double coarse = 1e-3;  // [s] step of SPOOK, and an eighth of it
  // Where joints give way under loads by more than the error of SPOOK: with `stabilize` those of
  // Trapezoidal give way as much.
  DriftControl drift = DriftControl::project;
};

// An error that is first order and no more falls to an eighth with an eighth of the step; to a
// quarter leaves room for the next term.
void expect_same_motion(const Model& model, const State& start, const Comparison& c) {
  const VecX exact = simulate(model, Trapezoidal{.h = c.exact, .drift = c.drift}, start, c.t_end);
  const double coarse = (simulate(model, Spook{.h = c.coarse}, start, c.t_end) - exact).norm();
  const double fine = (simulate(model, Spook{.h = c.coarse / 8.0}, start, c.t_end) - exact).norm();
  measured("moved", (exact - start.q).norm());
  measured("SPOOK is off by", coarse);
  EXPECT_LT(measured("and with an eighth of the step by", fine), 0.25 * coarse);
}

struct SceneCase {
  std::string scene;
  Comparison how{};
};
void PrintTo(const SceneCase& named, std::ostream* out) { *out << named.scene; }

class SameMotion : public ::testing::TestWithParam<SceneCase> {};

TEST_P(SameMotion, as_spook_within_its_first_order_error) {
  const auto file =
      std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / "scenes" / (GetParam().scene + ".json");
  const Scene scene = read_scene(file);
  State start = scene.model.initial_state();
  if (scene.assemble) {
    ASSERT_TRUE(assemble(scene.model, start).ok());
  }
  expect_same_motion(scene.model, start, GetParam().how);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, SameMotion,
    ::testing::Values(SceneCase{"pendulum"}, SceneCase{"slider_crank"}, SceneCase{"heavy_top"},
                      SceneCase{"shaker"},
                      SceneCase{"robot_arm", {1.6, 5e-4, 4e-3, DriftControl::stabilize}},
                      SceneCase{"crane", {0.2, 1e-3, 4e-3}}, SceneCase{"ladder", {0.5, 1e-3, 4e-3}},
                      SceneCase{"chain", {0.3, 1e-3, 4e-3}},
                      SceneCase{"dominoes", {0.1, 1e-3, 2e-3}}),
    [](const auto& named) { return named.param.scene; });

// Contact: what slides and comes to rest, what begins to slide and then rolls, what bounces.
TEST(SameContact, block_that_slides_to_rest) {
  const double slope = 0.3;
  const Model model =
      scenes::make_block_on_incline({.slope = slope, .contact = scenes::surface(0.6)});
  State start = model.initial_state();
  set_velocity(model, *model.find_body("block"), scenes::axes_of({.slope = slope}) * Vec3::UnitX(),
               Vec3::Zero(), start);
  expect_same_motion(model, start, {.t_end = 1.0, .exact = 1e-3, .coarse = 1e-2});
}

TEST(SameContact, ball_that_skids_and_then_rolls) {
  const Model model = scenes::make_ball_on_incline(
      {.slope = 0.2, .velocity = {1.0, 0.5, 0}, .contact = scenes::surface(0.2)});
  expect_same_motion(model, model.initial_state(), {.t_end = 1.0, .exact = 1e-3, .coarse = 1e-2});
}

TEST(SameContact, ball_that_bounces) {
  const Model model = scenes::make_ball_on_incline(
      {.height = 0.5,
       .velocity = {0.5, 0, 0},
       .angular_velocity = {0, 3, 0},
       .contact = {.friction = 0.3, .restitution = 0.5, .compliance = 1e-10}});
  expect_same_motion(model, model.initial_state(), {.t_end = 0.9, .exact = 1e-3, .coarse = 4e-3});
}

// Contacts are rigid for Trapezoidal, and give way by ε F for SPOOK: ten boxes of 1 kg on four
// points each, under 10 m/s², end below each other by just that. Trapezoidal may leave 1e-9 m of
// overlap at each face.
TEST(SameContact, stack_that_stands) {
  const Model model = scenes::make_stack();
  const State start = model.initial_state();
  const VecX rigid = simulate(model, Trapezoidal{}, start, 1.0);
  const VecX soft = simulate(model, Spook{}, start, 1.0);
  EXPECT_LT(measured("moved", (rigid - start.q).lpNorm<Eigen::Infinity>()), 1.1e-8);
  double sunk = 0.0;
  for (std::uint32_t i = 1; i <= 10; ++i) {
    sunk += 1e-8 * 10.0 * (11.0 - i) / 4.0;
    const int z = model.body({i}).q_offset + 2;
    EXPECT_NEAR(measured("SPOOK below", rigid(z) - soft(z)), sunk, 1.1e-8) << i;
  }
}

}  // namespace
}  // namespace ligament::trapezoidal
