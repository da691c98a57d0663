// SPDX-License-Identifier: Apache-2.0
// One overload a method; step() chooses. The names differ on purpose: an overload that is missing
// here must not convert back to the variant and call itself.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

StepReport take_step(const Spook& spook, const Model& model, State& state, Workspace& work);
StepReport take_step(const Relaxed& relaxed, const Model& model, State& state, Workspace& work);
StepReport take_step(const RegularizedVi& vi, const Model& model, State& state, Workspace& work);
StepReport take_step(const Trapezoidal& method, const Model& model, State& state, Workspace& work);
StepReport take_step(const Impulse& impulse, const Model& model, State& state, Workspace& work);
StepReport take_step(const Taylor& taylor, const Model& model, State& state, Workspace& work);

}  // namespace ligament
