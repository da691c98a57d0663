// SPDX-License-Identifier: Apache-2.0
// One rigid body on a point of the world, or two on a common axis, stepped by SPOOK with the
// gyroscopic torque by rules that fail, and by the midpoint rule. No code of the library takes
// part.
//
//     M v⁺ = M v + h f + Aᵀ y,   A v⁺ + Σ y = Υ (A v − (4/h) g),   x⁺ = x + h v⁺
//     R⁺ = exp[h w⁺] R
//
// A and the inertia of each body are those of the start of the step: the rules that fail differ
// only in the angular velocity that the joint finds. The midpoint rule keeps the angular momentum
// l of each body,
//
//     I w + (h/2) w × I w = l⁺,   R⁺ = cay(h w) R,   with its tangent in the place of I in M
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "papers/baselines/steps.h"

namespace ligament::papers {

enum class GyroscopicRule : unsigned char {
  explicit_torque,  // −w × I w of the start of the step, in world axes
  implicit_body,    // implicit in body axes, one step of Newton
  none,             // w changes by impulses alone
  midpoint,         // implicit midpoint rule for the angular momentum
  symmetrized       // the same with the symmetric part of the inverse of its tangent
};

struct RigidBody {
  double mass = 1.0;        // [kg]
  Eigen::Vector3d moments;  // [kg m²] in its own axes
  Eigen::Vector3d x, v, w;  // [m, m/s, rad/s] in world axes
  Eigen::Quaterniond R = Eigen::Quaterniond::Identity();
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // [m] of the joint, in its own axes
  std::optional<Eigen::Vector3d> l{};  // [kg m²/s] of a rule that keeps it; w is a mean then

  Eigen::Matrix3d inertia() const;
  Eigen::Vector3d spin() const;              // about its centre [kg m²/s]
  Eigen::Vector3d angular_momentum() const;  // about the origin
};

// Where the impulses of a joint act on two bodies whose anchors are not quite together.
enum class Arms : unsigned char { own, common };

// One body: its anchor is held at the origin. Two: their anchors are held together, and so are
// their third axes, 5 rows.
struct JointedBodies {
  std::vector<RigidBody> bodies;
  double gravity = 0.0;  // [m/s²], along −z
  SpookRows rows{};
  Arms arms = Arms::own;

  double energy() const;
  Eigen::Vector3d angular_momentum() const;
  // False if nothing finite comes of it.
  bool step(GyroscopicRule rule, double h);
};

}  // namespace ligament::papers
