// SPDX-License-Identifier: Apache-2.0
// Rotations in three dimensions: the cross-product matrix, the Cayley map, rotation vectors.
#pragma once

#include "ligament/math/types.h"

namespace ligament {

// [a] with [a] b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// cay(z) e with cay(z) = (E − [z]/2)⁻¹ (E + [z]/2): turns attitude e by the world rotation whose
// axis is z and whose angle is 2 atan(|z|/2), as a quaternion product (1, z/2) e, normalized.
// [GY.2]
inline Quat cayley_turn(const Vec3& z, const Quat& e) {
  Quat turned = Quat(1.0, 0.5 * z.x(), 0.5 * z.y(), 0.5 * z.z()) * e;
  turned.coeffs() /= turned.coeffs().norm();
  return turned;
}

// z with cay(z) from = to.
inline Vec3 cayley_between(const Quat& from, const Quat& to) {
  const Quat turn = to * from.conjugate();
  return 2.0 * turn.vec() / turn.w();
}

// The rotation about the direction of `angle` by |angle| [rad].
inline Quat rotation_by(const Vec3& angle) {
  const double a = angle.norm();
  if (a == 0.0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(a, angle / a));
}

// A right-handed rotation whose third (first) column is the unit vector along the given one: the
// shortest turn of the z (x) axis there.
Quat frame_with_z_along(const Vec3& z);
Quat frame_with_x_along(const Vec3& x);

}  // namespace ligament
