// SPDX-License-Identifier: Apache-2.0
// Part: two points keep their distance. One row. (A rope has the row with the other sign: it must
// not become longer, −g ≥ 0.)
//
//     g = |d| − L,   d = p_b − p_a,   n = d/|d|
//     ġ = n·(ẋ_b + ω_b × r_b − ẋ_a − ω_a × r_a)                                      [JO.6]
//
// Where the points meet n has no direction; the last axis of the world stands in.
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int distance_rows = 1;

inline void write_distance(const BodyFrame& a, const BodyFrame& b, const Vec3& p_A, const Vec3& p_B,
                           double length, const RowView& out, double sign = 1.0) {
  const Vec3 r_a = lever(a, p_A), r_b = lever(b, p_B);
  const Vec3 d = (b.x + r_b) - (a.x + r_a);
  const double size = d.norm();
  const Vec3 n = sign * (size > 0.0 ? Vec3(d / size) : Vec3(Vec3::UnitZ()));
  out.g[0] = sign * (size - length);
  put_point_row(out.a, 0, a, -n, r_a, p_A.x());
  put_point_row(out.b, 0, b, n, r_b, p_B.x());
}

}  // namespace ligament
