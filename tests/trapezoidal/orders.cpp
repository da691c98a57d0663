// SPDX-License-Identifier: Apache-2.0
// Orders of convergence, in space, with everything that a step can meet. The truth is a closed form
// or the stepper's own solution with a step 16 times finer than the finest: its error is then less
// than 1/200 of what is measured, and a slope of 2 is off by less than 0.01.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "analytic/bowl.h"
#include "support/contact_scenes.h"
#include "support/machines.h"
#include "support/measured.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

const Relaxation rigid{.compliance = 0.0, .angular_compliance = 0.0};

State run_to(const Model& model, const Trapezoidal& method, double t_end) {
  State state = model.initial_state();
  const RunReport report = run(model, method, state, {.t_end = t_end});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  return state;
}

struct Study {
  double t_end = 1.0;
  int coarsest = 6;  // h = t_end 2^-coarsest
  int halvings = 4;
};

// Errors of positions at halved steps.
std::vector<double> measure_errors(const Model& model, Trapezoidal method, const Study& study) {
  const auto at = [&](int power) {
    method.h = study.t_end * std::exp2(-power);
    return run_to(model, method, study.t_end).q;
  };
  const VecX fine = at(study.coarsest + study.halvings + 4);
  std::vector<double> errors;
  for (int i = 0; i <= study.halvings; ++i)
    errors.push_back(measured("error", (at(study.coarsest + i) - fine).norm()));
  return errors;
}

// The slope over the last three halvings.
double last_slope(const std::vector<double>& errors) {
  const std::size_t n = errors.size();
  return measured("slope", std::log2(errors[n - 4] / errors[n - 1]) / 3.0);
}

constexpr double two = 0.1, one = 0.1;  // how far a slope may be from 2, and from 1

// Test 13: a nonlinear spring, s = |q| − 1.
TEST(Order, nonlinear_springs_are_of_second_order_with_their_gradient_ahead) {
  for (const auto& [gamma, delta] : {std::pair{1e2, 0.0}, {1e2, 5.0}, {1e4, 50.0}}) {
    ModelBuilder b{{.gravity = {0, -9.8, 0}}};
    const BodyId bob = b.add_body({.name = "bob",
                                   .kind = BodyKind::particle,
                                   .mass = {.mass = 1.0},
                                   .position = {1.1, 0, 0},
                                   .velocity = {0, 0.5, 0}});
    b.add_joint(Spring{
        .b = bob, .point_a = Vec3::Zero(), .length = 1.0, .stiffness = gamma, .damping = delta});
    const Model model = std::move(b).build();
    const Study study{.coarsest = gamma > 1e3 ? 9 : 7};
    EXPECT_NEAR(last_slope(measure_errors(model, {}, study)), 2.0, two) << gamma;
    Trapezoidal printed;
    printed.as_printed.spring_gradient = true;
    EXPECT_NEAR(last_slope(measure_errors(model, printed, study)), 1.0, one) << gamma;
  }
}

Model make_free_top() {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  b.add_body({.name = "top",
              .mass = {.mass = 1.0, .inertia = Vec3(1.0, 2.0, 2.5).asDiagonal()},
              .angular_velocity = {0.3, 3.0, 0.4}});
  return std::move(b).build();
}

TEST(Order, free_asymmetric_top_is_of_second_order_and_keeps_its_energy) {
  const Model model = make_free_top();
  EXPECT_NEAR(last_slope(measure_errors(model, {}, {.t_end = 2.0})), 2.0, two);
  const State end = run_to(model, {.h = 0.01}, 32.0);
  // The midpoint rule keeps both up to the tolerance of its Newton method, 1e-13 a step.
  const double energy = compute_energy(model, model.initial_state()).total();
  EXPECT_NEAR(compute_energy(model, end).total() / energy, 1.0, 3200 * 1e-13);
  EXPECT_LT((end.p - model.initial_state().p).norm(), 1e-12);
}

// A symmetric top on its tip: gyroscopic terms, a joint and gravity together.
TEST(Order, heavy_top_on_its_tip_is_of_second_order) {
  const Model model = machines::make_heavy_top({.spin = 30.0});
  for (const DriftControl drift :
       {DriftControl::none, DriftControl::stabilize, DriftControl::project})
    EXPECT_NEAR(last_slope(measure_errors(model, {.drift = drift}, {.coarsest = 7})), 2.0, two);
}

// A machine that hits something within a second.
void expect_second_order_through_impacts(const Model& model) {
  State state = model.initial_state();
  int impacts = 0;
  run(model, Trapezoidal{.h = 1e-3}, state,
      {.t_end = 1.0,
       .observers = {[&](const Sample& s) { impacts += s.report ? s.report->impacts : 0; }}});
  EXPECT_GE(measured("impacts", impacts), 1);
  const auto errors = measure_errors(model, {.drift = DriftControl::none}, {.coarsest = 7});
  EXPECT_NEAR(last_slope(errors), 2.0, two);
}

// Two bars on ball joints swing out of a plane; the end of the lower one hits a wall.
Model make_spatial_pendulum() {
  ModelBuilder b{{.gravity = {0, 0, -9.8}}};
  const MaterialId hard = b.add_material({"hard", {.friction = 0.0, .restitution = 0.5}});
  const Vec3 half(0.5, 0.05, 0.03);
  const BodyId upper = b.add_body({.name = "upper",
                                   .mass = box_of_mass(half, 1.0),
                                   .position = {0.5, 0, 0},
                                   .velocity = {0, 0.4, 0},
                                   .angular_velocity = {0.5, 0, 0.8}});
  const BodyId lower = b.add_body({.name = "lower",
                                   .mass = box_of_mass(half, 1.0),
                                   .position = {1.5, 0, 0},
                                   .velocity = {0, 0.8, 0}});
  b.add_joint(Ball{.b = upper, .point = {0, 0, 0}, .relaxation = rigid});
  b.add_joint(Ball{.a = upper, .b = lower, .point = {1, 0, 0}, .relaxation = rigid});
  b.add_shape({.name = "tip",
               .body = lower,
               .geometry = SphereShape{0.1},
               .pose = {.p = {0.5, 0, 0}},
               .material = hard});
  b.add_shape({.name = "wall",
               .geometry = HalfSpaceShape{},
               .pose = {.p = {0.6, 0, 0}, .R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())},
               .material = hard});
  return std::move(b).build();
}

TEST(Order, spatial_double_pendulum_against_a_wall_is_of_second_order) {
  expect_second_order_through_impacts(make_spatial_pendulum());
}

// A driven slider crank whose slider hits a stop on its way out.
Model make_slider_with_stop() {
  ModelBuilder b{{.gravity = {0, -9.8, 0}}};
  const double c = std::cos(1.0), s = std::sin(1.0), w = -3.0;
  const auto turned = [](double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())); };
  const MassProperties bar = box_of_mass({0.5, 0.05, 0.05}, 1.0);
  const BodyId crank = b.add_body({.name = "crank",
                                   .mass = bar,
                                   .position = {0.5 * c, 0.5 * s, 0},
                                   .orientation = turned(1.0),
                                   .velocity = {-0.5 * s * w, 0.5 * c * w, 0},
                                   .angular_velocity = {0, 0, w}});
  const BodyId rod = b.add_body({.name = "rod",
                                 .mass = bar,
                                 .position = {1.5 * c, 0.5 * s, 0},
                                 .orientation = turned(-1.0),
                                 .velocity = {-1.5 * s * w, 0.5 * c * w, 0},
                                 .angular_velocity = {0, 0, -w}});
  const BodyId slider = b.add_body({.name = "slider",
                                    .mass = box_of_mass(Vec3::Constant(0.15), 1.0),
                                    .position = {2 * c, 0, 0},
                                    .velocity = {-2 * s * w, 0, 0}});
  b.add_joint(Hinge{.b = crank, .relaxation = rigid});
  b.add_joint(Hinge{.a = crank, .b = rod, .point = {c, s, 0}, .relaxation = rigid});
  // A ball and a point on a line leave no row that says twice what another one says.
  b.add_joint(Ball{.a = rod, .b = slider, .point = {2 * c, 0, 0}, .relaxation = rigid});
  const JointId rail = b.add_joint(
      Cylindrical{.b = slider, .point = {2 * c, 0, 0}, .axis = Vec3::UnitX(), .relaxation = rigid});
  b.add_control(
      Limit{.name = "stop", .on = {rail, 1}, .upper = 0.6, .compliance = 0.0, .restitution = 0.4});
  return std::move(b).build();
}

TEST(Order, slider_crank_with_a_stop_is_of_second_order) {
  expect_second_order_through_impacts(make_slider_with_stop());
}

// A ball on the outside of a fixed one: curved contact that lasts. It slides (no friction), begins
// to slide on its way (0.1), or rolls to the end.
Model make_ball_on_ball(double friction) {
  ModelBuilder b{{.gravity = {0, 0, -9.8}}};
  const MaterialId hard = b.add_material({"hard", {.friction = friction}});
  b.add_shape({.name = "hill", .geometry = SphereShape{1.0}, .material = hard});
  const double angle = 0.2;
  const Vec3 n(std::sin(angle), 0, std::cos(angle)), v(0, 0.3, 0);
  const BodyId ball = b.add_body({.name = "ball",
                                  .mass = sphere_of_mass(0.5, 1.0),
                                  .position = 1.5 * n,
                                  .velocity = v,
                                  .angular_velocity = n.cross(v) / 0.5});
  b.add_shape({.name = "ball", .body = ball, .geometry = SphereShape{0.5}, .material = hard});
  return std::move(b).build();
}

TEST(Order, sustained_curved_contact_is_of_second_order_with_normals_ahead) {
  for (const double friction : {0.0, 0.1, 5.0}) {
    const Model model = make_ball_on_ball(friction);
    const Study study{.t_end = 0.5};
    EXPECT_NEAR(last_slope(measure_errors(model, {.drift = DriftControl::none}, study)), 2.0, two)
        << friction;
    EXPECT_NEAR(last_slope(measure_errors(model, {}, study)), 2.0, two) << friction;
    Trapezoidal printed{.drift = DriftControl::none};
    printed.as_printed.contact_normals = true;
    EXPECT_NEAR(last_slope(measure_errors(model, printed, study)), 1.0, one) << friction;
  }
}

// A ball in a round bowl of 1 m that comes around the side, with a spin about the normal.
struct InBowl {
  analytic::Bowl bowl{.radius = 1.0, .ball = 0.2, .gravity = 9.8, .rolls = true, .spin = 5.0};
  analytic::Bowl::Motion start{0.8 * Vec3(std::sin(0.8), 0, -std::cos(0.8)), Vec3(0, 1.0, 0)};

  Model make_model(double restitution = 0.0) const {
    ModelBuilder b{{.gravity = {0, 0, -bowl.gravity}}};
    const MaterialId hard =
        b.add_material({"hard", {.friction = bowl.rolls ? 5.0 : 0.0, .restitution = restitution}});
    b.add_shape({.name = "bowl", .geometry = CavityShape{bowl.radius}, .material = hard});
    const Vec3 n = start.x.normalized();
    const BodyId ball =
        b.add_body({.name = "ball",
                    .mass = sphere_of_mass(bowl.ball, 1.0),
                    .position = start.x,
                    .velocity = start.v,
                    .angular_velocity = start.v.cross(n) / bowl.ball + bowl.spin * n});
    b.add_shape(
        {.name = "ball", .body = ball, .geometry = SphereShape{bowl.ball}, .material = hard});
    return std::move(b).build();
  }
};

// The truth is an integration of order four of the equations of a rolling ball, by 2000 steps: its
// error is below 1e-12. The contact is kept all the way, and the ball does not slide.
TEST(Order, ball_in_a_bowl_is_of_second_order) {
  for (const bool rolls : {true, false}) {
    InBowl in;
    in.bowl.rolls = rolls;
    const Model model = in.make_model();
    const double t_end = 1.0;
    const Vec3 exact = in.bowl.move(in.start, t_end, 2000).x;
    const auto slope_of = [&](const Model& of, Trapezoidal method) {
      std::vector<double> errors;
      for (int i = 6; i <= 10; ++i) {
        method.h = std::exp2(-i);
        const State end = run_to(of, method, t_end);
        errors.push_back(measured("error", (compute_pose(of, end, {1}).p - exact).norm()));
      }
      return last_slope(errors);
    };
    EXPECT_NEAR(slope_of(model, {}), 2.0, two);
    EXPECT_NEAR(slope_of(model, {.drift = DriftControl::none}), 2.0, two);
    // What rests does not bounce, though speeds across a curved wall ring by O(h²).
    EXPECT_NEAR(slope_of(in.make_model(0.5), {}), 2.0, two);
    Trapezoidal printed{.drift = DriftControl::none};
    printed.as_printed.contact_normals = true;
    EXPECT_NEAR(slope_of(model, printed), 1.0, one);
  }
}

// Section 8.3: the gyroscopic torque as printed is of first order and keeps the energy.
TEST(Order, free_top_as_printed_is_of_first_order_and_keeps_its_energy) {
  const Model model = make_free_top();
  Trapezoidal printed;
  printed.as_printed.gyroscopic = true;
  printed.h = 0.01;
  const State end = run_to(model, printed, 32.0);
  const double energy = compute_energy(model, model.initial_state()).total();
  // ŵᵀ [I ω]× ŵ = 0 to rounding, 3200 times.
  EXPECT_NEAR(measured("energy", compute_energy(model, end).total() / energy - 1.0), 0.0, 1e-12);
  // What it converges to is the motion of the corrected stepper: momentum is not kept by itself.
  Trapezoidal corrected{.h = 2.0 * std::exp2(-14)};
  const VecX exact = run_to(model, corrected, 2.0).q;
  std::vector<double> errors;
  for (int i = 8; i <= 12; ++i) {
    printed.h = 2.0 * std::exp2(-i);
    errors.push_back(measured("error", (run_to(model, printed, 2.0).q - exact).norm()));
  }
  EXPECT_NEAR(last_slope(errors), 1.0, one);
}

}  // namespace
}  // namespace ligament::trapezoidal
