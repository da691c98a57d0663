// SPDX-License-Identifier: Apache-2.0
// What hangs on what: light links that carry a weight, in machines that swing.
//
// A joint without which a part of the machine would come loose carries its weight, W = m_beyond g,
// and several times as much when it swings. The transverse motion of a link of mass m and length l
// beside it stays stable for about
//
//     W h²/(m l) < ¼,   which is  m_beyond/m < 0.25 l/(g h²)                                 [CK.6]
//
// a quarter of what [CK.4] allows a load at rest. Bodies that a fixed joint ties are one link.
#pragma once

#include "ligament/model/model.h"

namespace ligament {

struct HangingLoad {
  double number = 0.0;  // W h²/(m l), the largest of all; 0 if nothing hangs
  JointId joint{};
  BodyId link{};        // the light one
  double weight = 0.0;  // W [N]
  double mass = 0.0;    // m [kg] of the link
  double length = 0.0;  // l [m]
};

HangingLoad find_hanging_load(const Model& model, const State& state, double h);

}  // namespace ligament
