// SPDX-License-Identifier: Apache-2.0
// What a method promises for a model, before it runs.
#pragma once

#include <string>

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// Of the trapezoidal stepper: the order that is expected, what in this model costs it, and how
// stiff the stiffest spring is for the step. Empty for the others, which are of first order.
std::string describe_expectation(const Stepper& stepper, const Model& model, const Workspace& work);

}  // namespace ligament
