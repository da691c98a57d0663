// SPDX-License-Identifier: Apache-2.0
// Sweeps over blocks of any law, one after the other: joints, limits, motors, single rows, and
// contacts that are not in batches.
//
//     equality      λ' = λ − A⁻¹ w                                                         [GS.1]
//     bounds        row by row, λ_i' = clamp(λ_i − w_i/A_ii), w updated after each
//     disc          λ' = P_disc(λ − s w), or exactly                                       [GS.6]
//     cone          as in batches, or exactly                                              [GS.7]
//     coulomb       as in batches, or exactly                                              [GS.8]
#pragma once

#include "ligament/solvers/gauss_seidel/packed.h"
#include "ligament/solvers/solver.h"

namespace ligament::gauss_seidel {

// One pass over blocks first … last − 1. Returns how far it went, as sweep_contacts() does.
double sweep_blocks(LocalSolve local, std::size_t first, std::size_t last, PackedProblem& packed);

}  // namespace ligament::gauss_seidel
