// SPDX-License-Identifier: Apache-2.0
// Which parts each joint is made of. A new joint is a line here; a new part is a file in parts/.
#pragma once

#include <span>

#include "ligament/model/joint.h"

namespace ligament {

enum class Part : unsigned char {
  point,
  line,
  plane,
  axis,
  perpendicular,
  attitude,
  twist,
  screw,
  slides,
  disc_height,
  disc_slip,
  distance,
  rope
};

struct PartInfo {
  int rows;
  bool angular;   // whether its rows tie directions: angular compliance
  bool velocity;  // whether its rows tie velocities only
  const char* row_names[3];
};

const PartInfo& info_of(Part part);
std::span<const Part> parts_of(JointKind kind);
int rows_of(JointKind kind);

}  // namespace ligament
