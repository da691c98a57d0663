// SPDX-License-Identifier: Apache-2.0
// Distance of two convex cores that are apart, by Gilbert, Johnson and Keerthi's algorithm (1988)
// in double precision: the point of A − B nearest to the origin, over simplices of support points.
//
// v the nearest point so far, w the support in direction −v: |v| bounds the distance from above and
// v·w/|v| from below; it ends when the two meet to a few roundings (cores with flat faces: after
// finitely many steps) or, on round ones, when they no longer come closer.              [CO.2]
#pragma once

#include "ligament/collision/convex.h"

namespace ligament {

struct Nearest {
  Vec3 a, b;              // [m] nearest points of the cores, world
  double distance = 0.0;  // [m]
  bool overlap = false;   // the cores touch or overlap: nothing else is set
  int iterations = 0;
};

Nearest find_nearest(const Convex& a, const Convex& b);

}  // namespace ligament
