// SPDX-License-Identifier: Apache-2.0
// Parts: a thin disc of body b touches a plane of body a (one row), and does not slip on it (two
// velocity rows).
//
// n = z_a normal of the plane, d = z_b axis of the disc, c = n·d, σ = √(1 − c²), R the radius. From
// the centre of the disc its lowest point is at ρ = −R (n − c d)/σ, and
//
//     g = n·(p_b − p_a) − R σ,      ġ = n·w                                           [JO.13]
//     x_a·w = 0,  y_a·w = 0                                                           [JO.14]
//
// with w the velocity of b against a at the lowest point. (That the lowest point moves along the
// rim does not change its height to first order.)
#pragma once

#include <algorithm>
#include <cmath>

#include "ligament/constraints/row_view.h"

namespace ligament {

constexpr int disc_height_rows = 1;
constexpr int disc_slip_rows = 2;

// Rows of w along axes first … first + count − 1 of frame a. The values g of slip rows are 0.
inline void write_rolling(const BodyFrame& a, const BodyFrame& b, const Joint& joint, int first,
                          int count, const RowView& out) {
  const Mat3 A = a.R * joint.frame_a.R.toRotationMatrix();
  const Vec3 n = A.col(2), d = b.R * (joint.frame_b.R * Vec3::UnitZ());
  const double c = n.dot(d);
  // A disc that lies flat has no lowest point; σ is kept away from 0.
  const double sigma = std::sqrt(std::max(1.0 - c * c, 1e-12));
  const Vec3 centre = lever(b, joint.frame_b.p);
  const Vec3 r_b = centre - joint.length * (n - c * d) / sigma;
  const Vec3 r_a = b.x + r_b - a.x;
  const double height = n.dot(b.x + centre - a.x - lever(a, joint.frame_a.p));
  for (int i = 0; i < count; ++i) {
    const Vec3 t = A.col(first + i);
    out.g[i] = first + i == 2 ? height - joint.length * sigma : 0.0;
    put_point_row(out.a, i, a, -t, r_a, 0.0);
    put_point_row(out.b, i, b, t, r_b, 0.0);
  }
}

}  // namespace ligament
