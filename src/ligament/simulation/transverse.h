// SPDX-License-Identifier: Apache-2.0
// The fastest motion that the forces of the rows drive: what swings across links under tension.
//
// Steppers take the geometric stiffness K = −∂(Gᵀ f)/∂q of forces f explicitly. Motions x that the
// joints leave free swing by ω² M x = K x, and steps of h follow them while
//
//     h ω < 2                                                                               [CK.4]
//
// The largest ω² is found by power iteration with the joints holding.
#pragma once

#include "ligament/simulation/tie_solver.h"

namespace ligament {

struct TransverseMode {
  double rate = 0.0;  // ω [rad/s], 0 if nothing swings
  BodyId body{};      // that moves most in it, by kinetic energy
};

// `force` of all rows of joints and controls; the workspace has the rows of the pose.
TransverseMode find_fastest_mode(const Model& model, const State& state, const VecX& force);

}  // namespace ligament
