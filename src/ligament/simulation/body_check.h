// SPDX-License-Identifier: Apache-2.0
// What is said of bodies before a run: spins, ratios of masses, weights that hang on light links.
#pragma once

#include "ligament/simulation/diagnosis.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// The workspace has the contacts of the pose.
void check_bodies(const Model& model, const Stepper& stepper, const State& state,
                  const Workspace& work, Diagnosis& out);

}  // namespace ligament
