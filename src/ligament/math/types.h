// SPDX-License-Identifier: Apache-2.0
// The few algebra types that every room shares. SI units everywhere.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "ligament/math/vec_x.h"

namespace ligament {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;  // unit quaternion, turns body vectors into world vectors
using MatX = Eigen::MatrixXd;

// A pose p, R of a frame F in a frame B: a point r of F stands at p + R r in B.
struct Frame {
  Vec3 p = Vec3::Zero();  // [m]
  Quat R = Quat::Identity();
};

}  // namespace ligament
