// SPDX-License-Identifier: Apache-2.0
// Box-bounded rows by block principal pivoting (Kostreva 1978, Júdice & Pires 1994) on the direct
// factorization, with Murty's single pivots behind it, and projected Newton behind these.
// docs/theory/pivoting.md.
//
//     lower ≤ λ ≤ upper,   w = G u + Σ λ − b:   w ≥ 0 at the lower bound, ≤ 0 at the upper, = 0
// between
//
// A guess says of each row whether it is free (w = 0) or at a bound. With the rows at a bound taken
// out, their impulses given, the rest is a linear problem of the same structure [BP.1]. Rows that
// break their law change sides, all at once while their number falls, and one at a time, the last
// one, when it has not fallen for a while [BP.2]. That is finite, but may take longer than anybody
// waits: after some pivots a row a method that descends goes on from the best guess [BP.4].
#pragma once

#include "ligament/solvers/pivoting/projected_newton.h"

namespace ligament::pivoting {

struct BlockPivotWorkspace {
  Sides sides;
  VecX best;              // (rows) λ of the guess with the fewest rows that break their law
  int single_pivots = 0;  // of the last solve: Murty's
  ProjectedNewtonWorkspace newton;
};

// `iterations` of the report are steps of projected Newton, 0 if pivoting ended.
SolveReport solve_block_pivot(const BlockPivot& options, const StepProblem& problem,
                              BlockPivotWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::pivoting
