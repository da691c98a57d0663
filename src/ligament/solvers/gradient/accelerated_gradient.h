// SPDX-License-Identifier: Apache-2.0
// Nesterov's accelerated projected gradient method with restarts, on the impulses.
// docs/theory/gradient.md.
//
//     minimize φ(λ) = ½ λᵀ (G M⁻¹ Gᵀ + Σ) λ + λᵀ (G u* − b) over λ ∈ K
//
// Scheme: a projected step from y to x [AG.1], its length 1/L such that the quadratic form along it
// is below L [AG.2]; y runs ahead of x by Nesterov's momentum, and starts again from x when the
// step goes uphill of the last x [AG.3]. Everything by passes over the rows, as in a sweep of
// Gauss–Seidel but all rows at once; packed as for it.
//
// Coulomb's law and bounds on other rows: their lifts and bounds are held while the convex problem
// is solved, and taken from the iterate when what is left of it is a third of the whole error.
//                                                                                        [AG.4]
//
// Promises: λ lies in K and u = M⁻¹(p + Gᵀ λ) at the end, exactly. For symmetric M and convex laws
// it converges, the energy as 1/k². The outer loop over lifts, and over bounds where μ > 2,
// contracts but for strong friction on slanted rods that slide; then the report says not_converged,
// and by how much. The same bits on every run.
//
// References: Nesterov 1983; O'Donoghue, Candès 2015 (restarts); Mazhar et al. 2015 (contact).
#pragma once

#include "ligament/solvers/gradient/gradient_step.h"
#include "ligament/solvers/solver.h"

namespace ligament::gradient {

struct AcceleratedGradientWorkspace {
  PackedProblem packed;  // holds y
  Iterate x, before;     // this and the last
  Held held;
};

SolveReport solve_accelerated_gradient(const AcceleratedGradient& options,
                                       const StepProblem& problem,
                                       AcceleratedGradientWorkspace& workspace,
                                       StepSolution& solution);

}  // namespace ligament::gradient
