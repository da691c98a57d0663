// SPDX-License-Identifier: Apache-2.0
// Part: the z axes of the joint frames stay perpendicular. One row.
//
//     g = z_a·z_b,      ġ = (z_b × z_a)·(ω_b − ω_a)                                   [JO.9]
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int perpendicular_rows = 1;

inline void write_perpendicular(const BodyFrame& a, const BodyFrame& b, const Quat& R_AJ,
                                const Quat& R_BJ, const RowView& out) {
  const Vec3 z_a = a.R * (R_AJ * Vec3::UnitZ()), z_b = b.R * (R_BJ * Vec3::UnitZ());
  const Vec3 n = z_b.cross(z_a);
  out.g[0] = z_a.dot(z_b);
  put_turn_row(out.a, 0, -n);
  put_turn_row(out.b, 0, n);
}

}  // namespace ligament
