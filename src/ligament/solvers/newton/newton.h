// SPDX-License-Identifier: Apache-2.0
// Newton: the laws of a step problem by Newton's method on u and λ together.
//
// Problem   all laws; Coulomb's in its true, non-associated form.
// Scheme    every law but equality is replaced by the linear one that touches it at the iterate
//           (linear_laws.h, [NE.1]): a contact is open, sticks, or slips in a direction. One
//           factorization over bodies and joints [DI.4] gives the next iterate. It is block
//           pivoting with friction: where the states are right it ends in one step, and where
//           directions of slip are to be found it converges quadratically.
// Judged    by the velocity error [WA.8] of the nearest impulses that the laws admit. A guess that
//           is good enough costs no factorization.
//           One that is nearly right needs a solve or two with a factor that is kept as long as
//           nothing moves (kept_factor.h).                                                [NE.5]
// Rescue    Newton's method may cycle between states. When the error has not halved for a few
//           steps, a batch of steps from the best impulses finds better states: of the primal
//           method with its line search where the laws are convex and soft [NE.4], of Gauss–Seidel
//           elsewhere. The batches grow.                                                    [NE.3]
// Promises  the best iterate is returned, with exact momentum; not_converged is said.
// Reference Alart and Curnier 1991 for the linear laws of friction; docs/theory/newton.md.
#pragma once

#include <optional>

#include "ligament/solvers/direct/condensed.h"
#include "ligament/solvers/gauss_seidel/gauss_seidel.h"
#include "ligament/solvers/newton/kept_factor.h"
#include "ligament/solvers/newton/primal.h"
#include "ligament/solvers/solver.h"

namespace ligament::newton {

struct NewtonWorkspace {
  direct::CondensedRows rows;
  std::optional<direct::Factorization> factor;
  KeptFactor kept;
  gauss_seidel::GaussSeidelWorkspace sweeps;
  StepSolution iterate;    // of the linear laws: λ need not lie in K
  StepSolution candidate;  // the nearest λ that does, with its u
  VecX w;                  // (rows) G u + Σ λ − b of the iterate
  VecX s;                  // (rows) of [NE.1]
  PrimalSearch primal;
  VecX scratch;
  double spent = 0.0;  // multiply-adds of the factorizations of this solve
};

SolveReport solve_newton(const Newton& options, const StepProblem& problem,
                         NewtonWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::newton
