// SPDX-License-Identifier: Apache-2.0
// A shape of the model at a place in the world, in the terms of the narrow phase.
#pragma once

#include <memory>

#include "ligament/collision/bounds.h"
#include "ligament/collision/convex.h"
#include "ligament/collision/surface.h"
#include "ligament/model/shape.h"

namespace ligament {

enum class ShapeClass : unsigned char { convex, half_space, plane, surface, cavity };

// What has no box around it.
inline bool is_endless(ShapeClass kind) {
  return kind != ShapeClass::convex && kind != ShapeClass::surface;
}

struct PlacedShape {
  ShapeClass kind = ShapeClass::convex;
  Convex convex{};  // its pose; of the convex ones all, of a cavity its radius
  std::shared_ptr<const Surface> surface{};  // meshes and height fields
  double smallest = 0.0;                     // [m] half size; 0 of what has no thickness
  double reach = 0.0;                        // [m] from its origin; 0 of what has no end
};

// Not yet placed.
PlacedShape make_placed_shape(const Geometry& geometry);

// Gives it the pose that it has when its body is at `body`.
inline void place(const Frame& body, const Mat3& R_WB, const Frame& in_body, PlacedShape& shape) {
  shape.convex.p = body.p + R_WB * in_body.p;
  shape.convex.R = R_WB * in_body.R.toRotationMatrix();
}

// Of the shape and all that is within the margin [m] of it. Half-spaces, planes and cavities have
// none.
Bounds compute_bounds(const PlacedShape& shape, double margin);

}  // namespace ligament
