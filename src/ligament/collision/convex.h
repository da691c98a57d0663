// SPDX-License-Identifier: Apache-2.0
// Convex bodies as the narrow phase sees them: a core, and all points within a radius of it.
//
//   sphere    point + radius
//   capsule   segment along z + radius
//   box       box, radius 0
//   cylinder  cylinder about z, radius 0
//   hull      vertices, radius 0
//   triangle  three vertices, radius 0: of meshes and height fields
//
// The signed gap of two convex bodies is the largest separation over all directions:
//
//     gap = max over |n| = 1 of  s(n),    s(n) = min_B n·y − max_A n·x                      [CO.1]
//
// the distance where they are apart, minus the depth of penetration where they overlap. n points
// from A to B. A radius only subtracts: gap = gap of the cores − r_A − r_B.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ligament/geometry/hull.h"
#include "ligament/math/types.h"

namespace ligament {

enum class Core : unsigned char { point, segment, box, cylinder, hull, triangle };

struct Convex {
  Vec3 p = Vec3::Zero();  // [m] pose: the world's, or any frame that both of a pair are given in
  double radius = 0.0;    // [m] around the core
  Core core = Core::point;
  Mat3 R = Mat3::Identity();
  // [m] half extents along the axes: (0, 0, l) of a segment, (r, r, l) of a cylinder; of vertices
  // the farthest from the origin.
  Vec3 half = Vec3::Zero();
  std::span<const Vec3> vertices{};  // hulls and triangles, in the body's axes
  const Hull* hull = nullptr;        // hulls
};

// The point of the core that lies farthest along a direction.
Vec3 find_support(const Convex& body, const Vec3& direction);

// s(n) of [CO.1] for the cores, n of unit length.
double compute_separation(const Convex& a, const Convex& b, const Vec3& n);

// The corner, edge or face of a core that faces a direction. An edge or a face does as long as it
// is within an angle of asin(sine) of being perpendicular to the direction: what two bodies touch
// each other with does not change when they tilt a little.
constexpr double flat_sine = 0.15;
constexpr int most_corners = 32;

struct FeaturePoint {
  Vec3 x;
  std::uint16_t id = 0;  // of the vertex, the same while the body is
};
struct Feature {
  std::array<FeaturePoint, most_corners> points;
  int count = 0;  // 1: a corner, 2: an edge, more: a face, in order around it

  const FeaturePoint& operator[](int i) const { return points[static_cast<std::size_t>(i)]; }
  void add(const Vec3& x, int id) {
    points[static_cast<std::size_t>(count++)] = {x, static_cast<std::uint16_t>(id)};
  }
};
void find_feature(const Convex& body, const Vec3& direction, Feature& feature,
                  double sine = flat_sine);

// All corners of a core that could touch a plane below it, `direction` being down: those of a face
// with many corners are thinned out.
void find_lowest(const Convex& body, const Vec3& direction, Feature& feature);

// All corners of a core that could be the farthest from the origin, which its position is relative
// to. Of a hull with many corners the farthest and its neighbours.
void find_farthest(const Convex& body, Feature& feature);

}  // namespace ligament
