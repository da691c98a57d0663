// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/control.h"

#include <fmt/format.h>

#include "ligament/model/joint_coordinates.h"
#include "ligament/model/validation.h"

namespace ligament {
namespace {

void check_sum(const Culprit& culprit, const CoordinateSum& sum, const Model& model) {
  if (sum.terms.empty()) culprit.fail("acts on nothing: name the joint that it acts on");
  for (const Term& term : sum.terms) {
    if (term.joint.index() >= model.joints().size())
      culprit.fail(fmt::format("there is no joint with id {}", term.joint.value));
    const JointKind kind = model.joint(term.joint).kind;
    const auto coordinates = coordinates_of(kind);
    if (coordinates.empty())
      culprit.fail(fmt::format("acts on joint \"{}\", which is a {} joint and has no coordinate",
                               model.name(term.joint), name_of(kind)));
    if (term.index < 0 || term.index >= static_cast<int>(coordinates.size()))
      culprit.fail(fmt::format("acts on coordinate {} of joint \"{}\", a {} joint, which has {}",
                               term.index, model.name(term.joint), name_of(kind),
                               coordinates.size()));
    culprit.require_number("factor", term.factor);
    if (term.factor == 0.0) culprit.fail("factor is 0: leave the term out");
  }
}

double value_of(const CoordinateSum& sum, const Model& model) {
  double value = 0.0;
  for (const Term& term : sum.terms)
    value += term.factor * model.initial_state().s(model.joint(term.joint).coordinate + term.index);
  return value;
}

// One overload a kind: the checks of its numbers, and what the model keeps of it.
struct MakeControl {
  const Culprit& culprit;
  const Model& model;

  void check_function(const char* what, const TimeFunction& function) const {
    culprit.require_number(what, function(0.0));
  }
  void check_max_force(double value) const {
    if (!(value >= 0.0)) culprit.fail(fmt::format("max force is {:g}: it must be ≥ 0", value));
  }
  double damping_time(const std::optional<double>& given) const {
    if (given) culprit.require_non_negative("damping time", *given);
    return given.value_or(-1.0);
  }

  Control operator()(const Motor& motor) const {
    check_function("speed", motor.speed);
    check_max_force(motor.max_force);
    culprit.require_non_negative("inverse drag", motor.inverse_drag);
    return {.kind = ControlKind::motor,
            .target = motor.speed,
            .max_force = motor.max_force,
            .compliance = motor.inverse_drag};
  }
  Control operator()(const Servo& servo) const {
    check_function("target", servo.target);
    check_max_force(servo.max_force);
    culprit.require_positive("stiffness", servo.stiffness);
    if (servo.damping) culprit.require_non_negative("damping", *servo.damping);
    return {.kind = ControlKind::servo,
            .target = servo.target,
            .max_force = servo.max_force,
            .compliance = 1.0 / servo.stiffness,
            .damping_time = servo.damping ? *servo.damping / servo.stiffness : -1.0};
  }
  Control operator()(const Motion& motion) const {
    check_function("target", motion.target);
    culprit.require_non_negative("compliance", motion.compliance);
    return {.kind = ControlKind::motion,
            .target = motion.target,
            .compliance = motion.compliance,
            .damping_time = damping_time(motion.damping_time)};
  }
  Control operator()(const Limit& limit) const {
    if (!limit.lower && !limit.upper) culprit.fail("has no bound: give lower, upper or both");
    if (limit.lower) culprit.require_number("lower", *limit.lower);
    if (limit.upper) culprit.require_number("upper", *limit.upper);
    if (limit.lower && limit.upper && !(*limit.lower < *limit.upper))
      culprit.fail(
          fmt::format("lower is {:g} and upper {:g}: lower must be below upper (a lock "
                      "holds a coordinate at one value)",
                      *limit.lower, *limit.upper));
    culprit.require_non_negative("compliance", limit.compliance);
    if (!(limit.restitution >= 0.0 && limit.restitution <= 1.0))
      culprit.fail(
          fmt::format("restitution is {:g}: it must be between 0 and 1", limit.restitution));
    return {.kind = ControlKind::limit,
            .lower = limit.lower.value_or(-unlimited),
            .upper = limit.upper.value_or(unlimited),
            .compliance = limit.compliance,
            .damping_time = damping_time(limit.damping_time),
            .restitution = limit.restitution};
  }
  Control operator()(const Friction& friction) const {
    check_max_force(friction.max_force);
    culprit.require_non_negative("inverse drag", friction.inverse_drag);
    return {.kind = ControlKind::friction,
            .max_force = friction.max_force,
            .compliance = friction.inverse_drag};
  }
  Control operator()(const Lock& lock) const {
    if (lock.value) culprit.require_number("value", *lock.value);
    culprit.require_non_negative("compliance", lock.compliance);
    return {.kind = ControlKind::lock,
            .target = lock.value ? *lock.value : value_of(lock.on, model),
            .compliance = lock.compliance,
            .damping_time = damping_time(lock.damping_time)};
  }
};

}  // namespace

const char* name_of(ControlKind kind) {
  constexpr const char* names[] = {"motor", "servo", "motion", "limit", "friction", "lock"};
  return names[static_cast<std::size_t>(kind)];
}

Control make_control(const Culprit& culprit, const ControlSpec& spec, const Model& model) {
  const CoordinateSum& sum =
      std::visit([](const auto& s) -> const CoordinateSum& { return s.on; }, spec);
  check_sum(culprit, sum, model);
  Control control = std::visit(MakeControl{culprit, model}, spec);
  control.terms = static_cast<int>(sum.terms.size());
  return control;
}

void check_load(const Culprit& culprit, const Load& load, const Model& model) {
  if (load.body.index() >= model.bodies().size())
    culprit.fail(fmt::format("there is no body with id {}", load.body.value));
  const BodyKind kind = model.body(load.body).kind;
  const std::string& name = model.name(load.body);
  if (kind == BodyKind::fixed)
    culprit.fail(fmt::format("acts on body \"{}\", which is fixed", name));
  if (load.point) culprit.require_vector("point", *load.point);
  bool turns = false;
  for (std::size_t i = 0; i < 3; ++i) {
    culprit.require_number("force", load.force[i](0.0));
    culprit.require_number("torque", load.torque[i](0.0));
    turns = turns || !load.torque[i].is_constant() || load.torque[i](0.0) != 0.0;
  }
  if (kind == BodyKind::rigid) return;
  if (turns)
    culprit.fail(fmt::format("has a torque on body \"{}\", which is a {}: use a rigid body", name,
                             name_of(kind)));
  const bool rod = kind == BodyKind::rod;
  const Vec3 point = load.point.value_or(Vec3::Zero());
  if ((rod ? point.tail<2>().norm() : point.norm()) > 0.0)
    culprit.fail(
        fmt::format("its point is off {} \"{}\"", rod ? "the axis of rod" : "particle", name));
  if (rod && load.in_body_axes)
    culprit.fail(
        fmt::format("is given in the axes of rod \"{}\", which has but one: give it in "
                    "world axes",
                    name));
}

}  // namespace ligament
