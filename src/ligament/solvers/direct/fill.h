// SPDX-License-Identifier: Apache-2.0
// The matrix of [DI.1] before elimination.
#pragma once

#include "ligament/solvers/direct/factorization.h"

namespace ligament::direct {

// The inverses of all blocks of M.
void invert_masses(const BlockDiagonal& M, Factorization& factor);

// Fills `lower`, and `upper` if the factor is not symmetric, of nodes and the bodies eliminated
// before them. Condensed row blocks are added afterwards [DI.4].
void fill(const StepProblem& problem, Factorization& factor);

}  // namespace ligament::direct
