// SPDX-License-Identifier: Apache-2.0
// Relaxed, the regularized stepper of 2005.
//
// Problem   as SPOOK's: every holonomic row is a spring and a damper, ε λ = −(g + τ ġ).
// Scheme    both at the end of the step, linearized with today's G:
//             ε λ = −(g + h G v⁺ + τ G v⁺)                                                [RE.1]
//           which with the impulse h λ is the row of a step problem
//             G v⁺ + ε/(h (h + τ)) λ = −g/(h + τ),   q⁺ = q ⊕ h v⁺                        [RE.2]
// Terms     as in spook.cpp.
// Promises  first order; constraint errors O(h²); with τ = 0 an error is gone after one step;
//           static deflection exactly ε × force. With τ = 0 it is the linearly implicit Euler step
//           on the penalty force without its geometric stiffness.
// Reference Lacoursière 2005, eq. 4.4; docs/theory/relaxed.md.
#include "ligament/steppers/story.h"
#include "ligament/steppers/take_step.h"

namespace ligament {

StepReport take_step(const Relaxed& relaxed, const Model& model, State& state, Workspace& work) {
  const double h = relaxed.h;
  return tell_step(relaxed, relaxed.damping_steps * h, model, state, work,
                   [h](const RowPhysics& row, double g, double) -> RowEntry {
                     return {.Sigma = row.compliance / (h * (h + row.damping_time)),
                             .b = -g / (h + row.damping_time),  // [RE.2]
                             .scale = h * (h + row.damping_time)};
                   });
}

}  // namespace ligament
