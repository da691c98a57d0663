// SPDX-License-Identifier: Apache-2.0
// InteriorPoint: the laws of a step problem by a primal–dual interior point method, then Newton.
//
// Problem   convex laws, written as Lorentz cones X = F λ + f, w = Fᵀ Z [IP.1]; Coulomb's law and
//           bounds on other rows as the convex ones that an iterate makes of them [IP.7].
// Scheme    Mehrotra's predictor and corrector [IP.5] in the scaling of Nesterov and Todd [IP.4].
//           An iteration costs one factorization over bodies and joints [DI.4], and there are 5 to
//           30 whatever the stiffness or the ratio of masses (central_path.h).
// Polish    Newton on the laws themselves, from the best impulses: it ends in a few steps where the
//           interior point has found who sticks and who slips.                              [IP.6]
// Judged    by the velocity error [WA.8] of the impulses, which lie in K at every iterate.
// Promises  the best iterate is returned, with exact momentum; not_converged is said. Rows with
//           Σ = 0 are no problem; their impulses are then some of the possible ones, not the least.
// Reference Mehrotra 1992; Nesterov and Todd 1997; docs/theory/interior_point.md.
#pragma once

#include "ligament/solvers/interior/central_path.h"
#include "ligament/solvers/newton/newton.h"

namespace ligament::interior {

struct InteriorPointWorkspace {
  CentralPath path;
  StepProblem convex;  // with lifts and bounds held
  StepSolution polished;
  newton::NewtonWorkspace newton;
  VecX w, scratch;
};

SolveReport solve_interior_point(const InteriorPoint& options, const StepProblem& problem,
                                 InteriorPointWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::interior
