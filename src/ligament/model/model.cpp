// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/model.h"

#include <algorithm>

#include "ligament/math/rotation.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

std::optional<std::size_t> find_name(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

Quat attitude_in(const VecX& q, int offset) {
  return Quat(q(offset + 3), q(offset + 4), q(offset + 5), q(offset + 6));
}

// R_WP: principal axes of inertia in world axes.
Mat3 principal_frame(const Model& model, const State& state, BodyId id) {
  const Mat3 R_WB = attitude_in(state.q, model.body(id).q_offset).toRotationMatrix();
  return R_WB * model.principal_axes(id);
}

struct Twist {
  Vec3 linear, angular;
};

// Central differences over a time that is short for machines and long for rounding.
Twist compute_prescribed_velocity(const Model& model, double t, const Body& body) {
  constexpr double dt = 1e-5;  // [s]
  const PoseFunction& pose = model.motions()[static_cast<std::size_t>(body.motion)];
  const Frame before = pose(t - dt), after = pose(t + dt);
  return {.linear = (after.p - before.p) / (2.0 * dt),
          .angular = cayley_between(before.R, after.R) / (2.0 * dt)};
}

}  // namespace

const char* name_of(BodyKind kind) {
  constexpr const char* names[] = {"rigid", "particle", "rod", "fixed"};
  return names[static_cast<std::size_t>(kind)];
}

const char* name_of(JointKind kind) {
  constexpr const char* names[] = {"ball",
                                   "hinge",
                                   "prismatic",
                                   "cylindrical",
                                   "universal",
                                   "planar",
                                   "fixed",
                                   "screw",
                                   "point_on_line",
                                   "point_on_plane",
                                   "parallel_axes",
                                   "perpendicular_axes",
                                   "constant_velocity",
                                   "rolling_disc",
                                   "distance",
                                   "rope",
                                   "spring",
                                   "actuator",
                                   "bushing"};
  static_assert(std::size(names) == joint_kinds);
  return names[static_cast<std::size_t>(kind)];
}

std::optional<BodyId> Model::find_body(std::string_view name) const {
  const auto index = find_name(body_names_, name);
  if (!index) return std::nullopt;
  return BodyId{static_cast<std::uint32_t>(*index)};
}

std::optional<JointId> Model::find_joint(std::string_view name) const {
  const auto index = find_name(joint_names_, name);
  if (!index) return std::nullopt;
  return JointId{static_cast<std::uint32_t>(*index)};
}

std::optional<ShapeId> Model::find_shape(std::string_view name) const {
  const auto found = find_name(shape_names_, name);
  return found ? std::optional(ShapeId{static_cast<std::uint32_t>(*found)}) : std::nullopt;
}

bool Model::is_jointed(BodyId a, BodyId b) const {
  return std::ranges::binary_search(jointed_, std::pair<BodyId, BodyId>(std::minmax(a, b)));
}

std::optional<ControlId> Model::find_control(std::string_view name) const {
  const auto index = find_name(control_names_, name);
  if (!index) return std::nullopt;
  return ControlId{static_cast<std::uint32_t>(*index)};
}

Model change(Model model, const ModelChange& by) {
  if (by.gravity) model.gravity_ = *by.gravity;
  for (const auto& [id, target] : by.targets) model.controls_[id.index()].target = target;
  model.loads_.insert(model.loads_.end(), by.loads.begin(), by.loads.end());
  return model;
}

Frame compute_pose(const Model& model, const State& state, BodyId id) {
  const Body& body = model.body(id);
  Frame pose{.p = state.q.segment<3>(body.q_offset)};
  if (body.kind == BodyKind::rod)
    pose.R = frame_with_x_along(state.q.segment<3>(body.q_offset + 3));
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::fixed)
    pose.R = attitude_in(state.q, body.q_offset);
  return pose;
}

Vec3 velocity_of(const Model& model, const State& state, BodyId id) {
  const Body& body = model.body(id);
  if (body.motion >= 0) return compute_prescribed_velocity(model, state.t, body).linear;
  if (body.kind == BodyKind::fixed) return Vec3::Zero();
  return state.v.segment<3>(body.v_offset);
}

Vec3 compute_angular_velocity(const Model& model, const State& state, BodyId id) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::rod) {
    const Vec3 u = state.q.segment<3>(body.q_offset + 3);
    return u.cross(Vec3(state.v.segment<3>(body.v_offset + 3)));
  }
  if (body.motion >= 0) return compute_prescribed_velocity(model, state.t, body).angular;
  if (body.kind != BodyKind::rigid) return Vec3::Zero();
  const Mat3 R_WP = principal_frame(model, state, id);
  const Vec3 l_P = R_WP.transpose() * state.p.segment<3>(body.v_offset + 3);
  return R_WP * l_P.cwiseQuotient(body.moments);
}

void displace(const Model& model, const VecX& v, double t, State& state) {
  for (const Body& body : model.bodies()) {
    if (body.kind == BodyKind::fixed) continue;
    state.q.segment<3>(body.q_offset) += t * v.segment<3>(body.v_offset);
    if (body.kind == BodyKind::rod)
      state.q.segment<3>(body.q_offset + 3) += t * v.segment<3>(body.v_offset + 3);
    if (body.kind != BodyKind::rigid) continue;
    const Quat e =
        rotation_by(t * v.segment<3>(body.v_offset + 3)) * attitude_in(state.q, body.q_offset);
    state.q.segment<4>(body.q_offset + 3) << e.w(), e.x(), e.y(), e.z();
  }
  update_joint_coordinates(model, state);
}

void set_velocity(const Model& model, BodyId id, const Vec3& velocity, const Vec3& angular_velocity,
                  State& state) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::fixed) return;
  state.v.segment<3>(body.v_offset) = velocity;
  state.p.segment<3>(body.v_offset) = body.mass * velocity;
  if (body.kind == BodyKind::rod) {
    const Vec3 u = state.q.segment<3>(body.q_offset + 3);
    state.v.segment<3>(body.v_offset + 3) = angular_velocity.cross(u);
    state.p.segment<3>(body.v_offset + 3) = body.moments.x() * angular_velocity.cross(u);
  }
  if (body.kind == BodyKind::rigid) {
    const Mat3 R_WP = principal_frame(model, state, id);
    const Vec3 w_P = R_WP.transpose() * angular_velocity;
    state.v.segment<3>(body.v_offset + 3) = angular_velocity;
    state.p.segment<3>(body.v_offset + 3) = R_WP * w_P.cwiseProduct(body.moments);
  }
}

}  // namespace ligament
