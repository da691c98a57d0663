// SPDX-License-Identifier: Apache-2.0
// Contacts in the impulse stepper: they press before the flight.
//
// Where bodies touch, or would within the step, the machine that they belong to takes its forces
// and the impulses of its contacts at the start of the step, in one step problem with its joints at
// the velocity level, its springs and its drives:
//
//     M u − Gᵀ λ = p + h f,   joints G u = 0,   contacts and friction by their laws        [IB.14]
//
// p becomes p + h f + Gᵀ λ, and the flight that follows closes the joints again. What touches
// nothing flies as if there were no contacts, to second order.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// Finds the contacts, lets them press, and marks whose forces have acted. Frames and rows of the
// joints must be up to date, and the workspace of the flight begun. False if the solver fails.
bool press_contacts(const Impulse& impulse, const Model& model, State& state, Workspace& work,
                    StepReport& report);

}  // namespace ligament
