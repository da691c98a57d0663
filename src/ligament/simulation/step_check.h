// SPDX-License-Identifier: Apache-2.0
// What a machine is expected to do at a time step, and where that is not what was asked for.
#pragma once

#include "ligament/simulation/diagnosis.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// Fills in outlook, limits, findings, sharing and contacts. `dependent` rows follow from others.
void check_step(const Model& model, const Stepper& stepper, const State& state,
                const std::vector<int>& dependent, Diagnosis& out);

}  // namespace ligament
