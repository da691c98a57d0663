// SPDX-License-Identifier: Apache-2.0
// Box-bounded rows by projected Newton (Bertsekas 1982), for what pivoting does not end on.
// docs/theory/pivoting.md.
//
//     minimize φ(λ) = ½ λᵀ (G M⁻¹ Gᵀ + Σ) λ + λᵀ (G M⁻¹ p − b)  over  lower ≤ λ ≤ upper     [BP.4]
//
// whose gradient is w. Rows that stay at their bound are held, the minimum over the others is the
// target [BP.1], and the step goes towards it along the arc of points put within the bounds, as far
// as φ falls enough [BP.5].
//
// M must be symmetric: there is no φ else. φ never grows, so the last iterate is the best; the
// number of factorizations is limited, and a result that is not exact says how far it may be off.
#pragma once

#include "ligament/solvers/pivoting/sides.h"

namespace ligament::pivoting {

struct ProjectedNewton {
  int refinements = 1;           // of the direct solves
  int max_factorizations = 200;  // what is hard but not hopeless takes 10 … 200
};

struct ProjectedNewtonWorkspace {
  VecX w;               // (rows) the gradient at the iterate
  StepSolution target;  // the minimum over the rows that are not held
  StepSolution trial;   // a point of the arc
  VecX scratch;

  // Memory for problems of this size, so that a step that needs it for the first time does not
  // allocate.
  void reserve(const StepProblem& problem);
};

// λ in `solution` is where it starts, within the bounds that `sides` has read, with u that fits it.
// Solved: `sides` is the guess that proved right, and the next start of pivoting. Not converged,
// because the factorizations did not suffice or nothing but rounding is left to descend:
// `velocity_error` bounds the error of the result [WA.8].
SolveReport solve_projected_newton(const ProjectedNewton& options, const StepProblem& problem,
                                   Sides& sides, ProjectedNewtonWorkspace& work,
                                   StepSolution& solution);

}  // namespace ligament::pivoting
