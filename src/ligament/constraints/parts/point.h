// SPDX-License-Identifier: Apache-2.0
// Part: two points coincide. Three rows, in world axes.
//
//     g = p_b − p_a,      p = x + R p_B
//     ġ = (ẋ_b + ω_b × r_b) − (ẋ_a + ω_a × r_a)                                      [JO.2]
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int point_rows = 3;

inline void write_point(const BodyFrame& a, const BodyFrame& b, const Vec3& p_A, const Vec3& p_B,
                        const RowView& out) {
  const Vec3 r_a = lever(a, p_A), r_b = lever(b, p_B);
  const Vec3 gap = (b.x + r_b) - (a.x + r_a);
  for (int i = 0; i < 3; ++i) {
    out.g[i] = gap(i);
    put_point_row(out.a, i, a, -Vec3::Unit(i), r_a, p_A.x());
    put_point_row(out.b, i, b, Vec3::Unit(i), r_b, p_B.x());
  }
}

}  // namespace ligament
