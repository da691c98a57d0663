// SPDX-License-Identifier: Apache-2.0
// What the impulse stepper does with joints of every kind, springs, dampers, drives, limits and
// contacts.
#include <gtest/gtest.h>

#include <numbers>

#include "impulse/flown.h"
#include "support/contact_scenes.h"
#include "support/measured.h"

namespace ligament::reference {
namespace {

// A box that hangs at a joint of a turned frame, and spins as the joint lets it.
template <class JointType>
Model hang(JointType joint) {
  ModelBuilder b{{.gravity = {1, -2, -9}}};
  joint.b = b.add_body({.name = "box",
                        .mass = box_of_mass({0.3, 0.2, 0.1}, 2.0),
                        .position = {0.4, 0.1, 0.2},
                        .orientation = rotation_by({0.2, 0.4, -0.3}),
                        .velocity = {0.3, -0.2, 0.5},
                        .angular_velocity = {1, -2, 3}});
  b.add_joint(joint);
  return std::move(b).build();
}

std::vector<std::pair<const char*, Model>> hanging_machines() {
  const Vec3 point(0.1, 0, 0.1), axis(0.3, 1, 0.2);
  std::vector<std::pair<const char*, Model>> all;
  all.emplace_back("ball", hang(Ball{.point = point}));
  all.emplace_back("hinge", hang(Hinge{.point = point, .axis = axis}));
  all.emplace_back("prismatic", hang(Prismatic{.point = point, .axis = axis}));
  all.emplace_back("cylindrical", hang(Cylindrical{.point = point, .axis = axis}));
  all.emplace_back("universal",
                   hang(Universal{.point = point, .axis = axis, .axis_b = Vec3(1, -0.3, 0)}));
  all.emplace_back("planar", hang(Planar{.point = point, .axis = axis}));
  all.emplace_back("screw", hang(Screw{.point = point, .axis = axis, .pitch = 0.5}));
  all.emplace_back("point on line", hang(PointOnLine{.point = point, .axis = axis}));
  all.emplace_back("point on plane", hang(PointOnPlane{.point = point, .axis = axis}));
  all.emplace_back("parallel axes", hang(ParallelAxes{.axis = axis}));
  all.emplace_back("perpendicular axes",
                   hang(PerpendicularAxes{.axis = axis, .axis_b = Vec3(1, -0.3, 0)}));
  all.emplace_back("constant velocity", hang(ConstantVelocity{.point = point, .axis = axis}));
  all.emplace_back("distance", hang(Distance{.point_a = Vec3(1, 1, 1)}));
  return all;
}

Flown fly_from(const Model& model, const State& start, const Stepper& stepper, double T) {
  Flown flown{.state = start};
  Workspace work(model);
  for (long i = 0; i < std::lround(T / step_size(stepper)); ++i) {
    const StepReport report = step(stepper, model, flown.state, work);
    EXPECT_TRUE(report.ok());
    if (!report.ok()) break;
    flown.gap = std::max(flown.gap, report.violation.max);
  }
  return flown;
}

// Every holonomic joint: closed at every step, and second order against steps sixteen times finer.
TEST(Joints, of_every_kind_are_closed_and_of_second_order) {
  for (const auto& [name, model] : hanging_machines()) {
    SCOPED_TRACE(name);
    State start = model.initial_state();
    ASSERT_TRUE(assemble(model, start).ok());
    const State truth = fly_from(model, start, Impulse{.h = 0.02 / 32}, 0.4).state;
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      const Flown flown = fly_from(model, start, Impulse{.h = h}, 0.4);
      EXPECT_LE(flown.gap, 1e-12);
      errors.push_back((flown.state.q - truth.q).norm());
    }
    if (errors.back() > 1e-10) {
      EXPECT_NEAR(order_of(errors), 2.0, 0.1);
    }
  }
}

// SPOOK with compliance that does not matter goes to the same motion, to its first order.
TEST(CrossCheck, spook_has_the_same_limit) {
  for (const System& system : {make_ball_pendulum(), make_four_bar(), make_triple_pendulum()}) {
    const Model model = make_model(system);
    const State truth = fly(model, Impulse{.h = 1e-4}, 0.5).state;  // off by 1e-6
    std::vector<double> errors;
    for (const double h : {0.002, 0.001, 0.0005})
      errors.push_back((fly(model, Spook{.h = h}, 0.5).state.q - truth.q).norm());
    EXPECT_NEAR(order_of(errors), 1.0, 0.12);
  }
}

// The trapezoidal rule goes to the same motion too, to its second order. (Truth is off by 1e-6, a
// hundredth of the smallest error.)
TEST(CrossCheck, the_trapezoidal_rule_has_the_same_limit) {
  for (const System& system : {make_ball_pendulum(), make_four_bar(), make_triple_pendulum()}) {
    const Model model = make_model(system);
    const State truth = fly(model, Impulse{.h = 1e-4}, 0.5).state;
    std::vector<double> errors;
    for (const double h : {0.01, 0.005, 0.0025})
      errors.push_back((fly(model, Trapezoidal{.h = h}, 0.5).state.q - truth.q).norm());
    EXPECT_NEAR(measured("order", order_of(errors)), 2.0, 0.12);
    EXPECT_GT(measured("smallest error", errors.back()), 1e-5);
  }
}

// A damped oscillator, x'' + 2 ζ ω x' + ω² x = 0: second order, for any of its three parts.
TEST(Springs, follow_the_damped_oscillator_to_second_order) {
  const double w = 5.0;
  for (const double zeta : {0.0, 0.1, 0.7}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId bob =
        b.add_body({.kind = BodyKind::particle, .mass = {.mass = 2.0}, .position = {1.2, 0, 0}});
    b.add_joint(Spring{.b = bob,
                       .point_a = Vec3(0, 0, 0),
                       .length = 1.0,
                       .stiffness = 2.0 * w * w,
                       .damping = 4.0 * zeta * w});
    const Model model = std::move(b).build();
    const double wd = w * std::sqrt(1.0 - zeta * zeta);
    const double exact = 0.2 * std::exp(-zeta * w) *
                         (std::cos(wd) + zeta / std::sqrt(1.0 - zeta * zeta) * std::sin(wd));
    std::vector<double> errors;
    for (const double h : {0.01, 0.005, 0.0025})
      errors.push_back(std::abs(
          compute_pose(model, fly(model, Impulse{.h = h}, 1.0).state, bob).p.x() - 1.0 - exact));
    EXPECT_NEAR(order_of(errors), 2.0, 0.1) << zeta;
  }
}

// Springs as stiff as can be: stable, and a damper of any strength stops and does not ring.
TEST(Springs, of_any_stiffness_are_stable) {
  for (const double stiffness : {1e3, 1e6, 1e9}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId bob =
        b.add_body({.kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {1.1, 0, 0}});
    b.add_joint(Spring{.b = bob, .point_a = Vec3(0, 0, 0), .length = 1.0, .stiffness = stiffness});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(step(Impulse{.h = 0.1}, model, state, work).ok());
      // The trapezoidal rule keeps the energy of a linear spring: its stretch does not grow. (The
      // mass may pass the anchor in one of these steps, and swing on its other side.)
      ASSERT_LT(std::abs(compute_pose(model, state, bob).p.norm() - 1.0), 0.11);
    }
  }
  for (const double damping : {1.0, 1e3, 1e6}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId bob = b.add_body({.kind = BodyKind::particle,
                                   .mass = {.mass = 1.0},
                                   .position = {1, 0, 0},
                                   .velocity = {1, 0, 0}});
    b.add_joint(Spring{.b = bob, .point_a = Vec3(0, 0, 0), .damping = damping});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    ASSERT_TRUE(step(Impulse{.h = 0.1}, model, state, work).ok());
    // e^(−h c/m): the rule of the second half is fitted to it.
    EXPECT_NEAR(velocity_of(model, state, bob).x(), std::exp(-0.1 * damping), 1e-9);
  }
}

Model make_arm(const std::function<void(ModelBuilder&, JointId)>& add) {
  ModelBuilder b;
  const BodyId arm = b.add_body(
      {.name = "arm", .mass = box_of_mass({0.5, 0.05, 0.05}, 1.0), .position = {0.5, 0, 0}});
  const JointId hinge = b.add_joint(Hinge{.name = "elbow", .b = arm, .axis = {0, 1, 0}});
  add(b, hinge);
  return std::move(b).build();
}

// A motor that is strong enough turns at its speed; its slip is force times inverse drag.
TEST(Drives, motors_turn_at_their_speed) {
  const Model model = make_arm(
      [](ModelBuilder& b, JointId hinge) { b.add_control(Motor{.on = hinge, .speed = 2.0}); });
  State start = model.initial_state();
  assemble(model, start);
  const Flown flown = fly_from(model, start, Impulse{.h = 0.01}, 1.0);
  EXPECT_NEAR(flown.state.s(0), 2.0, 1e-6);  // 5 N m · 1e-8 rad/(N m s) and roundings
  EXPECT_LE(flown.gap, 1e-12);
}

// One that is too weak pushes with all its force: θ'' = τ/I without gravity along the axis.
TEST(Drives, weak_motors_push_with_all_their_force) {
  ModelBuilder b{{.gravity = {0, 0, 0}}};
  const BodyId wheel = b.add_body({.mass = {.mass = 1.0, .inertia = Mat3::Identity()}});
  const JointId hinge = b.add_joint(Hinge{.b = wheel, .axis = {0, 0, 1}});
  b.add_control(Motor{.on = hinge, .speed = 100.0, .max_force = 3.0});
  const Model model = std::move(b).build();
  const State state = fly(model, Impulse{.h = 0.01}, 1.0).state;
  EXPECT_NEAR(state.s(0), 1.5, 1e-9);  // τ t²/2I, exact for a constant force
  EXPECT_NEAR(state.v(5), 3.0, 1e-9);
}

// A motion is a constraint: exact at every step.
TEST(Drives, motions_are_followed_exactly) {
  const auto target = [](double t) { return 0.5 * std::sin(3.0 * t); };
  const Model model = make_arm([&](ModelBuilder& b, JointId hinge) {
    b.add_control(Motion{.on = hinge, .target = TimeFunction(target)});
  });
  State state = model.initial_state();
  ASSERT_TRUE(assemble(model, state).ok());
  Workspace work(model);
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(step(Impulse{.h = 0.01}, model, state, work).ok());
    EXPECT_NEAR(state.s(0), target(state.t), 2e-12);
    // By central differences over 1e-5 s: roundings of 1e-16/1e-5 and 3³ (1e-5)²/6.
    EXPECT_NEAR(state.v(4), 1.5 * std::cos(3.0 * state.t), 1e-8);
  }
}

// An arm that falls onto a stop: never beyond it, and still there after it came to rest. With
// restitution it comes back with e times its speed.
TEST(Limits, stop_at_the_stop) {
  for (const double e : {0.0, 0.5}) {
    const Model model = make_arm([&](ModelBuilder& b, JointId hinge) {
      b.add_control(Limit{.on = hinge, .upper = 0.5, .restitution = e});
    });
    State state = model.initial_state();
    Workspace work(model);
    double before = 0.0, ratio = 0.0;
    for (int i = 0; i < 1000; ++i) {
      const double speed = state.v(4);
      ASSERT_TRUE(step(Impulse{.h = 0.002}, model, state, work).ok());
      EXPECT_LE(state.s(0), 0.5 + 1e-12);
      if (ratio == 0.0 && speed > 0.1 && state.v(4) < 0.5 * speed) {
        before = speed;
        ratio = -state.v(4) / before;
      }
    }
    // The step that hits takes off the speed that gravity gave in it: h g/l, of about 3 rad/s.
    EXPECT_NEAR(ratio, e, 0.02);
    if (e == 0.0) {
      EXPECT_NEAR(state.s(0), 0.5, 1e-12);
    }
  }
}

// A double pendulum of boxes that falls onto a floor, with friction: joints stay closed to the
// tolerance, boxes rest on the floor, and energy is never gained.
TEST(Contacts, a_mechanism_that_hits_the_floor_keeps_its_joints) {
  ModelBuilder b;
  const MaterialId material = b.add_material({"stuff", scenes::half_of(scenes::surface(0.4))});
  b.add_shape({.name = "floor", .body = world, .geometry = HalfSpaceShape{}, .material = material});
  const auto box = [&](const char* name, double x) {
    const BodyId id = b.add_body({.name = name,
                                  .mass = box_of_mass({0.5, 0.1, 0.1}, 1.0),
                                  .position = {x, 0, 1.0},
                                  .angular_velocity = {0, 0.5, 0}});
    b.add_shape(
        {.name = name, .body = id, .geometry = BoxShape{{0.45, 0.1, 0.1}}, .material = material});
    return id;
  };
  const BodyId left = box("left", -0.5), right = box("right", 0.5);
  b.add_joint(Hinge{.name = "knee", .a = left, .b = right, .point = {0, 0, 1}, .axis = {0, 1, 0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  ASSERT_TRUE(assemble(model, state).ok());
  const double start = compute_energy(model, state).total();
  const RunReport report = run(model, Impulse{.h = 0.002}, state, {.t_end = 3.0});
  ASSERT_EQ(report.status, RunStatus::completed) << report.failure;
  EXPECT_LE(report.violation_max, 2e-10);  // that of the assembled start
  EXPECT_LE(report.energy.max, start + 1e-6);
  EXPECT_LT(state.v.norm(), 1e-3);  // at rest
  for (const BodyId id : {left, right})
    EXPECT_NEAR(compute_pose(model, state, id).p.z(), 0.1, 1e-5);
}

// A pendulum far above a stack of boxes keeps its second order though the boxes press.
TEST(Contacts, elsewhere_cost_no_order) {
  const auto swing = [](double h, bool with_boxes) {
    ModelBuilder b;
    const BodyId bob =
        b.add_body({.kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {1, 0, 9}});
    b.add_joint(Distance{.b = bob, .point_a = Vec3(0, 0, 9)});
    if (with_boxes) {
      b.add_shape({.body = world, .geometry = HalfSpaceShape{}});
      const BodyId box =
          b.add_body({.mass = box_of_mass({0.1, 0.1, 0.1}, 1.0), .position = {0, 0, 0.1}});
      b.add_shape({.body = box, .geometry = BoxShape{{0.1, 0.1, 0.1}}});
    }
    const Model model = std::move(b).build();
    return compute_pose(model, fly(model, Impulse{.h = h}, 1.0).state, bob).p;
  };
  EXPECT_LT((swing(0.01, true) - swing(0.01, false)).norm(), 1e-12);
}

// A ball that bounces: from rest at height H it comes back to e² H, up to the way of a step at the
// impact, h v.
TEST(Contacts, a_ball_bounces_to_e_squared_of_its_height) {
  const double e = 0.7, H = 1.0, h = 1e-3, v = std::sqrt(2.0 * 9.81 * H);
  const Model model = scenes::make_ball_on_incline(
      {.height = H, .contact = {.friction = 0.0, .restitution = e, .compliance = 1e-8}});
  for (const RestitutionLaw law : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
    State state = model.initial_state();
    Workspace work(model);
    const BodyId ball = *model.find_body("ball");
    double top = 0.0;
    bool bounced = false;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(step(Impulse{.h = h, .contacts = {.restitution = law}}, model, state, work).ok());
      bounced = bounced || velocity_of(model, state, ball).z() > 0.0;
      if (bounced && velocity_of(model, state, ball).z() > 0.0)
        top = std::max(top, compute_pose(model, state, ball).p.z() - 0.1);
    }
    EXPECT_NEAR(top, e * e * H, 2.0 * h * v);
  }
}

}  // namespace
}  // namespace ligament::reference
