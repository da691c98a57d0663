// SPDX-License-Identifier: Apache-2.0
// SPOOK, the default stepper.
//
// Problem   M(q) v̇ = f + Gᵀ λ,  ε λ + g(q) + τ ġ = 0 in every holonomic row,  q̇ = v.
// Scheme    the constraint at three times, the damper at the end of the step, both with today's G:
//             ε λ + (g⁺ + 2 g + g⁻)/4 + τ G v⁺ = 0,  g⁺ ≈ g + h G v⁺,  g⁻ ≈ g − h G v     [SP.1]
//           which with Υ = 1/(1 + 4 τ/h) and the impulse h λ is the row of a step problem
//             G v⁺ + (4 ε Υ/h²) λ = Υ (G v − 4 g/h),   q⁺ = q ⊕ h v⁺                      [SP.2]
//           (springs with a damper of their own: G v⁺ at a lateness w before v⁺           [SP.11])
// Terms     ε compliance [m/N], τ damping time [s], g constraint value, G Jacobian, h step [s].
// Promises  first order; constraint errors O(h²) and damped, critically at τ = 2 h; static
//           deflection exactly ε × force; momentum exact up to |g × λ| of each joint; one linear
//           solve a step.
// Reference Lacoursière 2007, eqs 26–29; docs/theory/spook.md.
#include "ligament/steppers/story.h"
#include "ligament/steppers/take_step.h"

namespace ligament {

StepReport take_step(const Spook& spook, const Model& model, State& state, Workspace& work) {
  const double h = spook.h;
  return tell_step(spook, spook.damping_steps * h, model, state, work,
                   [h](const RowPhysics& row, double g, double speed) -> RowEntry {
                     const double damping = 4.0 * row.damping_time / h, w = row.lateness;
                     const double upsilon = 1.0 / (1.0 + w * damping);
                     return {.Sigma = 4.0 * row.compliance * upsilon / (h * h),  // [SP.2]
                             .b = upsilon * ((1.0 - (1.0 - w) * damping) * speed - 4.0 * g / h),
                             .scale = h * h / (4.0 * upsilon)};
                   });
}

}  // namespace ligament
