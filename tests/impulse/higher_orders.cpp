// SPDX-License-Identifier: Apache-2.0
// Compositions and extrapolations: B15 of the acceptance table, and the orders of the others.
#include <gtest/gtest.h>

#include "impulse/flown.h"

namespace ligament::reference {
namespace {

struct Case {
  HigherOrder kind;
  double order;
  double error;  // of the triple pendulum at h = 0.01, as measured, with two digits
};

const Case cases[] = {{HigherOrder::suzuki_4, 4.0, 1.1e-6},
                      {HigherOrder::yoshida_6, 6.0, 1.4e-7},
                      {HigherOrder::extrapolation_4, 4.0, 3.2e-6},
                      {HigherOrder::extrapolation_6, 6.0, 4.0e-9},
                      {HigherOrder::extrapolation_8, 8.0, 3.6e-12}};

// Errors below 1e-11 are not compared: Runge's method with 16000 steps is right to 1e-12.
TEST(HigherOrder, of_the_triple_pendulum_is_that_of_the_table) {
  const System system = make_triple_pendulum();
  const Model model = make_model(system);
  const std::vector<Part> truth = integrate(system, 1.0, 16000);
  for (const Case& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.kind));
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      const Flown flown =
          fly(model, Impulse{.h = h, .tolerance = 1e-14, .higher_order = c.kind}, 1.0);
      errors.push_back(position_error(model, flown.state, truth));
      EXPECT_LE(flown.gap, 1e-13);
      EXPECT_LE(flown.speed_miss, 1e-13);
    }
    EXPECT_NEAR(order_of(errors), c.order, 0.15);
    if (c.error > 1e-11) {
      EXPECT_NEAR(errors.back() / c.error, 1.0, 0.1);
    }
  }
}

// Skew hinges, balls, and a loop with three redundant rows. Suzuki's on the ball pendulum is also
// in the table.
TEST(HigherOrder, of_rigid_bodies_and_loops_is_the_same) {
  for (const System& system : {make_ball_pendulum(), make_hinge_pendulum(), make_four_bar()}) {
    const Model model = make_model(system);
    const std::vector<Part> truth = integrate(system, 1.0, 16000);
    for (const Case& c : cases) {
      if (c.order > 6.0) continue;
      std::vector<double> errors;
      for (const double h : {0.01, 0.005})
        errors.push_back(position_error(model,
                                        fly(model,
                                            Impulse{.h = h,
                                                    .tolerance = 1e-14,
                                                    .higher_order = c.kind,
                                                    .rotation = FreeRotation::axes},
                                            1.0)
                                            .state,
                                        truth));
      EXPECT_NEAR(order_of(errors), c.order, 0.15) << static_cast<int>(c.kind);
      if (c.kind == HigherOrder::suzuki_4 && system.ties.size() == 2 &&
          system.ties[0].kind == Tie::Kind::ball) {
        EXPECT_NEAR(errors.front() / 5.7e-6, 1.0, 0.1);
      }
    }
  }
}

// A spring without damping takes part: the trapezoidal rule is symmetric. Its motion is known.
TEST(HigherOrder, of_an_undamped_spring) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId mass =
      b.add_body({.kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {1.1, 0, 0}});
  b.add_joint(Spring{.b = mass, .point_a = Vec3(0, 0, 0), .length = 1.0, .stiffness = 100.0});
  const Model model = std::move(b).build();
  for (const Case& c : cases) {
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      const State state = fly(model, Impulse{.h = h, .higher_order = c.kind}, 1.0).state;
      const double x = compute_pose(model, state, mass).p.x();
      errors.push_back(std::abs(x - (1.0 + 0.1 * std::cos(10.0))));
    }
    if (errors.back() > 1e-13) {
      EXPECT_NEAR(order_of(errors), c.order, 0.15);
    }
  }
}

// Contacts, limits, motors and dampers are for steps of order two: named, and not stepped.
TEST(HigherOrder, refuses_what_is_not_symmetric_by_name) {
  ModelBuilder b;
  const BodyId arm = b.add_body({.name = "arm", .position = {1, 0, 0}});
  const JointId hinge = b.add_joint(Hinge{.name = "elbow", .b = arm, .axis = {0, 1, 0}});
  b.add_control(Limit{.name = "stop", .on = hinge, .lower = -1.0});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  const RunReport report =
      run(model, Impulse{.higher_order = HigherOrder::suzuki_4}, state, {.t_end = 0.1});
  EXPECT_EQ(report.status, RunStatus::solver_failed);
  EXPECT_NE(report.failure.find("control \"stop\""), std::string::npos) << report.failure;
}

}  // namespace
}  // namespace ligament::reference
