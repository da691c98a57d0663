// SPDX-License-Identifier: Apache-2.0
// Parts: a point of body b stays on a line (two rows), on a plane (one row) or at a point (three
// rows) of body a, along axes t fixed in a: both perpendicular to the line, the normal of the
// plane, or all three.
//
//     g = t·d,      d = p_b − p_a
//     ġ = t·(ẋ_b + ω_b × r_b − ẋ_a) − ((r_a + d) × t)·ω_a                             [JO.3]
//
// (The lever arm on a reaches to p_b because t turns with a.)
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int line_rows = 2;
constexpr int plane_rows = 1;
constexpr int slides_rows = 3;

// The rows along axes first … first + count − 1 of frame a.
inline void write_slides(const BodyFrame& a, const BodyFrame& b, const Frame& frame_a,
                         const Vec3& p_B, int first, int count, const RowView& out) {
  const Mat3 R_WJ = a.R * frame_a.R.toRotationMatrix();
  const Vec3 r_a = lever(a, frame_a.p), r_b = lever(b, p_B);
  const Vec3 d = (b.x + r_b) - (a.x + r_a);
  for (int i = 0; i < count; ++i) {
    const Vec3 t = R_WJ.col(first + i);
    out.g[i] = t.dot(d);
    put_point_row(out.a, i, a, -t, r_a + d, 0.0);
    put_point_row(out.b, i, b, t, r_b, p_B.x());
  }
}

}  // namespace ligament
