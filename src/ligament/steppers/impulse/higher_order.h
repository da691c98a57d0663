// SPDX-License-Identifier: Apache-2.0
// Steps of higher order out of flights, which are symmetric in time and of order two.
//
// Composition   flights of γ₁ h, γ₂ h, …, Σ γ = 1, Σ γ³ = 0 (and Σ γ⁵ = 0, …): some go backwards.
//                                                                                          [IB.8]
// Extrapolation the same step by 1, 2, 3, … flights; errors have even powers of h only, and a sum
//               with weights takes the first of them away. The sum is put back on the constraints.
//                                                                                          [IB.9]
// Reference Suzuki 1990; Yoshida 1990; Hairer, Lubich and Wanner 2006, sections II.4, V.3.
#pragma once

#include <span>

#include "ligament/steppers/stepper.h"

namespace ligament {

// The γ of a composition: one flight of the whole step if there is none.
std::span<const double> composition_of(HigherOrder kind);

// How many flights the finest of an extrapolation's runs has, 0 if it is none.
int extrapolations_of(HigherOrder kind);

// The weight of the run of `flights` flights among those of 1, 2, …, most.
double extrapolation_weight(int flights, int most);

}  // namespace ligament
