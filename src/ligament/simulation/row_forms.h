// SPDX-License-Identifier: Apache-2.0
// How the rows of a stepper give way, in closed form: what it takes to predict a run.
#pragma once

#include "ligament/constraints/constraint_set.h"
#include "ligament/steppers/stepper.h"

namespace ligament {

// Whether joints keep no compliance: Impulse, Taylor and Trapezoidal close them otherwise.
bool has_rigid_joints(const Stepper& stepper);

// Damping time of a row in this stepper [s].
double damping_time_of(const Stepper& stepper, const RowPhysics& row);

// Σ over ε of a holonomic row: 4 Υ/h² of Spook, 1/(h (h + τ)) of the others. [SP.2], [RE.2]
double sigma_per_compliance(const Stepper& stepper, const RowPhysics& row);

// The compliance that a holonomic row has in a run: its own, or the least that elimination can tell
// from none when Σ is raised to `sigma_floor`.                                           [CK.2]
double effective_compliance(const Stepper& stepper, const RowPhysics& row, double sigma_floor);

// The violation of a curved row in steady motion over κ: τ/h + ½ of Spook, 1 + τ/h of the others.
// [SP.6]
double curvature_factor(const Stepper& stepper, const RowPhysics& row);

// compliance_floor of the stepper's options, in roundings.
double compliance_floor_of(const Stepper& stepper);

// The contacts of the stepper, none for those that know none.
ContactModel contacts_of(const Stepper& stepper);

}  // namespace ligament
