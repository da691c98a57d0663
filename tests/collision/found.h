// SPDX-License-Identifier: Apache-2.0
// What the library finds for a pair of bodies, in one piece.
#pragma once

#include "ligament/collision/separation.h"

namespace ligament {

// Gap, normal and points of the cores, as the library is to be used: relative to the first body.
struct Found : Separation {
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();  // [m] y − x = (gap + r_A + r_B) n
};
inline bool find_found(const Convex& a, const Convex& b, double margin, Found& out) {
  Convex here = a, there = b;
  here.p.setZero();
  there.p = b.p - a.p;
  if (!find_separation(here, there, margin, out)) return false;
  const PointPair pair = find_nearest_pair(here, there, out);
  out.x = a.p + pair.x;
  out.y = a.p + pair.y;
  return true;
}

}  // namespace ligament
