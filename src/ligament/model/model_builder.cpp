// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/model_builder.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "ligament/math/rotation.h"
#include "ligament/model/validation.h"

namespace ligament {
namespace {

// Where a user put a joint, made uniform over the kinds of joints.
struct Placement {
  JointKind kind;
  std::string name;
  BodyId a, b;
  Vec3 point_a, point_b;      // world
  Vec3 axis = Vec3::UnitZ();  // world
  std::optional<double> length{};
  Relaxation relaxation;
};

Placement placement_of(const JointSpec& spec, const Model& model) {
  const auto centre = [&](BodyId id) { return compute_pose(model, model.initial_state(), id).p; };
  struct Visitor {
    const decltype(centre)& centre_of;
    Placement operator()(const Ball& j) const {
      return {JointKind::ball, j.name, j.a, j.b, j.point, j.point, Vec3::UnitZ(), {}, j.relaxation};
    }
    Placement operator()(const Hinge& j) const {
      return {JointKind::hinge, j.name, j.a, j.b, j.point, j.point, j.axis, {}, j.relaxation};
    }
    Placement operator()(const Prismatic& j) const {
      return {JointKind::prismatic, j.name, j.a, j.b, j.point, j.point, j.axis, {}, j.relaxation};
    }
    Placement operator()(const Fixed& j) const {
      return {JointKind::fixed, j.name,        j.a, j.b,         j.point,
              j.point,          Vec3::UnitZ(), {},  j.relaxation};
    }
    Placement operator()(const Distance& j) const {
      return {JointKind::distance,
              j.name,
              j.a,
              j.b,
              j.point_a ? *j.point_a : centre_of(j.a),
              j.point_b ? *j.point_b : centre_of(j.b),
              Vec3::UnitZ(),
              j.length,
              j.relaxation};
    }
  };
  return std::visit(Visitor{centre}, spec);
}

std::pair<BodyId, BodyId> bodies_of(const JointSpec& spec) {
  return std::visit([](const auto& joint) { return std::pair{joint.a, joint.b}; }, spec);
}

const std::string& name_in(const JointSpec& spec) {
  return std::visit([](const auto& joint) -> const std::string& { return joint.name; }, spec);
}

// The joint's frame in body coordinates.
Frame frame_in_body(const Frame& pose, const Vec3& point, const Quat& R_WJ) {
  const Quat R_BW = pose.R.conjugate();
  return {.p = R_BW * (point - pose.p), .R = R_BW * R_WJ};
}

// A particle has one point and a rod a line of points: a joint must be there, and nothing can tie
// their attitude.
void check_attachment(const Culprit& culprit, const Model& model, BodyId id, JointKind kind,
                      const Vec3& point_B) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::fixed) return;
  if (kind != JointKind::ball && kind != JointKind::distance)
    culprit.fail(
        fmt::format("a {} joint ties the attitude of body \"{}\", which is a {} and has "
                    "none: use a ball or distance joint, or a rigid body",
                    name_of(kind), model.name(id), name_of(body.kind)));
  const bool rod = body.kind == BodyKind::rod;
  const double off = rod ? point_B.tail<2>().norm() : point_B.norm();
  if (off > 1e-9 * (1.0 + point_B.norm()))
    culprit.fail(fmt::format("its point is {:.6g} m off {} \"{}\": {}", off,
                             rod ? "the axis of rod" : "particle", model.name(id),
                             rod ? "put it on the axis" : "put it at the particle's position"));
}

Joint make_joint(const Culprit& culprit, const Placement& placed, const Model& model) {
  Joint joint{.kind = placed.kind, .a = placed.a, .b = placed.b, .relaxation = placed.relaxation};
  culprit.require_vector("point", placed.point_a);
  culprit.require_vector("point", placed.point_b);
  culprit.require_vector("axis", placed.axis);
  if (placed.axis.norm() < 1e-12)
    culprit.fail("axis has zero length: give a direction such as [0, 0, 1]");
  culprit.require_relaxation(placed.relaxation);

  const Quat R_WJ = frame_with_z_along(placed.axis);
  const State& state = model.initial_state();
  joint.frame_a = frame_in_body(compute_pose(model, state, placed.a), placed.point_a, R_WJ);
  joint.frame_b = frame_in_body(compute_pose(model, state, placed.b), placed.point_b, R_WJ);
  check_attachment(culprit, model, placed.a, placed.kind, joint.frame_a.p);
  check_attachment(culprit, model, placed.b, placed.kind, joint.frame_b.p);
  if (placed.kind == JointKind::distance) {
    joint.length = placed.length.value_or((placed.point_b - placed.point_a).norm());
    if (!placed.length && joint.length < 1e-12)
      culprit.fail("its two points coincide, so the distance has no direction: use a ball joint");
    culprit.require_positive("length", joint.length);
  }
  return joint;
}

void check_joint_bodies(const Culprit& culprit, const Model& model, BodyId a, BodyId b) {
  for (const BodyId id : {a, b})
    if (id.index() >= model.bodies().size())
      culprit.fail(fmt::format("there is no body with id {}", id.value));
  if (a == b)
    culprit.fail(
        fmt::format("ties body \"{}\" to itself: name two different bodies", model.name(a)));
  if (model.body(a).kind == BodyKind::fixed && model.body(b).kind == BodyKind::fixed)
    culprit.fail(
        fmt::format("ties \"{}\" to \"{}\", and both are fixed: one of them must be able to move",
                    model.name(a), model.name(b)));
}

// A name of the user's, or one made of the element and its place; unique within its kind.
class Names {
 public:
  std::string take(const char* element, std::size_t index, const std::string& given) {
    std::string name = given.empty() ? fmt::format("{} {}", element, index + 1) : given;
    if (!taken_.insert(name).second)
      throw ModelError(
          element, index,
          fmt::format("{0} \"{1}\": the name is taken by another {0}: names must be unique",
                      element, name));
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace

BodyId ModelBuilder::add_body(BodySpec spec) {
  bodies_.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(bodies_.size())};  // the world is body 0
}

JointId ModelBuilder::add_joint(JointSpec spec) {
  joints_.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(joints_.size() - 1)};
}

DriverId ModelBuilder::add_driver(HingeDriver spec) {
  drivers_.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(drivers_.size() - 1)};
}

Model ModelBuilder::build() && {
  Model model;
  Culprit("", 0, "model").require_vector("gravity", options_.gravity);
  model.gravity_ = options_.gravity;

  Names body_names, joint_names, driver_names;
  const auto place = [&](const BodySpec& spec, const std::string& name) {
    Body body = make_body(spec);
    body.q_offset = model.coordinates_;
    model.coordinates_ += coordinates_of(spec.kind);
    if (spec.kind != BodyKind::fixed) {
      body.v_offset = model.velocities_;
      body.mass_block = model.moving_bodies_++;
      model.velocities_ += velocities_of(spec.kind);
    }
    model.bodies_.push_back(body);
    model.body_names_.push_back(name);
    model.principal_axes_.push_back(body.principal_axes
                                        ? Mat3(Mat3::Identity())
                                        : compute_principal_inertia(spec.mass.inertia).R_BP);
  };
  place({.kind = BodyKind::fixed}, body_names.take("body", 0, "world"));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::string name = body_names.take("body", i, bodies_[i].name);
    check_body(Culprit("body", i, name), bodies_[i]);
    place(bodies_[i], name);
  }

  State& state = model.initial_state_;
  state.q.setZero(model.coordinates_);
  state.v.setZero(model.velocities_);
  state.p.setZero(model.velocities_);
  state.q(3) = 1.0;  // the world's attitude
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    place_body(model, BodyId{static_cast<std::uint32_t>(i + 1)}, bodies_[i], state);

  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const std::string name = joint_names.take("joint", i, name_in(joints_[i]));
    const Culprit culprit("joint", i, name);
    const auto [a, b] = bodies_of(joints_[i]);
    check_joint_bodies(culprit, model, a, b);
    model.joints_.push_back(make_joint(culprit, placement_of(joints_[i], model), model));
    model.joint_names_.push_back(name);
  }
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    const HingeDriver& spec = drivers_[i];
    const std::string name = driver_names.take("driver", i, spec.name);
    const Culprit culprit("driver", i, name);
    if (spec.joint.index() >= model.joints_.size())
      culprit.fail(fmt::format("there is no joint with id {}", spec.joint.value));
    if (model.joint(spec.joint).kind != JointKind::hinge)
      culprit.fail(fmt::format("drives joint \"{}\", which is a {} joint: it can drive a hinge",
                               model.name(spec.joint), name_of(model.joint(spec.joint).kind)));
    culprit.require_number("speed", spec.speed);
    culprit.require_non_negative("inverse drag", spec.inverse_drag);
    model.drivers_.push_back(
        {.joint = spec.joint, .speed = spec.speed, .inverse_drag = spec.inverse_drag});
    model.driver_names_.push_back(name);
  }
  return model;
}

}  // namespace ligament
