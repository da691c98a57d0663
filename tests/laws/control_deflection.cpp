// SPDX-License-Identifier: Apache-2.0
// At rest under a load every control that holds a position gives way by compliance × load, as
// joints do (static_deflection.cpp), and every one that holds a speed slips by inverse drag × load.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "support/drives.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double load = 3.0;  // [N, N m] along the sum that a control acts on

// A wheel about z and a slide along z side by side, loaded by `load` × the row of a sum
// wheel_factor · angle + slide_factor · slide.
struct Sum {
  double wheel = 1.0, slide = 0.0;
};

struct Bench {
  ModelBuilder builder{{.gravity = Vec3::Zero()}};
  CoordinateSum on;
};

Bench make_bench(const Sum& sum, double force) {
  Bench bench;
  const BodyId wheel = bench.builder.add_body(
      {.mass = cylinder_of_mass(0.5, 0.1, 16.0), .torque = {0, 0, force * sum.wheel}});
  const BodyId slide = bench.builder.add_body({.mass = box_of_mass({0.1, 0.2, 0.3}, 2.0),
                                               .position = {1, 0, 0},
                                               .force = {0, 0, force * sum.slide}});
  const JointId axle = bench.builder.add_joint(Hinge{.b = wheel});
  const JointId guide = bench.builder.add_joint(Prismatic{.b = slide, .point = {1, 0, 0}});
  if (sum.wheel != 0.0) bench.on.terms.push_back({axle, 0, sum.wheel});
  if (sum.slide != 0.0) bench.on.terms.push_back({guide, 0, sum.slide});
  return bench;
}

struct Case {
  std::string name;
  std::function<ControlSpec(const CoordinateSum& on, double compliance)> make;
  double sign = 0.0;  // of the load, if only one is held
};

std::vector<Case> cases() {
  return {
      {"lock",
       [](const CoordinateSum& on, double eps) { return Lock{.on = on, .compliance = eps}; }},
      {"motion", [](const CoordinateSum& on,
                    double eps) { return Motion{.on = on, .target = 0.0, .compliance = eps}; }},
      {"servo", [](const CoordinateSum& on,
                   double eps) { return Servo{.on = on, .target = 0.0, .stiffness = 1.0 / eps}; }},
      {"servo with a bound that suffices",
       [](const CoordinateSum& on, double eps) {
         return Servo{.on = on, .stiffness = 1.0 / eps, .max_force = 1.01 * load};
       }},
      {"lower limit",
       [](const CoordinateSum& on, double eps) {
         return Limit{.on = on, .lower = 0.0, .upper = 1.0, .compliance = eps};
       },
       -1.0},
      {"upper limit",
       [](const CoordinateSum& on, double eps) {
         return Limit{.on = on, .lower = -1.0, .upper = 0.0, .compliance = eps};
       },
       1.0},
      {"elastic limit",
       [](const CoordinateSum& on, double eps) {
         return Limit{.on = on, .upper = 0.0, .compliance = eps, .restitution = 0.7};
       },
       1.0},
  };
}

// The value of the sum after it has settled, minus the target.
double settle(const Stepper& stepper, const Case& held, const Sum& sum, double force, double eps) {
  Bench bench = make_bench(sum, force);
  const CoordinateSum on = bench.on;
  bench.builder.add_control(held.make(on, eps));
  const Model model = std::move(bench.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  const double h = step_size(stepper);
  // As in static_deflection.cpp: the slowest falls by 0.1 h²/ε a step.
  const long steps = static_cast<long>(30.0 / std::min(0.15, 0.1 * h * h / eps));
  take_steps(stepper, model, steps, state, work);
  return compute_control_value(model, model.control({0}), state.s);
}

// A gear of ratio r is a lock on driven − r · driving, a rack and pinion one on rack − r · pinion:
// all of them are sums. Rounding of positions of a metre and of angles, some 2e-16 each; where Σ
// and the mobility are of one size the impulse is right to 1e-15.
void expect_deflection(double h, double eps) {
  for (const Stepper& stepper : both_steppers(h, BlockPivot{}))
    for (const Sum& sum : {Sum{1, 0}, Sum{0, 1}, Sum{-0.1, 1}, Sum{2.5, -0.4}})
      for (const Case& held : cases())
        for (const double sign : {-1.0, 1.0}) {
          if (held.sign * sign < 0.0) continue;
          const double value = settle(stepper, held, sum, sign * load, eps);
          EXPECT_NEAR(value, sign * eps * load, 1e-6 * eps * load)
              << held.name << " on " << sum.wheel << " angle + " << sum.slide << " slide by "
              << name_of(stepper) << " at h = " << h << ", eps = " << eps;
        }
}

TEST(ControlDeflection, equals_compliance_times_load_at_60_steps_a_second) {
  for (const double eps : {1e-8, 1e-4}) expect_deflection(1.0 / 60, eps);
}

TEST(ControlDeflection, equals_compliance_times_load_at_1000_steps_a_second) {
  for (const double eps : {1e-8, 1e-5}) expect_deflection(1.0 / 1000, eps);
}

// Two wheels, the gear made by make_gear: loads T on the driven and −r T on the driving wheel are
// in balance, and the sum gives way by ε T.
TEST(ControlDeflection, of_a_gear_equals_compliance_times_torque) {
  const double r = -2.5, eps = 1e-6;
  for (const double h : {1.0 / 60, 1.0 / 1000}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const MassProperties mass = cylinder_of_mass(0.5, 0.1, 8.0);
    const BodyId first = b.add_body({.mass = mass, .torque = {0, 0, -r * load}});
    const BodyId second = b.add_body({.mass = mass, .position = {1, 0, 0}, .torque = {0, 0, load}});
    const JointId driving = b.add_joint(Hinge{.b = first});
    const JointId driven = b.add_joint(Hinge{.b = second, .point = {1, 0, 0}});
    Lock gear = make_gear("gear", driving, driven, r);
    gear.compliance = eps;
    b.add_control(gear);
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = h}, model, 2000, state, work);
    EXPECT_NEAR(state.s(1) - r * state.s(0), eps * load, 1e-6 * eps * load);
  }
}

// A target that moves steadily is held as one that stands still: no lag but compliance × load. On
// the slide, whose coordinate is exactly linear; rounding of positions up to 6 m.
TEST(ControlDeflection, of_a_steadily_moving_target_equals_compliance_times_load) {
  const double speed = 0.3, eps = 1e-6;
  const auto target = [=](double t) { return speed * t; };
  for (const double h : {1.0 / 60, 1.0 / 1000})
    for (const Stepper& stepper : both_steppers(h, BlockPivot{}))
      for (const bool servo : {false, true}) {
        machines::Drive drive = machines::make_slide({.load = load, .speed = speed});
        if (servo)
          drive.builder.add_control(
              Servo{.on = drive.joint, .target = target, .stiffness = 1.0 / eps});
        else
          drive.builder.add_control(Motion{.on = drive.joint, .target = target, .compliance = eps});
        const Model model = std::move(drive.builder).build();
        State state = model.initial_state();
        run(model, stepper, state, {.steps = 1200});
        EXPECT_NEAR(state.s(0) - target(state.t), eps * load, 1e-6 * eps * load + 8e-15);
      }
}

// Motors and friction on sums slip by inverse drag × the force along the sum.
TEST(ControlSlip, equals_inverse_drag_times_load) {
  const double drag = 1e-4, speed = 0.5;
  for (const double h : {1.0 / 60, 1.0 / 1000})
    for (const Stepper& stepper : both_steppers(h, BlockPivot{}))
      for (const Sum& sum : {Sum{1, 0}, Sum{0, 1}, Sum{-0.1, 1}}) {
        const auto slip = [&](const ControlSpec& control) {
          Bench bench = make_bench(sum, load);
          ControlSpec placed = control;
          std::visit([&](auto& spec) { spec.on = bench.on; }, placed);
          bench.builder.add_control(placed);
          const Model model = std::move(bench.builder).build();
          State state = model.initial_state();
          Workspace work(model);
          take_steps(stepper, model, 600, state, work);
          return sum.wheel * state.v(5) + sum.slide * state.v(8);
        };
        // The axle's rows and the Cayley map do not matter to the speed. 600 steps of rounding.
        EXPECT_NEAR(slip(Motor{.speed = speed, .inverse_drag = drag}), speed + drag * load, 1e-13);
        EXPECT_NEAR(slip(Friction{.max_force = 1.1 * load, .inverse_drag = drag}), drag * load,
                    1e-13);
      }
}

// The touching point of a disc creeps over its plane by slip × the force on it: a force at the
// centre and the torque that brings its line of action down to the plane.
TEST(RollingDisc, creeps_by_slip_times_force) {
  const double slip = 1e-6, radius = 0.3;
  for (const double h : {1.0 / 60, 1.0 / 1000})
    for (const Vec3& force : {Vec3(load, 0, 0), Vec3(0, load, 0)}) {
      ModelBuilder b{{.gravity = Vec3::Zero()}};
      const BodyId disc =
          b.add_body({.mass = cylinder_of_mass(radius, 0.01, 1.0),
                      .position = {0, 0, radius},
                      .orientation = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX())),
                      .force = force,
                      .torque = Vec3(0, 0, -radius).cross(force)});
      b.add_joint(RollingDisc{
          .b = disc, .point = {0, 0, radius}, .axis = {0, 1, 0}, .radius = radius, .slip = slip});
      const Model model = std::move(b).build();
      State state = model.initial_state();
      Workspace work(model);
      take_steps(Spook{.h = h}, model, 20, state, work);  // δ/(h s) < 1e-3 is left in a step
      const Vec3 w = state.v.tail<3>();
      const Vec3 creep = Vec3(state.v.head<3>()) + w.cross(Vec3(0, 0, -radius));
      // It has turned by 3e-6 rad since, and the load has not.
      EXPECT_LT((creep - slip * force).norm(), 1e-5 * slip * load);
    }
}

}  // namespace
}  // namespace ligament
