// SPDX-License-Identifier: Apache-2.0
// Drift control by projection: after a step the pose moves by the smallest displacement in the
// metric of the masses that brings joints to zero and overlapping contacts apart,
//
//     M δ − Gᵀ μ = 0,   G δ = −g in joints,   0 ≤ N δ + g ⟂ μ ≥ 0 in what overlaps,      [TR.7]
//
// repeated until nothing is left but rounding; then the velocities of the joints, with G v = 0.
#pragma once

#include "ligament/steppers/words.h"

namespace ligament {

// Springs that the step does not resolve, stiffness number n > 1, go nearly to rest: to the mean
// stretch and speed of the step, s̄ = s + θ h J w and J w, at which they carry the mean force,
//
//     s⁺ ← s̄ + (s⁺ − s̄)/n,   J v⁺ ← J w + (J v⁺ − J w)/n.                                 [TR.12]
//
// Finds the mean of the part of the step that was just taken.
void find_rest(Workspace& work, const StepSpan& span);

// Projects the state `now` of the workspace. A solve that fails leaves it as it is.
void project_drift(const Trapezoidal& method, const Model& model, Workspace& work,
                   StepReport& report);

}  // namespace ligament
