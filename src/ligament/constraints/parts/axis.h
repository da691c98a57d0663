// SPDX-License-Identifier: Apache-2.0
// Part: an axis z_b of body b stays parallel to an axis of body a. Two rows, along t₁, t₂ fixed in
// a and perpendicular to its axis.
//
//     g_i = t_i · z_b            (the sine of a small angle, [rad])
//     ġ_i = (z_b × t_i)·(ω_b − ω_a)                                                  [JO.4]
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int axis_rows = 2;

inline void write_axis(const BodyFrame& a, const BodyFrame& b, const Quat& R_AJ, const Quat& R_BJ,
                       const RowView& out) {
  const Mat3 R_WJ = a.R * R_AJ.toRotationMatrix();
  const Vec3 z_b = b.R * (R_BJ * Vec3::UnitZ());
  for (int i = 0; i < 2; ++i) {
    const Vec3 t = R_WJ.col(i);
    const Vec3 n = z_b.cross(t);
    out.g[i] = t.dot(z_b);
    put_turn_row(out.a, i, -n);
    put_turn_row(out.b, i, n);
  }
}

}  // namespace ligament
