// SPDX-License-Identifier: Apache-2.0
// Box friction: bounds that hang on the impulses of other rows, by a fixed point around BlockPivot.
//
//     bounds ← ∓μ λ_n of the last pass, until they change by less than 1e-9 of the largest λ_n
//                                                                                           [BP.3]
#pragma once

#include "ligament/solvers/pivoting/block_pivot.h"

namespace ligament::pivoting {

struct FrictionBoundsWorkspace {
  StepProblem bounded;  // the problem with the bounds of the pass at hand
  VecX lambda;          // impulses that they are taken from
  BlockPivotWorkspace pivoting;
};

// λ in `solution` is the first guess. Status not_converged if the passes do not suffice.
SolveReport solve_friction_bounds(const BlockPivot& options, const StepProblem& problem,
                                  FrictionBoundsWorkspace& work, StepSolution& solution);

}  // namespace ligament::pivoting
