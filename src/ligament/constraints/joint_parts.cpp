// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/joint_parts.h"

#include <array>

#include "ligament/constraints/parts/attitude.h"
#include "ligament/constraints/parts/axis.h"
#include "ligament/constraints/parts/distance.h"
#include "ligament/constraints/parts/line.h"
#include "ligament/constraints/parts/point.h"

namespace ligament {

const PartInfo& info_of(Part part) {
  static constexpr PartInfo infos[] = {
      {point_rows, false, {"point x", "point y", "point z"}},
      {line_rows, false, {"across 1", "across 2", ""}},
      {axis_rows, true, {"axis tilt 1", "axis tilt 2", ""}},
      {attitude_rows, true, {"turn 1", "turn 2", "turn 3"}},
      {distance_rows, false, {"distance", "", ""}},
  };
  return infos[static_cast<std::size_t>(part)];
}

std::span<const Part> parts_of(JointKind kind) {
  static constexpr std::array ball{Part::point};
  static constexpr std::array hinge{Part::point, Part::axis};
  static constexpr std::array prismatic{Part::line, Part::attitude};
  static constexpr std::array fixed{Part::point, Part::attitude};
  static constexpr std::array distance{Part::distance};
  switch (kind) {
    case JointKind::ball: return ball;
    case JointKind::hinge: return hinge;
    case JointKind::prismatic: return prismatic;
    case JointKind::fixed: return fixed;
    case JointKind::distance: return distance;
  }
  return {};
}

int rows_of(JointKind kind) {
  int rows = 0;
  for (const Part part : parts_of(kind)) rows += info_of(part).rows;
  return rows;
}

}  // namespace ligament
