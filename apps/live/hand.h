// SPDX-License-Identifier: Apache-2.0
// A hand that pulls a body at a point, by a spring and a damper.
//
//     F = k (target − x) − d v,     k = m_e ω²,  d = 2 m_e ω,  ω = min(ω_hand, 0.3/h)
//
// x and v are those of the point at the start of the step: the spring is explicit. m_e is the least
// mass that the free body opposes to a force at the point, 1/m_e = 1/m + r²/I_min. Joints only add
// to it, so that ω h ≤ 0.3 keeps the step stable: an explicit spring with this damping is up to
// ω h = 0.83.
#pragma once

#include <memory>

#include "ligament/model/model.h"

namespace ligament::apps {

struct Hand {
  BodyId body{};
  Vec3 point = Vec3::Zero();   // [m] from the centre, in body axes
  Vec3 target = Vec3::Zero();  // [m] world
  double stiffness = 0.0;      // [N/m]
  double damping = 0.0;        // [N s/m]
  Vec3 force = Vec3::Zero();   // [N] of the step at hand, world
  Vec3 grip = Vec3::Zero();    // [m] where the point is, world
};

// For a body that is not fixed. On rods the point moves to the axis, on particles to the centre.
Hand make_hand(const Model& model, BodyId body, const Vec3& point, double h);

// Grip and force at a state.
void pull(const Model& model, const State& state, Hand& hand);

// The force as a load, which keeps the hand and reads what pull() leaves there.
Load make_load(const std::shared_ptr<Hand>& hand);

}  // namespace ligament::apps
