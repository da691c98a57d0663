// SPDX-License-Identifier: Apache-2.0
// Where a ray first meets a shape from outside.
#pragma once

#include <optional>

#include "ligament/collision/placed_shape.h"

namespace ligament {

struct Ray {
  Vec3 origin = Vec3::Zero();      // [m]
  Vec3 direction = Vec3::UnitX();  // unit
  double farthest = 1e30;          // [m]
};

struct RayPoint {
  double distance = 0.0;        // [m]
  Vec3 normal = Vec3::UnitZ();  // unit, outward
};

// Whether the ray comes through a box.
bool passes(const Ray& ray, const Bounds& bounds);

std::optional<RayPoint> find_hit(const Ray& ray, const PlacedShape& shape);

}  // namespace ligament
