// SPDX-License-Identifier: Apache-2.0
// Part: body b has no twist against body a about their z axes, however the axes are bent against
// each other: the row of a constant-velocity joint. One row.
//
//     g = (y_a·x_b − x_a·y_b)/2          (sin of the twist × cos² of half the bend, [rad])
//     ġ = (x_b × y_a − y_b × x_a)/2 · (ω_b − ω_a)                                     [JO.10]
//
// In quaternions of the relative attitude g = 2 q₀ q_z: zero when the turn has no part about z.
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int twist_rows = 1;

inline void write_twist(const BodyFrame& a, const BodyFrame& b, const Quat& R_AJ, const Quat& R_BJ,
                        const RowView& out) {
  const Mat3 A = a.R * R_AJ.toRotationMatrix(), B = b.R * R_BJ.toRotationMatrix();
  const Vec3 x_a = A.col(0), y_a = A.col(1), x_b = B.col(0), y_b = B.col(1);
  const Vec3 n = 0.5 * (x_b.cross(y_a) - y_b.cross(x_a));
  out.g[0] = 0.5 * (y_a.dot(x_b) - x_a.dot(y_b));
  put_turn_row(out.a, 0, -n);
  put_turn_row(out.b, 0, n);
}

}  // namespace ligament
