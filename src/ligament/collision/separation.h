// SPDX-License-Identifier: Apache-2.0
// Gap and normal of two convex bodies [CO.1].
//
//   point against point, segment, box, cylinder, triangle     closed forms
//   segment against segment                                   closed form
//   segment or box against box, overlapping                   separating axes: the normals of faces
//                                                             and the products of edges      [CO.5]
//   the same, apart                                           GJK, finite and exact for them
//   cylinders and hulls                                       GJK apart, EPA overlapping, and the
//                                                             last digits by refine_normal
#pragma once

#include <cmath>

#include "ligament/collision/convex.h"

namespace ligament {

struct Separation {
  Vec3 n = Vec3::UnitZ();  // unit, from A to B
  double gap = 0.0;        // [m] of the bodies, radii included
};

// How far apart two bodies may be to be of interest: what they travel in any direction, and what
// one of them falls in the meantime. Bodies side by side do not fall on each other.       [CO.12]
struct Reach {
  double travel = 0.0;       // [m]
  Vec3 fall = Vec3::Zero();  // [m]

  Reach(double distance) : travel(distance) {}  // the same in all directions
  Reach(double distance, const Vec3& way) : travel(distance), fall(way) {}

  double along(const Vec3& n) const { return travel + std::abs(n.dot(fall)); }
  double most() const { return travel + fall.norm(); }
};

// False if the gap is above the reach; the rest is then not set. Positions should be small:
// those of a frame near the bodies, for the sake of the last digits.
bool find_separation(const Convex& a, const Convex& b, const Reach& reach, Separation& out);

// A nearest or deepest pair of points of the cores: y − x = (gap + r_A + r_B) n. Where faces or
// parallel edges meet it is one of many.
struct PointPair {
  Vec3 x, y;
};
PointPair find_nearest_pair(const Convex& a, const Convex& b, const Separation& separation);

}  // namespace ligament
