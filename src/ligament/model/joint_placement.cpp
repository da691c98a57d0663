// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/joint_placement.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ligament/math/rotation.h"

namespace ligament {
namespace {

// A joint's description, made uniform over the kinds.
struct Placement {
  JointKind kind = JointKind::ball;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // world
  Vec3 axis_a = Vec3::UnitZ(), axis_b = Vec3::UnitZ();  // world
  std::optional<Frame> frame_a{}, frame_b{};            // in the bodies
  std::optional<double> length{};                       // [m]
  double pitch = 0.0;                                   // [m]
  double slip = 0.0;                                    // [m/(N s)]
  bool contacts = false;
  Relaxation relaxation{};
};

struct PlacementOf {
  const Model& model;

  Vec3 centre(BodyId id) const { return compute_pose(model, model.initial_state(), id).p; }

  template <class Spec>
  Placement at_a_point(JointKind kind, const Spec& j) const {
    return {.kind = kind,
            .point_a = j.point,
            .point_b = j.point,
            .axis_a = j.axis,
            .axis_b = j.axis,
            .frame_a = j.frame_a,
            .frame_b = j.frame_b,
            .contacts = j.contacts};
  }
  template <class Spec>
  Placement between_points(JointKind kind, const Spec& j) const {
    return {.kind = kind,
            .point_a = j.point_a ? *j.point_a : centre(j.a),
            .point_b = j.point_b ? *j.point_b : centre(j.b)};
  }

  template <JointKind kind>
  Placement operator()(const FrameJoint<kind>& j) const {
    Placement placed = at_a_point(kind, j);
    placed.axis_b = j.axis_b.value_or(j.axis);
    placed.relaxation = j.relaxation;
    return placed;
  }
  Placement operator()(const Screw& j) const {
    Placement placed = at_a_point(JointKind::screw, j);
    placed.pitch = j.pitch;
    placed.relaxation = j.relaxation;
    return placed;
  }
  Placement operator()(const Bushing& j) const { return at_a_point(JointKind::bushing, j); }
  Placement operator()(const RollingDisc& j) const {
    // The lowest point of the disc, as parts/rolling.h has it.
    const Vec3 n = j.normal.normalized(), d = j.axis.normalized();
    const Vec3 down = (n - n.dot(d) * d).normalized();
    return {.kind = JointKind::rolling_disc,
            .point_a = j.plane_point.value_or(j.point - j.radius * down),
            .point_b = j.point,
            .axis_a = j.normal,
            .axis_b = j.axis,
            .length = j.radius,
            .slip = j.slip,
            .contacts = j.contacts,
            .relaxation = j.relaxation};
  }
  template <JointKind kind>
  Placement operator()(const LengthJoint<kind>& j) const {
    Placement placed = between_points(kind, j);
    placed.length = j.length;
    placed.relaxation = j.relaxation;
    return placed;
  }
  Placement operator()(const Spring& j) const {
    Placement placed = between_points(JointKind::spring, j);
    placed.length = j.length;
    return placed;
  }
  Placement operator()(const Actuator& j) const { return between_points(JointKind::actuator, j); }
};

std::pair<BodyId, BodyId> bodies_of(const JointSpec& spec) {
  return std::visit([](const auto& joint) { return std::pair{joint.a, joint.b}; }, spec);
}

void check_bodies(const Culprit& culprit, const Model& model, BodyId a, BodyId b) {
  for (const BodyId id : {a, b})
    if (id.index() >= model.bodies().size())
      culprit.fail(fmt::format("there is no body with id {}", id.value));
  if (a == b)
    culprit.fail(
        fmt::format("ties body \"{}\" to itself: name two different bodies", model.name(a)));
  if (model.body(a).kind == BodyKind::fixed && model.body(b).kind == BodyKind::fixed)
    culprit.fail(
        fmt::format("ties \"{}\" to \"{}\", and both are fixed: one of them must be able to "
                    "move",
                    model.name(a), model.name(b)));
}

bool has_two_axes(JointKind kind) {
  return kind == JointKind::universal || kind == JointKind::perpendicular_axes;
}

bool has_length(JointKind kind) {
  return kind == JointKind::distance || kind == JointKind::rope || kind == JointKind::spring ||
         kind == JointKind::actuator;
}

// Whether the joint ties the attitude of the body on this side.
enum class Side { a, b };
bool ties_attitude(JointKind kind, Side side) {
  if (kind == JointKind::ball || has_length(kind)) return false;
  if (kind == JointKind::point_on_line || kind == JointKind::point_on_plane) return side == Side::a;
  return true;
}

// A particle has one point and a rod a line of points: a joint must be there, and nothing can tie
// their attitude.
void check_attachment(const Culprit& culprit, const Model& model, BodyId id, Side side,
                      JointKind kind, const Vec3& point_B) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::fixed) return;
  if (ties_attitude(kind, side))
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

void check_axis(const Culprit& culprit, const Vec3& axis) {
  culprit.require_vector("axis", axis);
  if (axis.norm() < 1e-12) culprit.fail("axis has zero length: give a direction such as [0, 0, 1]");
}

void check_frame(const Culprit& culprit, const Frame& frame) {
  culprit.require_vector("frame", frame.p);
  const double length = frame.R.norm();
  if (!(std::abs(length - 1.0) < 1e-3))
    culprit.fail(
        fmt::format("a frame's attitude is a quaternion of length {:g}: it must be 1", length));
}

// R_WJ: z along the axis and, where another axis is given that is not along it, x towards that.
Quat frame_along(const Vec3& axis, const Vec3& other) {
  const Vec3 z = axis.normalized();
  const Vec3 across = other - other.dot(z) * z;
  if (across.norm() < 1e-9 * other.norm()) return frame_with_z_along(axis);
  Mat3 columns;
  columns.col(0) = across.normalized();
  columns.col(1) = z.cross(columns.col(0));
  columns.col(2) = z;
  return Quat(columns);
}

Frame frame_in_body(const Frame& pose, const Vec3& point, const Quat& R_WJ) {
  const Quat R_BW = pose.R.conjugate();
  return {.p = R_BW * (point - pose.p), .R = R_BW * R_WJ};
}

void place_frames(const Culprit& culprit, const Placement& placed, const Model& model,
                  Joint& joint) {
  culprit.require_vector("point", placed.point_a);
  culprit.require_vector("point", placed.point_b);
  check_axis(culprit, placed.axis_a);
  check_axis(culprit, placed.axis_b);
  if (placed.frame_a) check_frame(culprit, *placed.frame_a);
  if (placed.frame_b) check_frame(culprit, *placed.frame_b);
  const State& state = model.initial_state();
  const Frame pose_a = compute_pose(model, state, joint.a);
  const Frame pose_b = compute_pose(model, state, joint.b);
  const auto given = [&](const std::optional<Frame>& frame, BodyId id) {
    return frame ? std::optional(Frame{frame->p - model.body(id).centre, frame->R}) : frame;
  };
  joint.frame_a = given(placed.frame_a, joint.a)
                      .value_or(frame_in_body(pose_a, placed.point_a,
                                              frame_along(placed.axis_a, placed.axis_b)));
  joint.frame_b = given(placed.frame_b, joint.b)
                      .value_or(frame_in_body(pose_b, placed.point_b,
                                              frame_along(placed.axis_b, placed.axis_a)));
  joint.frame_a.R.normalize();
  joint.frame_b.R.normalize();
  check_attachment(culprit, model, joint.a, Side::a, placed.kind, joint.frame_a.p);
  check_attachment(culprit, model, joint.b, Side::b, placed.kind, joint.frame_b.p);
}

// The numbers that some kinds have.
void place_numbers(const Culprit& culprit, const Placement& placed, Joint& joint) {
  if (placed.kind == JointKind::screw) {
    culprit.require_number("pitch", placed.pitch);
    if (placed.pitch == 0.0) culprit.fail("pitch is 0: use a hinge");
    joint.advance = placed.pitch / (2.0 * std::numbers::pi);
  }
  if (placed.kind == JointKind::rolling_disc) {
    culprit.require_positive("radius", *placed.length);
    culprit.require_non_negative("slip", placed.slip);
    joint.length = *placed.length;
    joint.slip = placed.slip;
    const Vec3 n = placed.axis_a.normalized(), d = placed.axis_b.normalized();
    if (n.cross(d).norm() < 1e-6)
      culprit.fail("axis, of the disc, is along the normal of the plane: the disc lies flat");
  }
  if (has_length(placed.kind)) {
    joint.length = placed.length.value_or((placed.point_b - placed.point_a).norm());
    if (!placed.length && joint.length < 1e-12)
      culprit.fail("its two points coincide, so the distance has no direction: use a ball joint");
    culprit.require_positive("length", joint.length);
  }
}

Rate make_rate(const Culprit& culprit, const char* prefix, double stiffness, double damping) {
  culprit.require_non_negative(fmt::format("{}stiffness", prefix).c_str(), stiffness);
  culprit.require_non_negative(fmt::format("{}damping", prefix).c_str(), damping);
  return {.stiffness = stiffness, .damping = damping};
}

}  // namespace

Joint make_joint(const Culprit& culprit, const JointSpec& spec, const Model& model) {
  const auto [a, b] = bodies_of(spec);
  check_bodies(culprit, model, a, b);
  const Placement placed = std::visit(PlacementOf{model}, spec);
  culprit.require_relaxation(placed.relaxation);
  Joint joint{.kind = placed.kind,
              .a = a,
              .b = b,
              .relaxation = placed.relaxation,
              .contacts = placed.contacts};
  place_frames(culprit, placed, model, joint);
  if (has_two_axes(placed.kind) && !placed.frame_a && !placed.frame_b &&
      std::abs(placed.axis_a.normalized().dot(placed.axis_b.normalized())) > 1e-6)
    culprit.fail("its two axes, axis (of body a) and axis_b (of body b), must be perpendicular");
  place_numbers(culprit, placed, joint);
  return joint;
}

std::vector<Rate> make_rates(const Culprit& culprit, const JointSpec& spec) {
  std::vector<Rate> rates;
  if (const auto* spring = std::get_if<Spring>(&spec)) {
    rates.push_back(make_rate(culprit, "", spring->stiffness, spring->damping));
    if (spring->stiffness == 0.0 && spring->damping == 0.0)
      culprit.fail("has neither stiffness nor damping: give one of them, or use an actuator");
  }
  if (const auto* bushing = std::get_if<Bushing>(&spec)) {
    for (int i = 0; i < 3; ++i)
      rates.push_back(make_rate(culprit, "", bushing->stiffness(i), bushing->damping(i)));
    for (int i = 0; i < 3; ++i)
      rates.push_back(make_rate(culprit, "angular ", bushing->angular_stiffness(i),
                                bushing->angular_damping(i)));
  }
  return rates;
}

}  // namespace ligament
