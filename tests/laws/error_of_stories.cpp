// SPDX-License-Identifier: Apache-2.0
// The physics of the error in the steppers that tell stories of their own: steps that are divided
// at events, and flights whose velocities are swept (docs/theory/error.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60, g = 10.0;
constexpr int links = 6;

// A chain of point masses, let go at the horizontal, and far from it a carriage that friction
// brings to rest at t = v/(F/m) = 1/3.1 s, within a step.
Model make_chain_beside_a_carriage() {
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  BodyId last = world;
  for (int i = 1; i <= links; ++i) {
    const BodyId next = b.add_body(
        {.kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {1.0 * i, 0, 0}});
    b.add_joint(Distance{.a = last, .b = next, .length = 1.0});
    last = next;
  }
  const BodyId carriage = b.add_body({.name = "carriage",
                                      .mass = solid_box({0.1, 0.1, 0.1}, 125.0),  // 1 kg
                                      .position = {0, 9, 0},
                                      .velocity = {1.0, 0, 0}});
  const JointId rail =
      b.add_joint(Prismatic{.name = "rail", .b = carriage, .point = {0, 9, 0}, .axis = {1, 0, 0}});
  b.add_control(Friction{.name = "brake", .on = rail, .max_force = 3.1});
  return std::move(b).build();
}

// Mass i of the chain: the first bodies after the world.
const Body& mass_of(const Model& model, int i) {
  return model.body(BodyId{static_cast<std::uint32_t>(i + 1)});
}

// [J] of the masses of the chain alone, 1 kg each.
double energy_of_chain(const Model& model, const State& state) {
  double energy = 0.0;
  for (int i = 0; i < links; ++i) {
    const Body& mass = mass_of(model, i);
    energy += 0.5 * state.p.segment<3>(mass.v_offset).squaredNorm();
    energy += g * state.q(mass.q_offset + 2);
  }
  return energy;
}

// The trapezoidal rule keeps the energy of point masses to rounding, Δ(p²/2m) = w·Δp with the mean
// velocity w that moves them, but for the work −λᵀr of what the solver leaves. So the energy of the
// chain tells what all parts of a step fed together. The carriage has one row a direction, which
// few sweeps solve exactly: it only divides a step. 1e-10 of 10 J: rounding, and the compliance
// floor, 1e3 roundings of the work.
TEST(DividedStep, feeds_what_all_its_parts_feed) {
  const Model model = make_chain_beside_a_carriage();
  const Stepper stepper = Trapezoidal{.h = h,
                                      .solver = GaussSeidel{.max_sweeps = 3, .tolerance = 0.0},
                                      .drift = DriftControl::none};
  State state = model.initial_state();
  Workspace work(model);
  int divided = 0;
  double of_divided = 0.0, worst = 0.0;
  for (int k = 0; k < 40; ++k) {
    const double before = energy_of_chain(model, state);
    const StepReport report = step(stepper, model, state, work);
    ASSERT_TRUE(report.ok());
    const double change = energy_of_chain(model, state) - before;
    worst = std::max(worst, std::abs(change - report.injected_energy));
    EXPECT_GE(report.error.fed_work, change - 1e-9);  // what is fed is never paid back
    double fed = 0.0;
    for (const RowError& row : work.error.rows) fed += row.fed;
    EXPECT_NEAR(report.error.fed_work, fed, 1e-12);
    EXPECT_EQ(report.accurate, k == 0);  // at first nothing pulls
    if (report.events == 0) {
      EXPECT_EQ(report.error.rows, work.problem.rows());
      continue;
    }
    ++divided;
    of_divided = std::abs(change);
    EXPECT_EQ(report.error.rows, 2 * work.problem.rows());  // of both parts
  }
  measured("divided steps: energy fed, against what the parts tell [J]", worst);
  measured("energy fed in the divided step [J]", of_divided);
  EXPECT_EQ(divided, 1);
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(of_divided, 1e-5);
}

// How fast the joints of a chain open or close [m/s].
std::vector<double> parting_speeds(const Model& model, const State& state) {
  std::vector<double> speeds;
  Vec3 last = Vec3::Zero(), last_speed = Vec3::Zero();
  for (int i = 0; i < links; ++i) {
    const Vec3 at = state.q.segment<3>(mass_of(model, i).q_offset);
    const Vec3 speed = state.v.segment<3>(mass_of(model, i).v_offset);
    speeds.push_back((at - last).normalized().dot(speed - last_speed));
    last = at;
    last_speed = speed;
  }
  return speeds;
}

// The iterative form closes positions or fails; of the velocities it takes what its sweeps give. A
// joint that parts at a speed gives way by that speed times the step, in a step: that is told.
TEST(ImpulseSweeps, that_end_early_tell_how_fast_joints_part) {
  const Model model = machines::make_point_chain(links, {.relaxation = {.compliance = 0.0}});
  Impulse stepper{.h = h, .tolerance = 1e-7, .form = ImpulseForm::sweeps};
  State state = model.initial_state();
  Workspace work(model);
  StepReport report;
  for (int k = 0; k < 20; ++k) {
    const State before = state;
    report = step(stepper, model, state, work);
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report.accurate);
    EXPECT_LT(report.error.give, h * stepper.tolerance * 1.001);
    if (k == 19) state = before;
  }
  // As many sweeps as positions need are too few for velocities.
  ASSERT_GT(report.velocity_passes, 1.2 * report.solve.iterations);
  stepper.max_sweeps = report.solve.iterations;
  const State before = state;
  report = step(stepper, model, state, work);
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report.accurate);
  EXPECT_EQ(report.halvings, 0);
  const std::vector<double> speeds = parting_speeds(model, state);
  double most = 0.0, fed = 0.0;
  for (int i = 0; i < links; ++i) {
    const RowError& row = work.error[i];
    const double speed = std::abs(speeds[static_cast<std::size_t>(i)]);
    EXPECT_NEAR(std::abs(row.give), h * speed, 1e-13);
    if (row.change.fate == RowFate::feasible) most = std::max(most, row.give);
    fed += row.fed;
  }
  measured("gives way in the step [m]", most);
  EXPECT_EQ(report.error.give, most);
  EXPECT_NEAR(report.error.fed_work, fed, 1e-15);
  EXPECT_GT(report.error.inexact, 0);

  state = before;
  const RunReport told = run(model, stepper, state, {.steps = 1});
  EXPECT_FALSE(told.error.as_asked);
  EXPECT_THAT(told.error.text(), ::testing::HasSubstr("behaved as if its slip were"));
  EXPECT_THAT(told.error.text(), ::testing::HasSubstr(" m/(N s) (asked 0)"));
}

// Positions that do not close in the sweeps allowed are a failure that says so.
TEST(ImpulseSweeps, that_do_not_close_are_told_with_what_to_change) {
  const Model model = machines::make_point_chain(links, {.relaxation = {.compliance = 0.0}});
  const Impulse stepper{.h = h, .form = ImpulseForm::sweeps, .max_sweeps = 2, .max_halvings = 1};
  State state = model.initial_state();
  const RunReport report = run(model, stepper, state, {.steps = 1});
  EXPECT_THAT(report.full(), ::testing::HasSubstr("2 sweeps do not close joint"));
  EXPECT_THAT(report.full(), ::testing::HasSubstr("to 1e-12 m or rad"));
  EXPECT_THAT(report.full(), ::testing::HasSubstr("allow more sweeps"));
}

}  // namespace
}  // namespace ligament
