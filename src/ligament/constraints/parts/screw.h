// SPDX-License-Identifier: Apache-2.0
// Part: body b advances along the common z axis as it turns about it. One row.
//
//     g = z·d − c θ,     c = pitch/2π, θ the joint's angle with all its turns
//     ġ = [JO.3] along z − c n·(ω_b − ω_a),     n the gradient of θ [JO.8]            [JO.11]
#pragma once

#include "ligament/constraints/parts/coordinate.h"
#include "ligament/constraints/parts/line.h"

namespace ligament {

constexpr int screw_rows = 1;

inline void write_screw(const BodyFrame& a, const BodyFrame& b, const Joint& joint, double angle,
                        const RowView& out) {
  write_slides(a, b, joint.frame_a, joint.frame_b.p, 2, screw_rows, out);
  out.g[0] -= joint.advance * angle;
  add_turn(out, -joint.advance * compute_angle_gradient(a, b, joint));
}

}  // namespace ligament
