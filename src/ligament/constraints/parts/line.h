// SPDX-License-Identifier: Apache-2.0
// Part: a point of body b stays on a line of body a. Two rows, along axes t₁, t₂ fixed in a and
// perpendicular to the line.
//
//     g_i = t_i · d,      d = p_b − p_a
//     ġ_i = t_i·(ẋ_b + ω_b × r_b − ẋ_a) − ((r_a + d) × t_i)·ω_a                        [JO.3]
//
// (The lever arm on a reaches to p_b because t_i turns with a.)
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int line_rows = 2;

// frame_a: the line passes through its origin along its z axis.
inline void write_line(const BodyFrame& a, const BodyFrame& b, const Frame& frame_a,
                       const Vec3& p_B, const RowView& out) {
  const Mat3 R_WJ = a.R * frame_a.R.toRotationMatrix();
  const Vec3 r_a = lever(a, frame_a.p), r_b = lever(b, p_B);
  const Vec3 d = (b.x + r_b) - (a.x + r_a);
  for (int i = 0; i < 2; ++i) {
    const Vec3 t = R_WJ.col(i);
    out.g[i] = t.dot(d);
    put_point_row(out.a, i, a, -t, r_a + d, 0.0);
    put_point_row(out.b, i, b, t, r_b, p_B.x());
  }
}

}  // namespace ligament
