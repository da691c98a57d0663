// SPDX-License-Identifier: Apache-2.0
// Stacks of boxes stand: each interface is pressed in by compliance × load, and nothing moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double epsilon = 1e-8;

struct Standing {
  double worst_depth = 0.0;  // largest error of depth over compliance × load, relative
  double speed = 0.0;        // [m/s] fastest body over the last second
  RunReport report;
};

// Depths of the interfaces of a stack, against the load on their four corners.
double worst_depth(const Model& model, const State& state, const scenes::StackOptions& options) {
  double worst = 0.0, below = 0.0;
  double load = std::accumulate(options.masses.begin(), options.masses.end(), 0.0);
  for (std::size_t i = 0; i < options.masses.size(); ++i) {
    const BodyId box = *model.find_body("box " + std::to_string(i));
    const double bottom = compute_pose(model, state, box).p.z() - options.half.z();
    const double depth = below - bottom, exact = epsilon * load * options.gravity / 4;
    worst = std::max(worst, std::abs(depth / exact - 1.0));
    below = bottom + 2 * options.half.z();
    load -= options.masses[i];
  }
  return worst;
}

Standing stand(const scenes::StackOptions& options, const Method& method, double time) {
  const Model model = scenes::make_stack(options);
  State state = model.initial_state();
  Standing standing;
  const double h = step_of(method);
  const Observer look = [&](const Sample& sample) {
    if (sample.state.t < time - 1.0 - 0.5 * h) return;
    standing.speed = std::max(standing.speed, sample.state.v.lpNorm<Eigen::Infinity>());
  };
  standing.report = run(model, method.stepper, state, {.t_end = time, .observers = {look}});
  expect_clean(standing.report, method);
  standing.worst_depth = worst_depth(model, state, options);
  const std::string what = fmt::format("{} boxes", options.masses.size());
  measured(what + ": depth over compliance × load − 1", standing.worst_depth);
  measured(what + ": speed [m/s]", standing.speed);
  measured(what + ": µs a body and step", 1e6 * standing.report.cpu_seconds /
                                              static_cast<double>(standing.report.steps) /
                                              standing.report.bodies);
  return standing;
}

// C4 and C5 of the acceptance table: ten boxes of 1 kg, g = 10, by pivoting.
TEST(StackByPivoting, sinks_by_compliance_times_load_with_one_factorization_a_step) {
  for (const Stepper& stepper :
       {Stepper(Spook{.solver = BlockPivot{}, .contacts = {.friction = FrictionLaw::box}}),
        Stepper(Relaxed{.solver = BlockPivot{},
        .damping_steps = 2.0,
        .contacts = {.friction = FrictionLaw::box}})}) {
    const scenes::StackOptions options{};
    const Model model = scenes::make_stack(options);
    State state = model.initial_state();
    Workspace work(model);
    double factorizations = 0;
    for (int i = 0; i < 120; ++i) {
      const StepReport report = step(stepper, model, state, work);
      ASSERT_TRUE(report.ok());
      factorizations += report.solve.factorizations;
    }
    const double bottom = 0.5 - compute_pose(model, state, *model.find_body("box 0")).p.z();
    EXPECT_NEAR(measured("C4 depth at the bottom over 25 ε", bottom / (25 * epsilon)), 1.0, 0.01);
    EXPECT_LT(measured("C4 speed [m/s]", state.v.lpNorm<Eigen::Infinity>()), 1e-10);
    EXPECT_LT(measured("C5 factorizations a step", factorizations / 120), 2.0);
  }
}

class Stack : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Stack, ::testing::ValuesIn(both_methods()), name_of_method);

TEST_P(Stack, of_ten_twenty_and_forty_boxes_stands_for_a_minute) {
  for (const std::size_t count : {10U, 20U, 40U}) {
    const Standing standing = stand({.masses = std::vector<double>(count, 1.0)}, GetParam(), 60.0);
    EXPECT_LT(standing.worst_depth, 0.01);
    EXPECT_LT(standing.speed, 1e-9);
  }
}

// Four hundred bricks for ten seconds. In an island of that size Newton's method may stop short of
// its tolerance where contacts open and close, but not once they stand. The lowest bricks carry
// twenty on at least four corners each, the next nineteen, …: no brick sinks further than what all
// interfaces below it give way.
TEST_P(Stack, of_twenty_courses_of_twenty_bricks_is_a_wall_that_stands) {
  const scenes::WallOptions options{};
  const Model model = scenes::make_wall(options);
  State state = model.initial_state();
  Method settling = GetParam();
  settling.error = Automatic{}.sweep_tolerance;
  expect_clean(run(model, settling.stepper, state, {.t_end = 1.0}), settling);
  expect_clean(run(model, GetParam().stepper, state, {.t_end = 10.0}), GetParam());
  EXPECT_LT(measured("speed [m/s]", state.v.lpNorm<Eigen::Infinity>()), 1e-9);
  double sunk = 0.0, moved = 0.0;
  for (const Body& body : model.bodies()) {
    if (body.v_offset < 0) continue;
    const Vec3 way =
        state.q.segment<3>(body.q_offset) - model.initial_state().q.segment<3>(body.q_offset);
    sunk = std::max(sunk, -way.z());
    moved = std::max(moved, way.head<2>().norm());
  }
  // What stands needs no factorization: nothing moves by what its factor is rounded to.   [NE.6]
  Workspace work(model);
  int factorizations = 0;
  for (int i = 0; i < 60; ++i)
    factorizations += step(GetParam().stepper, model, state, work).solve.factorizations;
  EXPECT_LE(measured("factorizations in 60 steps", factorizations), 6);
  const double corner = epsilon * options.mass * 9.81 / 4;  // under one brick
  const int n = options.courses;
  EXPECT_LT(measured("sunk [m]", sunk), n * (n + 1) / 2 * corner);
  EXPECT_LT(measured("aside [m]", moved), n * (n + 1) / 2 * corner);
}

// Each box ten times as heavy as the one below it.
TEST_P(Stack, with_ever_heavier_boxes_stands) {
  const Standing standing = stand({.masses = {1, 10, 100, 1000, 10000}}, GetParam(), 10.0);
  EXPECT_LT(standing.worst_depth, 0.01);
  EXPECT_LT(standing.speed, 1e-9);
}

// Nine boxes of 1 kg under a heavy one.
TEST_P(Stack, stands_under_a_heavy_box) {
  for (const double heavy : {10.0, 100.0, 1000.0, 10000.0}) {
    std::vector<double> masses(9, 1.0);
    masses.push_back(heavy);
    const Standing standing = stand({.masses = masses}, GetParam(), 10.0);
    EXPECT_LT(standing.worst_depth, 0.01) << heavy << " kg";
    EXPECT_LT(standing.speed, 1e-9) << heavy << " kg";
  }
}

}  // namespace
}  // namespace ligament
