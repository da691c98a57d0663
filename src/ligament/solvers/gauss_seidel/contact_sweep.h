// SPDX-License-Identifier: Apache-2.0
// Sweeps over batches of contacts, four contacts at a time, or eight in single precision.
//
// The sequential solve of one contact, with the others held:
//
//     λ_n' = max(0, λ_n − w_n/A_nn)                                                        [GS.2]
//     λ_t' = P_disc(μ λ_n')(λ_t − (w_t + A_tn (λ_n' − λ_n))/λ_max(A_tt))                   [GS.3]
//
// and of an associated cone, in one projection with one step s,
//
//     λ' = P_cone(λ − s w)                                                                 [GS.4]
//
// Both are exact where A is a multiple of the unit matrix in the rows that they treat together, as
// between spheres.
#pragma once

#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

// One pass over all batches: their λ and the velocities of their bodies. Returns how far it went,
// Δλᵀ diag(A) Δλ over all contacts [J].
template <class Real>
double sweep_contacts(PackedContacts<Real>& packed);

}  // namespace ligament::gauss_seidel
