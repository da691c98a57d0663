// SPDX-License-Identifier: Apache-2.0
// Where two shapes touch, or nearly do.
#pragma once

#include <cstdint>

#include "ligament/math/types.h"
#include "ligament/model/ids.h"

namespace ligament {

struct Contact {
  ShapeId shape_a{}, shape_b{};  // shape_a < shape_b
  BodyId a{}, b{};               // the bodies that they are on
  double gap = 0.0;              // [m] normal·(point_b − point_a): < 0 where they overlap
  Vec3 normal = Vec3::UnitZ();   // unit, world, from a to b
  Vec3 tangent = Vec3::UnitX();  // unit, world, across the normal; the other is normal × tangent
  Vec3 point_a = Vec3::Zero();   // [m] world, on shape a
  Vec3 point_b = Vec3::Zero();   // [m] world, on shape b
  // Which corner, edge or face of the shapes it is: the same from step to step while the contact
  // lasts, and different from all others of this pair of shapes.
  std::uint64_t feature = 0;
};

// A tangent that turns smoothly with the normal: the x axis, turned as the shortest turn of the z
// axis into n does it. It jumps at n = −z only; no choice of tangents jumps nowhere.
// [CO.8]
inline Vec3 compute_tangent(const Vec3& n) {
  if (n.z() < -1.0 + 1e-14) return Vec3::UnitX();
  const double a = 1.0 / (1.0 + n.z());
  return {1.0 - n.x() * n.x() * a, -n.x() * n.y() * a, -n.x()};
}

}  // namespace ligament
