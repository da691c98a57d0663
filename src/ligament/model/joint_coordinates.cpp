// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/joint_coordinates.h"

#include <array>
#include <cmath>
#include <numbers>

namespace ligament {
namespace {

// Frame b of a joint seen from frame a.
struct Relative {
  Vec3 d;  // [m]
  Quat e;
};

Relative relative_pose(const Model& model, const State& state, const Joint& joint) {
  const Frame a = compute_pose(model, state, joint.a), b = compute_pose(model, state, joint.b);
  const Quat e_WA = a.R * joint.frame_a.R;
  const Vec3 d = (b.p + b.R * joint.frame_b.p) - (a.p + a.R * joint.frame_a.p);
  return {.d = e_WA.conjugate() * d, .e = e_WA.conjugate() * (b.R * joint.frame_b.R)};
}

double value_of(Coordinate coordinate, const Relative& b) {
  switch (coordinate) {
    case Coordinate::angle: return 2.0 * std::atan2(b.e.z(), b.e.w());
    case Coordinate::slide: return b.d.z();
    case Coordinate::slide_x: return b.d.x();
    case Coordinate::slide_y: return b.d.y();
    case Coordinate::length: return b.d.norm();
    case Coordinate::angle_a: {
      const Vec3 z_b = b.e * Vec3::UnitZ();
      return std::atan2(z_b.y(), z_b.x());
    }
    case Coordinate::angle_b: {
      const Vec3 z_a = b.e.conjugate() * Vec3::UnitZ();
      return -std::atan2(z_a.y(), z_a.x());
    }
  }
  return 0.0;
}

}  // namespace

const char* name_of(Coordinate coordinate) {
  constexpr const char* names[] = {"angle",   "slide",   "slide_x", "slide_y",
                                   "angle_a", "angle_b", "length"};
  return names[static_cast<std::size_t>(coordinate)];
}

bool is_angle(Coordinate coordinate) {
  return coordinate == Coordinate::angle || coordinate == Coordinate::angle_a ||
         coordinate == Coordinate::angle_b;
}

std::span<const Coordinate> coordinates_of(JointKind kind) {
  static constexpr std::array hinge{Coordinate::angle};
  static constexpr std::array prismatic{Coordinate::slide};
  static constexpr std::array cylindrical{Coordinate::angle, Coordinate::slide};
  static constexpr std::array universal{Coordinate::angle_a, Coordinate::angle_b};
  static constexpr std::array on_plane{Coordinate::slide_x, Coordinate::slide_y};
  static constexpr std::array length{Coordinate::length};
  static constexpr std::array planar{Coordinate::slide_x, Coordinate::slide_y, Coordinate::angle};
  switch (kind) {
    case JointKind::hinge: return hinge;
    case JointKind::prismatic: return prismatic;
    case JointKind::point_on_line: return prismatic;
    case JointKind::point_on_plane: return on_plane;
    case JointKind::cylindrical: return cylindrical;
    case JointKind::screw: return cylindrical;
    case JointKind::universal: return universal;
    case JointKind::planar: return planar;
    case JointKind::distance:
    case JointKind::rope:
    case JointKind::spring:
    case JointKind::actuator: return length;
    default: return {};
  }
}

void update_joint_coordinates(const Model& model, State& state) {
  if (model.joint_coordinates() == 0) return;
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const Joint& joint : model.joints()) {
    if (joint.coordinate < 0) continue;
    const Relative relative = relative_pose(model, state, joint);
    int at = joint.coordinate;
    for (const Coordinate coordinate : coordinates_of(joint.kind)) {
      double& s = state.s(at++);
      const double value = value_of(coordinate, relative);
      s = is_angle(coordinate) ? value + turn * std::round((s - value) / turn) : value;
    }
  }
}

}  // namespace ligament
