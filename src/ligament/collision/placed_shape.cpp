// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/placed_shape.h"

#include <algorithm>

namespace ligament {
namespace {

struct Placing {
  PlacedShape operator()(const SphereShape& s) const {
    return {.convex = {.radius = s.radius, .core = Core::point}, .smallest = s.radius};
  }
  PlacedShape operator()(const BoxShape& s) const {
    return {.convex = {.core = Core::box, .half = s.half}, .smallest = s.half.minCoeff()};
  }
  PlacedShape operator()(const CapsuleShape& s) const {
    return {.convex = {.radius = s.radius, .core = Core::segment, .half = {0, 0, s.half_length}},
            .smallest = s.radius};
  }
  PlacedShape operator()(const CylinderShape& s) const {
    return {.convex = {.core = Core::cylinder, .half = {s.radius, s.radius, s.half_length}},
            .smallest = std::min(s.radius, s.half_length)};
  }
  PlacedShape operator()(const ConvexShape& s) const {
    PlacedShape placed{
        .convex = {.core = Core::hull, .vertices = s.hull->vertices, .hull = s.hull.get()}};
    Bounds bounds;
    for (const Vec3& vertex : s.hull->vertices) {
      placed.convex.half = placed.convex.half.cwiseMax(vertex.cwiseAbs());
      bounds.include({vertex, vertex});
    }
    placed.smallest = 0.5 * (bounds.high - bounds.low).minCoeff();
    return placed;
  }
  PlacedShape operator()(const HalfSpaceShape&) const { return {.kind = ShapeClass::half_space}; }
  PlacedShape operator()(const PlaneShape&) const { return {.kind = ShapeClass::plane}; }
  PlacedShape operator()(const HeightFieldShape& s) const {
    return {.kind = ShapeClass::surface, .surface = std::make_shared<Surface>(s.field)};
  }
  PlacedShape operator()(const MeshShape& s) const {
    return {.kind = ShapeClass::surface, .surface = std::make_shared<Surface>(s.mesh)};
  }
  PlacedShape operator()(const CavityShape& s) const {
    return {.kind = ShapeClass::cavity, .convex = {.radius = s.radius}};
  }
};

}  // namespace

PlacedShape make_placed_shape(const Geometry& geometry) {
  PlacedShape shape = std::visit(Placing{}, geometry);
  if (shape.kind == ShapeClass::convex)
    shape.reach = shape.convex.half.norm() + shape.convex.radius;
  if (shape.surface) {
    const Bounds& bounds = shape.surface->bounds();
    shape.reach = bounds.low.cwiseAbs().cwiseMax(bounds.high.cwiseAbs()).norm();
  }
  return shape;
}

Bounds compute_bounds(const PlacedShape& shape, double margin) {
  const Convex& c = shape.convex;
  if (shape.kind == ShapeClass::convex) {
    Vec3 reach;
    // Of a cylinder about a: r √(1 − a_i²) + l |a_i|.
    if (c.core == Core::cylinder) {
      const Vec3 a = c.R.col(2);
      reach = c.half.x() * (1.0 - a.array().square()).max(0.0).sqrt().matrix() +
              c.half.z() * a.cwiseAbs();
    } else {
      reach = c.R.cwiseAbs() * c.half;
    }
    reach.array() += c.radius + margin;
    return {c.p - reach, c.p + reach};
  }
  const Bounds local = shape.surface->bounds();
  const Vec3 centre = c.p + c.R * local.centre();
  Vec3 reach = c.R.cwiseAbs() * (0.5 * (local.high - local.low));
  reach.array() += margin;
  return {centre - reach, centre + reach};
}

}  // namespace ligament
