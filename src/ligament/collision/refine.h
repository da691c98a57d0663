// SPDX-License-Identifier: Apache-2.0
// The last digits of a normal. GJK and EPA creep on round bodies; but the separation s(n) [CO.1] is
// a smooth function between the great circles n ⟂ e, e the straight edges of the cores (the axis of
// a cylinder is one), and its maximum lies
//
//   on a pole           n along the normal of a face or cap,
//   on two circles      n = ± e × f,
//   on one circle       Newton's method along it,
//   between circles     Newton's method on the sphere:
//
//     (H_A + H_B + s E) δ = w − s n  in the plane ⟂ n,      w = y − x of the support points,
//     H = (r/√(1 − (n·a)²)) t tᵀ,  t ∥ n × a                of a cylinder with axis a       [CO.3]
//
// The gap is a maximum: a step that raises s is a good one, whatever led to it.
#pragma once

#include "ligament/collision/convex.h"

namespace ligament {

// Improves n, with s(n) the separation of the cores along it; returns s of the new n. `n` must be
// near the maximum, to some 1e-3.
double refine_normal(const Convex& a, const Convex& b, Vec3& n);

}  // namespace ligament
