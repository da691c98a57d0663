// SPDX-License-Identifier: Apache-2.0
// What a shape can look like, each in a frame of its own. Sizes are half sizes.
#pragma once

#include <memory>
#include <variant>

#include "ligament/geometry/height_field.h"
#include "ligament/geometry/hull.h"
#include "ligament/geometry/triangle_mesh.h"

namespace ligament {

// About the origin.
struct SphereShape {
  double radius = 0.5;  // [m] > 0
};
struct BoxShape {
  Vec3 half = Vec3::Constant(0.5);  // [m] > 0, half edge lengths along x, y, z
};
// About the z axis: all points within a radius of a segment, or within a radius of the axis between
// two flat caps.
struct CapsuleShape {
  double radius = 0.5;       // [m] > 0
  double half_length = 0.5;  // [m] > 0, of the segment: round ends not counted
};
struct CylinderShape {
  double radius = 0.5;       // [m] > 0
  double half_length = 0.5;  // [m] > 0
};
// The hull of points: ConvexShape{make_hull(points)}.
struct ConvexShape {
  std::shared_ptr<const Hull> hull{};
};

// The following are for fixed bodies.

// All points with z ≤ 0.
struct HalfSpaceShape {};
// The plane z = 0, which keeps a shape on the side where its centre is.
struct PlaneShape {};
struct HeightFieldShape {
  std::shared_ptr<const HeightField> field{};
};
struct MeshShape {
  std::shared_ptr<const TriangleMesh> mesh{};
};
// All points farther from the origin than a radius: a round bowl, or the inside of a ball.
struct CavityShape {
  double radius = 1.0;  // [m] > 0
};

using Geometry = std::variant<SphereShape, BoxShape, CapsuleShape, CylinderShape, ConvexShape,
                              HalfSpaceShape, PlaneShape, HeightFieldShape, MeshShape, CavityShape>;

// "sphere", "box", "capsule", "cylinder", "convex", "half space", "plane", "height field", "mesh",
// "cavity".
const char* name_of(const Geometry& geometry);

}  // namespace ligament
