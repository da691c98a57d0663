// SPDX-License-Identifier: Apache-2.0
// Out of line: Eigen's FromTwoVectors carries a singular value decomposition for opposite vectors.
#include "ligament/math/rotation.h"

namespace ligament {

Quat frame_with_z_along(const Vec3& z) { return Quat::FromTwoVectors(Vec3::UnitZ(), z); }

Quat frame_with_x_along(const Vec3& x) { return Quat::FromTwoVectors(Vec3::UnitX(), x); }

}  // namespace ligament
