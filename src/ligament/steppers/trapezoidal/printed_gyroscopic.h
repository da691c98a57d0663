// SPDX-License-Identifier: Apache-2.0
// The gyroscopic torque as the 2004 paper has it: I ω̇ = F(ω) ω with F(ω) = [I ω]×, skew, taken at
// the start of the step, in axes of the body,
//
//     (I − θ h [I ω]×) ŵ = I ω + θ h torque,   ω⁺ = ω + (ŵ − ω)/θ,   R⁺ = cay(h ŵ) R       [TR.13]
//
// For θ = ½ a free body keeps its energy, for ŵᵀ F ŵ = 0; its angular momentum turns by O(h²) a
// step, and the order is one. [TR.5] is what the stepper takes by itself.
#pragma once

#include "ligament/steppers/words.h"

namespace ligament {

// Puts the rotation of rigid bodies into M and p, after assemble_free_motion.
void assemble_printed_spins(const Model& model, const State& state, const StepSpan& span,
                            Workspace& work);

// Attitudes and momenta of rigid bodies after the step that the workspace has solved, from those of
// the state `from`. Everything else in `to` is left as it is.
void advance_printed_spins(const Model& model, const StepSpan& span, const Workspace& work,
                           const State& from, State& to);

}  // namespace ligament
