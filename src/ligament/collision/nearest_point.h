// SPDX-License-Identifier: Apache-2.0
// Closed forms for a point against a core, and for two segments.
#pragma once

#include "ligament/collision/convex.h"

namespace ligament {

struct NearestPoint {
  Vec3 y;                 // [m] the nearest point of the surface of the core
  Vec3 n;                 // unit: from the point to y outside, from y to the point inside
  double distance = 0.0;  // [m] of the point from the core; < 0 inside
};

// Any core but a hull. `fallback` is the normal where a point lies on a core without an inside.
NearestPoint find_nearest_point(const Convex& body, const Vec3& x, const Vec3& fallback);

// A segment from centre − half · axis to centre + half · axis, the axis of unit length.
struct Segment {
  Vec3 centre, axis;
  double half;
};
struct SegmentPair {
  Vec3 x, y;  // nearest points, on the first and on the second
};
SegmentPair find_nearest_on_segments(const Segment& a, const Segment& b);

// Where on a triangle the point nearest to x lies.
struct OnTriangle {
  Vec3 y;
  int corners = 0;  // 1: a corner, 2: an edge, 3: inside
  int first = 0;    // the corner, or the corner that the edge starts at
};
OnTriangle find_on_triangle(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& x);

}  // namespace ligament
