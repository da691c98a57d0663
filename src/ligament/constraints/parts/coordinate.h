// SPDX-License-Identifier: Apache-2.0
// Part: the gradient of a joint coordinate, times a factor, added to one row. Controls are made of
// it. Its value is in State::s.
//
// angle    2 atan2(q_z, q₀):  ṡ = n·(ω_b − ω_a), in frame a with D = q₀² + q_z²
//              n = ((q₀ q_y + q_z q_x)/D, (q_z q_y − q₀ q_x)/D, 1),     z where the axes agree
// angle_a  turn of z_b = (x, y, z) about z_a, in frame a with ρ² = x² + y²
//              n = (−x z/ρ², −y z/ρ², 1)
// angle_b  the same of z_a in frame b
// slides   [JO.3], length [JO.6]                                                       [JO.8]
#pragma once

#include "ligament/constraints/row_view.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {

// n of an angle about the common z axis, in world axes.
inline Vec3 compute_angle_gradient(const BodyFrame& a, const BodyFrame& b, const Joint& joint) {
  const Quat e_WJ = a.e * joint.frame_a.R;
  const Quat q = e_WJ.conjugate() * (b.e * joint.frame_b.R);
  const double D = q.w() * q.w() + q.z() * q.z();
  const Vec3 n_J((q.w() * q.y() + q.z() * q.x()) / D, (q.z() * q.y() - q.w() * q.x()) / D, 1.0);
  return e_WJ * n_J;
}

// n of the turn of a direction `other` about the z axis of a frame, in world axes.
inline Vec3 compute_turn_gradient(const Mat3& frame, const Vec3& other) {
  const Vec3 v = frame.transpose() * other;
  const double across = v.x() * v.x() + v.y() * v.y();
  return frame * Vec3(-v.x() * v.z() / across, -v.y() * v.z() / across, 1.0);
}

inline void add_turn(const RowView& out, const Vec3& n) {
  if (out.a.values) out.a.add(0, 3, -n);
  if (out.b.values) out.b.add(0, 3, n);
}

inline void add_coordinate(Coordinate coordinate, const BodyFrame& a, const BodyFrame& b,
                           const Joint& joint, double factor, const RowView& out) {
  if (coordinate == Coordinate::angle)
    return add_turn(out, factor * compute_angle_gradient(a, b, joint));
  const Mat3 A = a.R * joint.frame_a.R.toRotationMatrix();
  const Mat3 B = b.R * joint.frame_b.R.toRotationMatrix();
  if (coordinate == Coordinate::angle_a)
    return add_turn(out, factor * compute_turn_gradient(A, B.col(2)));
  if (coordinate == Coordinate::angle_b)
    return add_turn(out, factor * compute_turn_gradient(B, A.col(2)));
  const Vec3 r_a = lever(a, joint.frame_a.p), r_b = lever(b, joint.frame_b.p);
  const Vec3 d = (b.x + r_b) - (a.x + r_a);
  if (coordinate == Coordinate::length) {
    const double size = d.norm();
    const Vec3 n = factor * (size > 0.0 ? Vec3(d / size) : Vec3(Vec3::UnitZ()));
    add_point_row(out.a, 0, a, -n, r_a, joint.frame_a.p.x());
    add_point_row(out.b, 0, b, n, r_b, joint.frame_b.p.x());
    return;
  }
  const int axis = coordinate == Coordinate::slide_x   ? 0
                   : coordinate == Coordinate::slide_y ? 1
                                                       : 2;
  const Vec3 t = factor * A.col(axis);
  add_point_row(out.a, 0, a, -t, r_a + d, 0.0);
  add_point_row(out.b, 0, b, t, r_b, joint.frame_b.p.x());
}

}  // namespace ligament
