// SPDX-License-Identifier: Apache-2.0
// From a normal to contact points. What faces the normal on each body, corner, edge or face, is
// laid over each other along it: where two faces or edges overlap, the corners of the overlap are
// the points, each with a gap of its own,
//
//     y − x = gap n,   x on the face of A, y on the face of B.                              [CO.7]
//
// Up to four of them are kept: the deepest, the one farthest from it, and the farthest on each side
// of the line through these two. The deepest has the gap of the pair [CO.1].
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ligament/collision/separation.h"

namespace ligament {

constexpr int most_points = 4;

struct ManifoldPoint {
  Vec3 x, y;                  // [m] on the surfaces of A and B
  double gap = 0.0;           // [m] n·(y − x)
  std::uint64_t feature = 0;  // tells the point from others of this pair, from step to step
};

struct Manifold {
  Vec3 n = Vec3::UnitZ();  // unit, from A to B
  std::array<ManifoldPoint, most_points> points;
  int count = 0;
};

// Candidates for the four points.
struct Candidates {
  std::array<ManifoldPoint, 64> points;
  int count = 0;

  std::span<ManifoldPoint> all() {
    return std::span(points).first(static_cast<std::size_t>(count));
  }
  void add(const ManifoldPoint& point) {
    if (count < static_cast<int>(points.size())) points[static_cast<std::size_t>(count++)] = point;
  }
};

// Keeps the four that say most, in the order of their features, and sorts the candidates on the
// way. `tie` [m]: smaller differences do not count, so that rounding does not choose.
void choose_points(std::span<ManifoldPoint> candidates, double tie, Manifold& manifold);

// Points with a gap up to the margin [m], which the gap of the pair does not exceed. Features that
// are laid over each other only count if they hold the nearest pair of points.
void build_manifold(const Convex& a, const Convex& b, const Separation& nearest, double margin,
                    Manifold& manifold);

// The same for a body over a plane n·x = offset, solid below; the plane is A.
void build_manifold_on_plane(const Vec3& n, double offset, const Convex& b, double margin,
                             Manifold& manifold);

// The same for a body in a cavity, solid beyond the radius [m] about the origin; the cavity is A.
// Each point has a normal of its own, from x to the origin; n is that of the deepest.     [CO.11]
void build_manifold_in_cavity(double radius, const Convex& b, double margin, Manifold& manifold);

// The overlap of two features along n, as candidates with a gap up to the margin.
void overlay(const Feature& a, const Feature& b, const Vec3& n, double margin, double radius_a,
             double radius_b, Candidates& candidates);

}  // namespace ligament
