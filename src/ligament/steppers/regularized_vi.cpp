// SPDX-License-Identifier: Apache-2.0
// RegularizedVi, the regularized variational inequality of 2011.
//
// Problem   joints and contacts as springs of stiffness k, friction as a viscous brake γ within the
//           cone of Coulomb.
// Scheme    springs and brakes at the end of the step, linearized with today's G:
//             G v⁺ + 1/(k h²) λ = −g/h (joints and normals),   G v⁺ + 1/(γ h) λ = 0 (tangents)
//                                                                                          [RV.1]
//           over the cone λ_n ≥ 0, ‖λ_t‖ ≤ μ λ_n;   q⁺ = q ⊕ h v⁺. A penetration is pushed out by
//             b_n = min(β |g|/h, v_max)                                                    [RV.2]
// Terms     k = 1/compliance of the material, γ = 1/slip, β push_out, h step [s].
// Promises  first order; one solution, whose limit for k, γ → ∞ is the one of least weighted norm;
//           stiff contacts end inelastically, for the scheme damps them. What slides is lifted by
//           h μ ‖v_t‖.
// Reference Preclik, Popa and Rüde 2011, eqs 6, 17, 21; docs/theory/regularized_vi.md.
#include "ligament/steppers/story.h"
#include "ligament/steppers/take_step.h"

namespace ligament {

StepReport take_step(const RegularizedVi& vi, const Model& model, State& state, Workspace& work) {
  const double h = vi.h;
  return tell_step(vi, 0.0, model, state, work,
                   [&vi, h](const RowPhysics& row, double g, double) -> RowEntry {
                     const double push_out = std::min(-vi.push_out * g / h, vi.max_push_out_speed);
                     return {.Sigma = row.compliance / (h * h),                   // [RV.1]
                             .b = row.unilateral && g < 0.0 ? push_out : -g / h,  // [RV.2]
                             .scale = h * h};
                   });
}

}  // namespace ligament
