// SPDX-License-Identifier: Apache-2.0
// Part: the direction u of a rod has length one. One row on the rod alone.
// Lacoursière 2007, section 6.
//
//     g = (u·u − 1)/2,      ġ = u·u̇                                                   [JO.7]
#pragma once

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int unit_length_rows = 1;

inline void write_unit_length(const BodyFrame& rod, const RowView& out) {
  const Vec3 u = rod.R.col(0);
  out.g[0] = 0.5 * (u.squaredNorm() - 1.0);
  out.b.put(0, 3, u);
}

}  // namespace ligament
