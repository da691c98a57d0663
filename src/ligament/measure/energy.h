// SPDX-License-Identifier: Apache-2.0
// Energy and momentum of a state: the same ruler for all steppers.
//
// Kinetic energy is ½ pᵀ M⁻¹ p from the stored momenta. Potential energy is that of gravity and of
// the constant applied forces; the springs of relaxed constraints are not counted (their stored
// value g²/2ε is an artefact of the curvature of a constraint, not an energy that the motion can
// draw on).
#pragma once

#include "ligament/model/model.h"

namespace ligament {

struct Energy {
  double kinetic = 0.0;    // [J]
  double potential = 0.0;  // [J] −Σ (m gravity + force)·x
  double total() const { return kinetic + potential; }
};

Energy compute_energy(const Model& model, const State& state);

struct Momentum {
  Vec3 linear = Vec3::Zero();   // [kg m/s]
  Vec3 angular = Vec3::Zero();  // [kg m²/s] about the origin of the world
};

Momentum compute_momentum(const Model& model, const State& state);

}  // namespace ligament
