// SPDX-License-Identifier: Apache-2.0
// Part: body b keeps its attitude in body a. Three rows, along the joint axes fixed in a.
//
// With the relative attitude (q₀, q) of the joint frames, q₀ ≥ 0, and Ω = R_WJᵀ (ω_b − ω_a):
//
//     g = 2 q                    (2 sin(angle/2) along the axis of the turn, [rad])
//     ġ = (q₀ E − [q]) Ω                                                             [JO.5]
//
// Unlike a choice of dot products it has its one zero where the frames agree.
#pragma once

#include "ligament/constraints/row_view.h"
#include "ligament/math/rotation.h"

namespace ligament {

constexpr int attitude_rows = 3;

inline void write_attitude(const BodyFrame& a, const BodyFrame& b, const Quat& R_AJ,
                           const Quat& R_BJ, const RowView& out) {
  const Quat e_WJ = a.e * R_AJ;
  Quat turn = e_WJ.conjugate() * (b.e * R_BJ);
  if (turn.w() < 0.0) turn.coeffs() *= -1.0;
  const Vec3 q = turn.vec();
  const Mat3 G_w = (turn.w() * Mat3::Identity() - skew(q)) * e_WJ.toRotationMatrix().transpose();
  for (int i = 0; i < 3; ++i) {
    out.g[i] = 2.0 * q(i);
    put_turn_row(out.a, i, -G_w.row(i).transpose());
    put_turn_row(out.b, i, G_w.row(i).transpose());
  }
}

}  // namespace ligament
