// SPDX-License-Identifier: Apache-2.0
// Speeds of joint coordinates, and what joints and controls exert.
#pragma once

#include "ligament/constraints/constraint_set.h"

namespace ligament {

// Rates of the joint coordinates at the pose of the frames, laid out as State::s [rad/s, m/s].
void compute_joint_speeds(const Model& model, const std::vector<BodyFrame>& frames,
                          const State& state, VecX& out);

// The impulses of a step, and where its rows were built.
struct RowImpulses {
  const ConstraintSet& set;
  const BlockRows& G;
  const std::vector<BodyFrame>& frames;
  const VecX& lambda;  // [N s]
  double h;            // [s]
};

// What a joint exerts on its body b (and, turned round, on body a), mean over a step: without its
// controls. At the joint's point on b, in the axes of the joint's frame on a.
struct JointLoad {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 torque = Vec3::Zero();  // [N m]
};

JointLoad compute_joint_load(const Model& model, const RowImpulses& impulses, JointId id);

// The force of a control along its coordinate, mean over a step [N, N m].
double compute_control_force(const RowImpulses& impulses, ControlId id);

}  // namespace ligament
