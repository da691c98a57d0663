// SPDX-License-Identifier: Apache-2.0
// The two forms of the method, one constraint at a time and all together: B11 to B13 of the
// acceptance table.
#include <gtest/gtest.h>

#include "impulse/flown.h"

namespace ligament::reference {
namespace {

// A light mass next to a heavier end, folded back: links turn at −6 and +3 rad/s.
System make_folded_pendulum() {
  System system =
      make_links({{.mass = 0.05, .x = {0.5, 0.2, 0}}, {.mass = 10, .x = {0, 0.075, 0}}});
  const auto turn = [](double rate, const Vec3& arm) -> Vec3 {
    return rate * Vec3::UnitZ().cross(arm);
  };
  Part &light = system.parts[0], &heavy = system.parts[1];
  light.v = turn(-6, light.x);
  heavy.v = light.v + turn(3, heavy.x - light.x);
  return system;
}

StepReport take_one(const Model& model, const Stepper& stepper) {
  State state = model.initial_state();
  Workspace work(model);
  const State before = state;
  const StepReport report = step(stepper, model, state, work);
  if (!report.ok()) {  // a step that fails leaves everything as it was
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.p, before.p);
    EXPECT_EQ(state.t, before.t);
  }
  return report;
}

// B11. At the solution the spectral radius of the sweeps is 1.04: they run away, the linear system
// does not.
TEST(FoldedPendulum, closes_by_newton_and_not_by_sweeps) {
  const Model model = make_model(make_folded_pendulum());
  for (const double h : {0.05, 0.04, 0.03, 0.025, 0.02}) {
    const StepReport newton =
        take_one(model, Impulse{.h = h, .tolerance = 1e-13, .max_halvings = 0});
    EXPECT_TRUE(newton.ok());
    EXPECT_LE(newton.solve.iterations, 8) << h;
    EXPECT_LE(newton.violation.max, 1e-13);
  }
  const StepReport sweeps = take_one(
      model, Impulse{.h = 0.05, .form = ImpulseForm::sweeps, .max_sweeps = 500, .max_halvings = 0});
  EXPECT_FALSE(sweeps.ok());
  EXPECT_GE(sweeps.open_row, 0);
}

// The paper's theorem: a step that is short enough converges. The report says that it was halved.
TEST(FoldedPendulum, closes_by_sweeps_when_the_step_is_halved) {
  const Model model = make_model(make_folded_pendulum());
  const StepReport report =
      take_one(model, Impulse{.h = 0.05, .tolerance = 1e-10, .form = ImpulseForm::sweeps});
  EXPECT_TRUE(report.ok());
  EXPECT_GE(report.halvings, 2);  // 0.02 s still diverges, 0.01 s does not
  EXPECT_LE(report.violation.max, 1e-10);
}

// B12: a mass between two points 2 m apart that sags by ε. Sweeps grow as 1/ε², Newton does not.
TEST(Toggle, stalls_sweeps_and_not_newton) {
  const double sag = 0.01;
  System system;
  system.parts = {{.mass = 1, .x = {1, -sag, 0}}};
  for (const double x : {0.0, 2.0})
    system.ties.push_back({.a = -1, .b = 0, .point_a = {x, 0, 0}, .point_b = {1, -sag, 0}});
  const Model model = make_model(system);
  const StepReport newton = take_one(model, Impulse{.h = 1e-3, .tolerance = 1e-13});
  EXPECT_TRUE(newton.ok());
  EXPECT_LE(newton.solve.iterations, 4);
  const StepReport sweeps = take_one(model, Impulse{.h = 1e-3,
                                                    .tolerance = 1e-13,
                                                    .form = ImpulseForm::sweeps,
                                                    .max_sweeps = 300000,
                                                    .max_halvings = 0});
  EXPECT_TRUE(sweeps.ok());
  EXPECT_GT(sweeps.solve.iterations, 10000);
}

// Sweeps of the velocity formula as it is printed, eq. 2.7, in which a division by |A| is missing:
// −1 if they do not converge.
int count_printed_sweeps(System system) {
  for (int sweep = 1; sweep <= 1000; ++sweep) {
    double worst = 0.0;
    for (const Tie& tie : system.ties) {
      Part still{};
      Part& a = tie.a < 0 ? still : system.parts[static_cast<std::size_t>(tie.a)];
      Part& b = system.parts[static_cast<std::size_t>(tie.b)];
      const Vec3 A = b.x - a.x;
      const double D = A.dot(b.v - a.v), mobility = (tie.a < 0 ? 0.0 : 1.0 / a.mass) + 1.0 / b.mass;
      worst = std::max(worst, std::abs(D));
      const Vec3 impulse = D / mobility * A.normalized();
      if (tie.a >= 0) a.v += impulse / a.mass;
      b.v -= impulse / b.mass;
    }
    if (worst <= 1e-12) return sweep;
    if (!(worst < 1e9)) return -1;
  }
  return -1;
}

// B13: two rods of lengths L and 0.8 L, at right angles.
TEST(VelocitySweeps, converge_where_the_printed_formula_does_not) {
  for (const double L : {0.1, 1.0, 1.9, 2.1, 3.0}) {
    System system = make_links({{.mass = 1, .x = {L, 0, 0}}, {.mass = 2, .x = {L, -0.8 * L, 0}}});
    const Model model = make_model(system);
    State state = model.initial_state();
    set_velocity(model, BodyId{1}, {1, 0, 0}, Vec3::Zero(), state);
    set_velocity(model, BodyId{2}, {0, 1, 0}, Vec3::Zero(), state);
    Workspace work(model);
    // A step so short that it changes nothing but the velocities.
    const StepReport report =
        step(Impulse{.h = 1e-9, .form = ImpulseForm::sweeps}, model, state, work);
    ASSERT_TRUE(report.ok());
    EXPECT_LE(report.velocity_passes, 5);
    EXPECT_LE(report.residual, 1e-12);
    system.parts[0].v = {1, 0, 0};
    system.parts[1].v = {0, 1, 0};
    const int printed = count_printed_sweeps(system);
    if (L > 2.0) {
      EXPECT_EQ(printed, -1) << L;
    } else if (L < 0.5) {
      EXPECT_GT(printed, 100);
    }
  }
}

// Both forms close the same joints by impulses in the same directions: one motion.
TEST(Forms, give_the_same_motion) {
  for (const System& system : {make_triple_pendulum(), make_ball_pendulum(), make_four_bar(),
                               make_cuboid(Corner::fixed)}) {
    const Model model = make_model(system);
    const Flown newton = fly(model, Impulse{.h = 0.01, .tolerance = 1e-12}, 0.2);
    const Flown sweeps =
        fly(model, Impulse{.h = 0.01, .tolerance = 1e-12, .form = ImpulseForm::sweeps}, 0.2);
    // Each step may differ by the tolerance over the smallest eigenvalue of G M⁻¹ Gᵀ, relative to
    // its diagonal: 1e-3 for these. 20 steps.
    EXPECT_LT((newton.state.q - sweeps.state.q).lpNorm<Eigen::Infinity>(), 2e-8);
    EXPECT_GT(sweeps.passes, newton.passes);
  }
}

// A straight chain between fixed points has no solution under load, at any step.  [pitfall 12]
TEST(TautChain, is_reported_with_its_row) {
  System system;
  system.parts = {{.mass = 1, .x = {1, 0, 0}}};
  for (const double x : {0.0, 2.0})
    system.ties.push_back({.a = -1, .b = 0, .point_a = {x, 0, 0}, .point_b = {1, 0, 0}});
  const Model model = make_model(system);
  const StepReport report = take_one(model, Impulse{.h = 0.01, .max_halvings = 4});
  EXPECT_FALSE(report.ok());
  EXPECT_GE(report.open_row, 0);
  State state = model.initial_state();
  const RunReport run_report =
      run(model, Impulse{.h = 0.01, .max_halvings = 4}, state, {.t_end = 0.1});
  EXPECT_EQ(run_report.status, RunStatus::solver_failed);
  EXPECT_NE(run_report.failure.find("joint"), std::string::npos) << run_report.failure;
}

}  // namespace
}  // namespace ligament::reference
