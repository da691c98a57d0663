// SPDX-License-Identifier: Apache-2.0
// Box-bounded rows by block principal pivoting (Kostreva 1978, Júdice & Pires 1994) on the direct
// factorization, with Murty's single pivots as the finite fallback. docs/theory/pivoting.md.
//
//     lower ≤ λ ≤ upper,   w = G u + Σ λ − b:   w ≥ 0 at the lower bound, ≤ 0 at the upper, = 0
// between
//
// A guess says of each row whether it is free (w = 0) or at a bound. With the rows at a bound taken
// out, their impulses given, the rest is a linear problem of the same structure [BP.1]. Rows that
// break their law change sides, all at once while their number falls, and one at a time, the last
// one, when it has not fallen for a while [BP.2].
#pragma once

#include <vector>

#include "ligament/solvers/direct/direct.h"
#include "ligament/solvers/solver.h"

namespace ligament::pivoting {

enum class Side : signed char { lower = -1, free = 0, upper = 1 };

struct BlockPivotWorkspace {
  std::vector<Side> sides;  // (rows) the guess, kept from step to step: a warm start
  std::vector<Side> next;
  VecX lower, upper;    // (rows) bounds of λ [N s]
  VecX best;            // (rows) λ of the guess with the fewest rows that break their law
  StepProblem reduced;  // the problem with the rows at bounds taken out
  VecX w;               // (rows) G u + Σ λ − b
  VecX impulse;         // (columns) scratch
  direct::DirectWorkspace direct;
};

SolveReport solve_block_pivot(const BlockPivot& options, const StepProblem& problem,
                              BlockPivotWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::pivoting
