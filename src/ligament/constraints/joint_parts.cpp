// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/joint_parts.h"

#include <array>

#include "ligament/constraints/parts/attitude.h"
#include "ligament/constraints/parts/axis.h"
#include "ligament/constraints/parts/distance.h"
#include "ligament/constraints/parts/line.h"
#include "ligament/constraints/parts/perpendicular.h"
#include "ligament/constraints/parts/point.h"
#include "ligament/constraints/parts/rolling.h"
#include "ligament/constraints/parts/screw.h"
#include "ligament/constraints/parts/twist.h"

namespace ligament {

const PartInfo& info_of(Part part) {
  static constexpr PartInfo infos[] = {
      {point_rows, false, false, {"point x", "point y", "point z"}},
      {line_rows, false, false, {"across 1", "across 2", ""}},
      {plane_rows, false, false, {"normal", "", ""}},
      {axis_rows, true, false, {"axis tilt 1", "axis tilt 2", ""}},
      {perpendicular_rows, true, false, {"angle of the axes", "", ""}},
      {attitude_rows, true, false, {"turn 1", "turn 2", "turn 3"}},
      {twist_rows, true, false, {"twist", "", ""}},
      {screw_rows, false, false, {"thread", "", ""}},
      {slides_rows, false, false, {"slide x", "slide y", "slide z"}},
      {disc_height_rows, false, false, {"height", "", ""}},
      {disc_slip_rows, false, true, {"slip x", "slip y", ""}},
      {distance_rows, false, false, {"length", "", ""}},
      {distance_rows, false, false, {"length", "", ""}},
  };
  return infos[static_cast<std::size_t>(part)];
}

std::span<const Part> parts_of(JointKind kind) {
  using enum Part;
  static constexpr std::array ball{point};
  static constexpr std::array hinge{point, axis};
  static constexpr std::array prismatic{line, attitude};
  static constexpr std::array cylindrical{line, axis};
  static constexpr std::array universal{point, perpendicular};
  static constexpr std::array planar{plane, axis};
  static constexpr std::array fixed{point, attitude};
  static constexpr std::array screwed{line, axis, screw};
  static constexpr std::array point_on_line{line};
  static constexpr std::array point_on_plane{plane};
  static constexpr std::array parallel_axes{axis};
  static constexpr std::array perpendicular_axes{perpendicular};
  static constexpr std::array constant_velocity{point, twist};
  static constexpr std::array rolling{disc_height, disc_slip};
  static constexpr std::array distant{distance};
  static constexpr std::array roped{rope};
  static constexpr std::array bushed{slides, attitude};
  switch (kind) {
    case JointKind::ball: return ball;
    case JointKind::hinge: return hinge;
    case JointKind::prismatic: return prismatic;
    case JointKind::cylindrical: return cylindrical;
    case JointKind::universal: return universal;
    case JointKind::planar: return planar;
    case JointKind::fixed: return fixed;
    case JointKind::screw: return screwed;
    case JointKind::point_on_line: return point_on_line;
    case JointKind::point_on_plane: return point_on_plane;
    case JointKind::parallel_axes: return parallel_axes;
    case JointKind::perpendicular_axes: return perpendicular_axes;
    case JointKind::constant_velocity: return constant_velocity;
    case JointKind::rolling_disc: return rolling;
    case JointKind::distance: return distant;
    case JointKind::rope: return roped;
    case JointKind::spring: return distant;
    case JointKind::actuator: return {};
    case JointKind::bushing: return bushed;
  }
  return {};
}

int rows_of(JointKind kind) {
  int rows = 0;
  for (const Part part : parts_of(kind)) rows += info_of(part).rows;
  return rows;
}

}  // namespace ligament
