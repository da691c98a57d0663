// SPDX-License-Identifier: Apache-2.0
// Joint speeds, joint loads and control forces against statics and differences.
#include "ligament/measure/joint_measures.h"

#include <gtest/gtest.h>

#include "ligament/model/joint_coordinates.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

RowImpulses impulses_of(const Workspace& work, double h) {
  return {work.constraints, work.problem.G, work.frames, work.solution.lambda, h};
}

// A cantilever welded to a wall that stands askew: the weld holds the weight and its moment, in the
// axes of the joint, whichever of the two bodies is called b.
TEST(JointLoad, of_a_weld_is_the_weight_and_its_moment) {
  const Vec3 axis = Vec3(1, 2, 2) / 3.0, point(0.3, -0.2, 0.1), centre(1.0, 0.4, -0.5);
  const double mass = 2.0, g = 10.0, h = 1.0 / 60;
  for (const bool turned_round : {false, true}) {
    ModelBuilder b{{.gravity = {0, 0, -g}}};
    const BodyId beam = b.add_body(
        {.name = "beam", .mass = box_of_mass({0.2, 0.3, 0.4}, mass), .position = centre});
    Fixed weld{.name = "weld", .b = beam, .point = point, .axis = axis};
    if (turned_round) std::swap(weld.a, weld.b);
    const JointId id = b.add_joint(weld);
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = h}, model, 200, state, work);
    const JointLoad load = compute_joint_load(model, impulses_of(work, h), id);
    // On the beam: +m g up, and the moment that balances the weight about the weld.
    const double sign = turned_round ? -1.0 : 1.0;
    const Vec3 force = sign * Vec3(0, 0, mass * g);
    const Vec3 torque = -sign * (centre - point).cross(Vec3(0, 0, -mass * g));
    const Joint& joint = model.joint(id);
    const Quat R_JW = (compute_pose(model, state, joint.a).R * joint.frame_a.R).conjugate();
    // The weld sags by 1e-8 × some 20 N: lever arms and axes turn by that.
    EXPECT_LT((load.force - R_JW * force).norm(), 1e-5);
    EXPECT_LT((load.torque - R_JW * torque).norm(), 1e-5);
  }
}

// A lever on a hinge, held by a servo and then by a motor: the control's force is the moment, and
// the hinge holds no moment about its axis.
TEST(ControlForce, balances_the_weight_of_a_lever) {
  const double mass = 3.0, g = 10.0, arm = 0.7, h = 0.01;
  for (const bool by_servo : {true, false}) {
    ModelBuilder b{{.gravity = {0, 0, -g}}};
    const BodyId lever =
        b.add_body({.mass = box_of_mass({0.1, 0.1, 0.1}, mass), .position = {arm, 0, 0}});
    const JointId hinge = b.add_joint(Hinge{.b = lever, .axis = Vec3::UnitY()});
    ControlId control;
    if (by_servo)
      control = b.add_control(Servo{.on = hinge, .stiffness = 1e8});
    else
      control = b.add_control(Motor{.on = hinge});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = h}, model, 300, state, work);
    // Turning about +y lowers the lever: the control pushes back.
    EXPECT_NEAR(compute_control_force(impulses_of(work, h), control), -mass * g * arm, 1e-4);
    const JointLoad load = compute_joint_load(model, impulses_of(work, h), hinge);
    EXPECT_NEAR(load.torque.z(), 0.0, 1e-9);
    EXPECT_NEAR(load.force.norm(), mass * g, 1e-4);
  }
}

// A limit pushes back with its sign: up at the lower bound, down at the upper one.
TEST(ControlForce, of_a_limit_has_the_sign_of_its_side) {
  for (const double direction : {-1.0, 1.0}) {
    ModelBuilder b{{.gravity = {0, 0, direction * 10.0}}};
    const BodyId weight = b.add_body({.mass = box_of_mass({0.1, 0.1, 0.1}, 2.0)});
    const JointId guide = b.add_joint(Prismatic{.b = weight});
    const ControlId stop = b.add_control(Limit{.on = guide, .lower = -0.1, .upper = 0.1});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = 0.01}, model, 300, state, work);
    EXPECT_NEAR(compute_control_force(impulses_of(work, 0.01), stop), -direction * 20.0, 1e-6);
    EXPECT_NEAR(state.s(0), direction * (0.1 + 20.0 * 1e-8), 1e-12);
  }
}

// A wheel that stands still on an axle in a turning table turns backwards against it.
TEST(JointSpeeds, count_the_motion_of_prescribed_bodies) {
  const double w = 2.0;
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId table =
      b.add_body({.kind = BodyKind::fixed, .motion = [=](double t) {
                    return Frame{.R = Quat(Eigen::AngleAxisd(w * t, Vec3::UnitZ()))};
                  }});
  const BodyId wheel = b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 1.0)});
  b.add_joint(Hinge{.a = table, .b = wheel});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = 0.01}, model, 50, state, work);
  EXPECT_NEAR(state.s(0), -w * state.t, 1e-9);
  std::vector<BodyFrame> frames;
  update_frames(model, state, frames);
  VecX speeds;
  compute_joint_speeds(model, frames, state, speeds);
  EXPECT_NEAR(speeds(0), -w, 1e-8);  // the motion's velocity is a difference over 2e-5 s
}

// Speeds of joint coordinates against differences of the coordinates along the motion.
TEST(JointSpeeds, are_the_rates_of_the_joint_coordinates) {
  Random random(3);
  ModelBuilder b;
  BodyId last = world;
  for (int i = 0; i < 4; ++i) {
    const BodyId body = b.add_body({.mass = box_of_mass({0.1, 0.2, 0.3}, 1.0),
                                    .position = random.vector(),
                                    .orientation = random.rotation(),
                                    .velocity = random.vector(),
                                    .angular_velocity = random.vector()});
    const Vec3 axis = random.direction();
    if (i == 0)
      b.add_joint(Cylindrical{.a = last, .b = body, .point = random.vector(), .axis = axis});
    if (i == 1) b.add_joint(Hinge{.a = last, .b = body, .point = random.vector(), .axis = axis});
    if (i == 2)
      b.add_joint(Universal{.a = last,
                            .b = body,
                            .point = random.vector(),
                            .axis = axis,
                            .axis_b = axis.cross(random.direction()).normalized()});
    if (i == 3) b.add_joint(Planar{.a = last, .b = body, .point = random.vector(), .axis = axis});
    last = body;
  }
  const Model model = std::move(b).build();
  const State state = model.initial_state();
  std::vector<BodyFrame> frames;
  update_frames(model, state, frames);
  VecX speeds;
  compute_joint_speeds(model, frames, state, speeds);
  const double dt = 1e-5;
  const VecX rates =
      (moved(model, state, state.v, dt).s - moved(model, state, state.v, -dt).s) / (2 * dt);
  EXPECT_LT((speeds - rates).lpNorm<Eigen::Infinity>(), 1e-7);
}

}  // namespace
}  // namespace ligament
