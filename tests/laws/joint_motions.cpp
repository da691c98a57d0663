// SPDX-License-Identifier: Apache-2.0
// What joints let bodies do: closed forms of motions, and joint coordinates that count turns.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ligament/model/joint_coordinates.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;
constexpr Relaxation stiff{.compliance = 1e-12, .angular_compliance = 1e-12};

// A nut on a vertical screw: m z̈ = −m g + F, I θ̈ = −c F, z = c θ: z̈ = −g/(1 + I/(m c²)), by the
// stepper's own recursion z_n = z̈ h² n(n + 1)/2. What is left is the Cayley map, which turns by
// 2 atan(h ω/2) a step: behind by (h ω)²/12 of the way, which the thread passes on to z.
TEST(Screw, nut_falls_with_its_inertia_turned_into_mass) {
  const double g = 10.0, pitch = 0.4, c = pitch / (2 * pi), h = 1e-3;
  const MassProperties nut = cylinder_of_mass(0.05, 0.02, 2.0);
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  const BodyId body = b.add_body({.name = "nut", .mass = nut});
  b.add_joint(Screw{.name = "thread", .b = body, .pitch = pitch, .relaxation = stiff});
  const Model model = std::move(b).build();
  State x = model.initial_state();
  const long steps = 1500;
  run(model, Spook{.h = h}, x, {.steps = steps});
  const double I = nut.inertia(2, 2), a = -g / (1.0 + I / (nut.mass * c * c));
  const double z = a * h * h * steps * (steps + 1) / 2.0;
  const double hw = h * std::abs(a) * h * steps / c, lag = hw * hw / 12.0;
  EXPECT_NEAR(compute_pose(model, x, body).p.z(), z, lag * std::abs(z));
  // The coordinates are angle and slide; the angle has counted all turns. The thread itself lags by
  // (τ/h + ½) = 2.5 times what one step leaves open [SP.6], and gives by ε m g.
  EXPECT_EQ(x.s(1), compute_pose(model, x, body).p.z());
  EXPECT_NEAR(x.s(1), c * x.s(0), 2.5 * c * hw * lag + 1e-11 * nut.mass * g);
  EXPECT_LT(x.s(0), -6 * 2 * pi);
}

TEST(JointAngle, counts_turns_of_a_driven_hinge) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId wheel = b.add_body({.name = "wheel",
                                   .mass = cylinder_of_mass(0.5, 0.1, 1.0),
                                   .angular_velocity = {0, 0, 2 * pi}});
  const JointId axle = b.add_joint(Hinge{.name = "axle", .b = wheel});
  b.add_control(Motor{.name = "motor", .on = axle, .speed = 2 * pi});
  const Model model = std::move(b).build();
  State x = model.initial_state();
  const double h = 1.0 / 100;
  run(model, Spook{.h = h}, x, {.t_end = 10.0});
  // The Cayley map turns by 2 atan(h ω/2) a step. The drive slips by 1e-8 a torque of nothing.
  EXPECT_NEAR(x.s(0), 1000 * 2 * std::atan(0.5 * h * 2 * pi), 1e-9);
}

// Two shafts at an angle, each on a hinge to the world, coupled in the middle by a joint. `ratio`
// is that of their speeds at the start.
template <class Coupling>
Model make_shafts(double bend, double ratio, Coupling coupling) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const double speed = 2.0;
  const Vec3 out = Vec3(0, std::sin(bend), std::cos(bend));
  const MassProperties shaft = cylinder_of_mass(0.1, 0.5, 1.0);
  const BodyId first = b.add_body(
      {.name = "in", .mass = shaft, .position = {0, 0, -0.5}, .angular_velocity = {0, 0, speed}});
  const BodyId second = b.add_body({.name = "out",
                                    .mass = shaft,
                                    .position = 0.5 * out,
                                    .orientation = Quat(Eigen::AngleAxisd(-bend, Vec3::UnitX())),
                                    .angular_velocity = ratio * speed * out});
  const JointId bearing =
      b.add_joint(Hinge{.name = "in", .b = first, .point = {0, 0, -1}, .relaxation = stiff});
  b.add_joint(Hinge{.name = "out", .b = second, .point = out, .axis = out, .relaxation = stiff});
  coupling.a = first;
  coupling.b = second;
  coupling.relaxation = stiff;
  b.add_joint(coupling);
  b.add_control(Motor{.name = "motor", .on = bearing, .speed = speed});
  return std::move(b).build();
}

// Worst |f(θ_in) − θ_out| over some turns, angles read from the two hinges.
template <class Relation>
double worst_angle_error(const Model& model, double h, Relation&& relation) {
  State x = model.initial_state();
  double worst = 0.0;
  const auto look = [&](const Sample& sample) {
    worst = std::max(worst, std::abs(relation(sample.state.s(0)) - sample.state.s(1)));
  };
  const RunReport report = run(model, Spook{.h = h}, x, {.t_end = 8.0, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed);
  EXPECT_GT(x.s(0), 2 * 2 * pi);
  return worst;
}

// Hooke: with the cross pin of the driving shaft in the plane of the bend at the start,
// tan θ_out = tan θ_in / cos β. The relation is geometry; what is left is the rows' violation,
// at most (τ/h + ½) κ of [SP.6] with κ = (h ω)²/2 times lever arms of a metre: 2.5 × 2e-6 × a few.
TEST(UniversalJoint, turns_the_output_by_hookes_law) {
  const double bend = 0.5;
  const Vec3 out(0, std::sin(bend), std::cos(bend));
  Universal joint;
  joint.axis = Vec3::UnitX().cross(Vec3::UnitZ());  // across the input shaft, in the plane
  joint.axis_b = Vec3::UnitX();                     // across the output shaft
  const Model model = make_shafts(bend, 1.0 / std::cos(bend), joint);
  // The pin of the output, x, makes θ_out; y of the input makes θ_in:
  //   y_in = (−sin θ_in, cos θ_in, 0), x_out = cos θ_out x + sin θ_out (out × x), y_in·x_out = 0
  const auto hooke = [&](double angle) {
    const double turn = std::atan2(std::sin(angle), std::cos(angle) * std::cos(bend));
    return turn + 2 * pi * std::round((angle - turn) / (2 * pi));
  };
  EXPECT_LT(worst_angle_error(model, 1e-3, hooke), 2e-5);
}

// The same shafts by a constant-velocity joint. It must be given while the shafts are straight, so
// its frames are given in the bodies.
TEST(ConstantVelocityJoint, turns_the_output_as_the_input) {
  const double bend = 0.5;
  ConstantVelocity joint;
  joint.frame_a = Frame{.p = {0, 0, 0.5}};
  joint.frame_b = Frame{.p = {0, 0, -0.5}};
  const Model model = make_shafts(bend, 1.0, joint);
  EXPECT_LT(worst_angle_error(model, 1e-3, [](double angle) { return angle; }), 2e-5);
}

// Thrown across a frictionless table, spinning: the centre goes straight, the spin stays.
TEST(PlanarJoint, leaves_the_motion_in_the_plane_alone) {
  const Vec3 normal = Vec3(1, 2, 2) / 3.0;
  const Vec3 along = normal.cross(Vec3::UnitX()).normalized();
  ModelBuilder b{{.gravity = -10.0 * normal}};
  const BodyId puck = b.add_body({.name = "puck",
                                  .mass = box_of_mass({0.1, 0.2, 0.3}, 1.0),
                                  .velocity = 3.0 * along,
                                  .angular_velocity = 4.0 * normal});
  b.add_joint(Planar{.name = "table", .b = puck, .axis = normal});
  const Model model = std::move(b).build();
  State x = model.initial_state();
  run(model, Spook{.h = 0.01}, x, {.t_end = 2.0});
  // The table gives by ε m g = 1e-7 m under the puck, and tilts by less than that over its size.
  EXPECT_LT((compute_pose(model, x, puck).p - 6.0 * along).norm(), 1e-6);
  EXPECT_NEAR(std::abs(x.s(2)), 200 * 2 * std::atan(0.02), 1e-5);
}

}  // namespace
}  // namespace ligament
