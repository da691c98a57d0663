// SPDX-License-Identifier: Apache-2.0
// Part: the relative angular velocity about a hinge's axis z, fixed in body a. One velocity row.
//
//     G v = z·(ω_b − ω_a)                                                            [JO.8]
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int hinge_speed_rows = 1;

inline void write_hinge_speed(const BodyFrame& a, const Quat& R_AJ, const RowView& out) {
  const Vec3 z = a.R * (R_AJ * Vec3::UnitZ());
  out.g[0] = 0.0;
  put_turn_row(out.a, 0, -z);
  put_turn_row(out.b, 0, z);
}

}  // namespace ligament
