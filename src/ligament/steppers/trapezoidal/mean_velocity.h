// SPDX-License-Identifier: Apache-2.0
// One problem for the mean velocity w of a part of a step: the rows, forces and directions of the
// trapezoidal rule at the predicted pose q_e = q ⊕ θ h v.
//
//     (M/θ) w − Gᵀ λ = (M/θ) v + h f,      q⁺ = q ⊕ h w,  p⁺ = p + h f + Gᵀ λ               [TR.1]
//     joints     G w = 0                                                                    [TR.2]
//     contacts   0 ≤ N w ⟂ λ_n ≥ 0, and Coulomb's law for D w                               [TR.3]
//     springs    J w + 1/(h (θ h γ + δ)) λ = −γ s(q)/(θ h γ + δ)                            [TR.4]
//
// all Jacobians at q_e.
#pragma once

#include "ligament/steppers/words.h"

namespace ligament {

// (h² γ/4 + h δ/2) J M⁻¹ Jᵀ of a spring or damper: above 1 the step does not resolve it.    [TR.9]
double stiffness_number(const RowPhysics& row, double mobility, double h);
// The largest of all.
double compute_stiffness_number(const ConstraintSet& constraints, const VecX& mobility, double h);

// The compliance of the rows of a contact: as good as rigid, and with friction so much that the
// bound of the velocity error [WA.8], which rounding raises to 1e-16 √(S/Σ), stays below 1e-10.
// Lemke's method ends by itself and needs none of that.
double contact_softness(const Trapezoidal& method, const Model& model, const ContactRows& rows);

// From `now` and its scan, whose active gaps are rows, to `end`. The problem, its solution and its
// residual stay in the workspace.
SolveReport take_part(const Trapezoidal& method, const Model& model, const StepSpan& span,
                      Workspace& work, StepReport& report);

// Rows at the pose of a scan for an impact or a projection: those of joints and of the contacts of
// the scan for which `takes_part` holds, and M, the inertia at that pose.
template <class TakesPart>
void collect_contacts(const Model& model, const GapScan& scan, TakesPart&& takes_part,
                      Workspace& work) {
  ContactSet& set = work.contacts;
  set.rows.clear();
  set.memories.clear();
  for (const Gap& gap : scan.gaps) {
    if (gap.key.row >= 0 || !takes_part(gap)) continue;
    set.rows.push_back({.contact = gap.contact,
                        .material = &model.between(model.shape(gap.key.a).material,
                                                   model.shape(gap.key.b).material)});
    set.memories.push_back(nullptr);
  }
}

}  // namespace ligament
