// SPDX-License-Identifier: Apache-2.0
// What a simulation carries from step to step.
//
// The momentum p is kept beside the velocity v: a step changes p by impulses only, exactly, whereas
// the angular velocity of a spinning body follows from its momentum and its attitude. v is the
// velocity that carried the bodies over the last step (for a rigid body the mean angular velocity,
// [GY.1]).
#pragma once

#include <vector>

#include "ligament/math/types.h"
#include "ligament/model/contact_memory.h"

namespace ligament {

// Impulse of a row of joints and controls that has a bound, scaled to a whole step [N s]: what
// presses against a stop, or slides.
struct RowMemory {
  int row = 0;
  double impulse = 0.0;
};

struct State {
  double t = 0.0;  // [s]
  VecX q;          // coordinates, laid out as Body::q_offset says
  VecX v;          // velocities, laid out as Body::v_offset says [m/s, rad/s]
  VecX p;          // momenta, laid out as v [kg m/s, kg m²/s]
  VecX s;          // joint coordinates, laid out as Joint::coordinate says [rad, m]
  // Of the contacts that pressed in the last step: friction holds where it held before.
  std::vector<ContactMemory> contacts{};
  std::vector<RowMemory> rows{};  // of bounded rows, for steppers that ask
};

}  // namespace ligament
