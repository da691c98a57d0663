// SPDX-License-Identifier: Apache-2.0
// How deep two convex cores overlap: the expanding polytope of van den Bergen (2001). K = {x − y}
// of all points x of A and y of B contains the origin; the depth is the distance of the origin from
// the boundary of K. A polytope inside K grows by the support point of its face nearest to the
// origin,
//
//     distance of that face ≤ depth ≤ distance of the support plane parallel to it,         [CO.4]
//
// until the two meet: to rounding where K is a polytope, to 1e-7 of its size where it is round.
#pragma once

#include "ligament/collision/convex.h"

namespace ligament {

struct Depth {
  Vec3 n;            // from A to B: the direction of the shallowest way out
  double gap = 0.0;  // [m] −depth
  // Directions of other ways out that are as short, to the tolerance: round bodies only.
  std::array<Vec3, 8> others;
  int other_count = 0;
  int iterations = 0;
};

// One of the cores must have a volume.
Depth find_depth(const Convex& a, const Convex& b);

}  // namespace ligament
