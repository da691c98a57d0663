// SPDX-License-Identifier: Apache-2.0
// At rest every row satisfies g = −ε λ exactly, in both steppers and at any step: a joint gives way
// by compliance × load. Every row of every kind of joint is loaded alone, between the world and a
// body and between two bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double load = 3.0;  // [N] or [N m]

struct JointCase {
  std::string name;
  int rows;
  std::function<JointSpec(BodyId a, BodyId b, const Relaxation&)> make;
  double sign = 1.0;  // −1: the row gives way towards negative values only
  // By how much softer row i is than the compliance it is asked for.
  std::function<double(int)> softness = [](int) { return 1.0; };
};

const Vec3 point{0.3, -0.2, 0.5};
const Quat attitude(Eigen::AngleAxisd(1.1, Vec3(1, 1, -3).normalized()));  // of body b

// Damping of springs and bushings over their stiffness: an error falls by 0.82 a step at least, by
// [SP.7] at the steps and compliances of these tests.
constexpr double spring_time = 5e-3;  // [s]

double bushing_softness(int row) { return 1.0 / (1.0 + row); }

// The joint's point is the centre of body b or, for the hinge, on its axis, which is a principal
// axis of b through its centre: then no load sets the body turning where the joint lets it.
std::vector<JointCase> joint_cases() {
  const Vec3 axis = attitude * Vec3::UnitZ();
  return {
      {"ball", 3,
       [](BodyId a, BodyId b, const Relaxation& r) {
         return Ball{.a = a, .b = b, .point = point, .relaxation = r};
       }},
      {"hinge", 5,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Hinge{.a = a, .b = b, .point = point + 0.2 * axis, .axis = axis, .relaxation = r};
       }},
      {"prismatic", 5,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Prismatic{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"fixed", 6,
       [](BodyId a, BodyId b, const Relaxation& r) {
         return Fixed{.a = a, .b = b, .point = point + Vec3(0.1, 0.2, -0.1), .relaxation = r};
       }},
      {"cylindrical", 4,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Cylindrical{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"universal", 4,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Universal{.a = a,
                          .b = b,
                          .point = point,
                          .axis = attitude * Vec3::UnitX(),
                          .axis_b = axis,
                          .relaxation = r};
       }},
      {"planar", 3,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Planar{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"screw", 5,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return Screw{.a = a, .b = b, .point = point, .axis = axis, .pitch = 0.5, .relaxation = r};
       }},
      {"point on line", 2,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return PointOnLine{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"point on plane", 1,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return PointOnPlane{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"parallel axes", 2,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return ParallelAxes{.a = a, .b = b, .axis = axis, .relaxation = r};
       }},
      {"perpendicular axes", 1,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return PerpendicularAxes{
             .a = a, .b = b, .axis = attitude * Vec3::UnitX(), .axis_b = axis, .relaxation = r};
       }},
      {"constant velocity", 4,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return ConstantVelocity{.a = a, .b = b, .point = point, .axis = axis, .relaxation = r};
       }},
      {"distance", 1,
       [](BodyId a, BodyId b, const Relaxation& r) {
         return Distance{.a = a, .b = b, .point_a = Vec3(0, 0, 0), .relaxation = r};
       }},
      {"rope", 1,
       [](BodyId a, BodyId b, const Relaxation& r) {
         return Rope{.a = a, .b = b, .point_a = Vec3(0, 0, 0), .relaxation = r};
       },
       -1.0},
      {"spring", 1,
       [](BodyId a, BodyId b, const Relaxation& r) {
         const double K = 1.0 / r.compliance;
         return Spring{
             .a = a, .b = b, .point_a = Vec3(0, 0, 0), .stiffness = K, .damping = spring_time * K};
       }},
      {"bushing", 6,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         Vec3 K, T;
         for (int i = 0; i < 3; ++i) {
           K(i) = 1.0 / (r.compliance * bushing_softness(i));
           T(i) = 1.0 / (r.angular_compliance * bushing_softness(3 + i));
         }
         return Bushing{.a = a,
                        .b = b,
                        .point = point,
                        .axis = axis,
                        .stiffness = K,
                        .damping = spring_time * K,
                        .angular_stiffness = T,
                        .angular_damping = spring_time * T};
       },
       1.0, bushing_softness},
      // The slip rows, after that of the height, have no deflection: control_deflection.cpp has
      // their creep. The axis is across the normal: a load that lifts the disc is in line with
      // what holds it.
      {"rolling disc", 1,
       [=](BodyId a, BodyId b, const Relaxation& r) {
         return RollingDisc{.a = a,
                            .b = b,
                            .point = point,
                            .axis = axis,
                            .normal = attitude * Vec3::UnitX(),
                            .radius = 0.3,
                            .relaxation = r};
       }},
  };
}

struct Loads {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

// What the joint holds the loaded body to: the world, or a body that is welded to the world.
enum class Ground { world, welded_body };

struct Rig {
  const JointCase& joint;
  Ground ground;
  Relaxation relaxation;
  int first_row() const { return ground == Ground::world ? 0 : 6; }  // after those of the weld
};

Model make_loaded(const Rig& rig, const Loads& loads) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  BodyId first = world;
  if (rig.ground == Ground::welded_body) {
    first = b.add_body({.name = "a",
                        .mass = box_of_mass({0.3, 0.4, 0.5}, 2.0),
                        .orientation = Quat(Eigen::AngleAxisd(0.4, Vec3(2, -1, 2).normalized()))});
    b.add_joint(Fixed{.name = "weld", .b = first, .point = {0.1, 0, 0}});
  }
  const BodyId second = b.add_body({.name = "b",
                                    .mass = box_of_mass({0.4, 0.3, 0.2}, 1.0),
                                    .position = point,
                                    .orientation = attitude,
                                    .force = loads.force,
                                    .torque = loads.torque});
  b.add_joint(rig.joint.make(first, second, rig.relaxation));
  return std::move(b).build();
}

// Loads on the last body that press on one row alone: its columns of that row of G, times the load.
Loads loads_on_row(const Rig& rig, int row) {
  const Model model = make_loaded(rig, {});
  const MatX G = compute_rows(model, model.initial_state()).G;
  const Vec3 force = G.row(rig.first_row() + row).tail<6>().head<3>().transpose();
  const Vec3 torque = G.row(rig.first_row() + row).tail<3>().transpose();
  return {rig.joint.sign * load * force, rig.joint.sign * load * torque};
}

// Long enough for the slowest row here (Relaxed at h = 1/1000, ε = 1e-4, mobility down to 0.5: per
// step a factor 1 − h²s/(2ε) or so; springs 0.82) to lose 12 decades; everything else
// settles sooner.
long steps_to_settle(double h, double compliance) {
  const double per_step = std::min(0.15, 0.1 * h * h / compliance);
  return static_cast<long>(30.0 / per_step);
}

// The row that is farthest from its law, in units of its tolerance.
struct Worst {
  double excess = 0.0;
  std::string where{};

  void add(double error, double tolerance, const std::string& here) {
    if (error / tolerance <= excess) return;
    excess = error / tolerance;
    where = here;
  }
};

void measure_deflection(const Stepper& stepper, const Rig& rig, int row, Worst& worst) {
  const Model model = make_loaded(rig, loads_on_row(rig, row));
  const double h = step_size(stepper), asked = rig.relaxation.compliance;
  State state = model.initial_state();
  Workspace work(model);
  take_steps(stepper, model, steps_to_settle(h, asked), state, work);
  const std::string here = fmt::format(
      "{} to {}, row {}, by {} at h = {:g}, eps = {:g}", rig.joint.name,
      rig.ground == Ground::world ? "the world" : "a body", row, name_of(stepper), h, asked);
  // Settled: g is that of the step before, too. What is left is the rounding of positions, a few
  // times 1 m × 2e-16.
  const double rounding = 4e-15;
  // By how much G turns: the deflection of the joint, 3 ε over 0.3 m, and of the weld, 3e-8.
  const double turn = 10.0 * load * (asked + 1e-8);
  for (int i = 0; i < rig.joint.rows; ++i) {
    const int at = rig.first_row() + i;
    const double eps = asked * rig.joint.softness(i);
    const double by_impulse = -eps * work.solution.lambda(at) / h;
    const double by_load = i == row ? rig.joint.sign * eps * load : 0.0;
    worst.add(std::abs(work.g(at) - by_impulse), 1e-9 * asked * load + rounding, here);
    worst.add(std::abs(work.g(at) - by_load), (1e-9 + turn) * asked * load + rounding, here);
  }
}

void expect_deflections(const Stepper& stepper, double eps) {
  const Relaxation relaxation{.compliance = eps, .angular_compliance = eps};
  Worst worst;
  for (const JointCase& joint : joint_cases())
    for (const Ground ground : {Ground::world, Ground::welded_body})
      for (int row = 0; row < joint.rows; ++row)
        measure_deflection(stepper, {joint, ground, relaxation}, row, worst);
  EXPECT_LT(worst.excess, 1.0) << worst.where;
}

TEST(StaticDeflection, equals_compliance_times_load_in_every_row_at_60_steps_a_second) {
  for (const Stepper& stepper : both_steppers(1.0 / 60, BlockPivot{}))
    for (const double eps : {1e-8, 1e-4}) expect_deflections(stepper, eps);
}

TEST(StaticDeflection, equals_compliance_times_load_in_every_row_at_1000_steps_a_second) {
  for (const Stepper& stepper : both_steppers(1.0 / 1000, BlockPivot{}))
    for (const double eps : {1e-8, 1e-5}) expect_deflections(stepper, eps);
}

// A torque that would spin the free body up to 100 rad/s in one step: the weld must not see that
// spin, which never happens, in its gyroscopic terms.
TEST(StaticDeflection, of_a_weld_under_a_large_torque_is_that_of_the_torque) {
  const double eps = 1e-8, torque = 500.0;
  for (const Stepper& stepper : both_steppers(1.0 / 60)) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const Vec3 direction = Vec3(1, -2, 3).normalized();
    const BodyId body =
        b.add_body({.mass = box_of_mass({0.4, 0.3, 0.2}, 1.0), .torque = torque * direction});
    b.add_joint(Fixed{.b = body});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 300, state, work);
    const Vec3 turn = work.g.segment<3>(3);
    EXPECT_LT((turn - eps * torque * direction).norm(), 1e-6 * eps * torque) << name_of(stepper);
  }
}

// Linear and angular rows of one joint have compliances of their own.
TEST(StaticDeflection, of_angular_rows_follows_the_angular_compliance) {
  const JointCase joint = joint_cases()[3];  // fixed: point x y z, turn 1 2 3
  const Rig rig{joint, Ground::world, {.compliance = 1e-7, .angular_compliance = 1e-5}};
  for (int row = 0; row < 6; ++row) {
    const Model model = make_loaded(rig, loads_on_row(rig, row));
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = 1.0 / 60}, model, 2000, state, work);
    const double eps = row < 3 ? 1e-7 : 1e-5;
    EXPECT_NEAR(work.g(row), eps * load, 1e-9 + 3.0 * eps * eps * load) << row;
  }
}

// The unit row of a rod under tension: held at one end and pulled by F at the other, the coordinate
// u feels F l, and g = (u² − 1)/2 settles at ε F l/|u|, ε in 1/J.
TEST(StaticDeflection, of_a_rods_unit_row_equals_compliance_times_tension_times_length) {
  const double eps = 1e-5, tension = 20.0, length = 2.0;
  for (const Stepper& stepper : both_steppers(1.0 / 60)) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId rod = b.add_body({.kind = BodyKind::rod,
                                   .mass = {.mass = 3.0},
                                   .length = length,
                                   .position = {1.0, 0, 0},
                                   .relaxation = {.compliance = eps}});
    const BodyId weight =
        b.add_body({.kind = BodyKind::particle, .position = {2.0, 0, 0}, .force = {tension, 0, 0}});
    b.add_joint(Ball{.b = rod});
    b.add_joint(Ball{.a = rod, .b = weight, .point = {2.0, 0, 0}});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 3000, state, work);
    const double u = state.q.segment<3>(10).norm();
    EXPECT_NEAR(work.g(6), eps * tension * length / u, 1e-9 * eps * tension);
  }
}

// A chain at rest: the tension grows link by link, and so do the gaps.
TEST(StaticDeflection, of_a_hanging_chain_grows_by_the_weight_of_a_link_per_joint) {
  const double eps = 1e-6;
  const int links = 10;
  const Model model =
      machines::make_chain(links, {.direction = -Vec3::UnitZ(), .relaxation = {.compliance = eps}});
  for (const Stepper& stepper : both_steppers(1.0 / 60)) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 6000, state, work);
    for (int i = 0; i < links; ++i)
      EXPECT_NEAR(work.g(3 * i + 2), -eps * 10.0 * (links - i), 1e-9 * eps * 100.0) << i;
  }
}

// A motor slips by its inverse drag times the torque it needs: a hinge driven against a torque.
TEST(StaticDeflection, motor_slips_by_inverse_drag_times_torque) {
  const double drag = 1e-3, torque = 2.0, speed = 1.5;
  for (const Stepper& stepper : both_steppers(1.0 / 60)) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId wheel =
        b.add_body({.mass = cylinder_of_mass(0.5, 0.1, 1.0), .torque = {0, 0, -torque}});
    const JointId hinge = b.add_joint(Hinge{.b = wheel});
    b.add_control(Motor{.on = hinge, .speed = speed, .inverse_drag = drag});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 600, state, work);
    EXPECT_NEAR(state.v(5), speed - drag * torque, 1e-12);
  }
}

}  // namespace
}  // namespace ligament
