// SPDX-License-Identifier: Apache-2.0
// The narrow waist: the one algebraic problem that every time step comes down to.
//
//     find u, λ with    M u − Gᵀ λ = p                                          [WA.1]
//                       λ_i ∈ K_i,  ⟨ (G u + Σ λ − b)_i , y − λ_i ⟩ ≥ 0  ∀ y ∈ K_i   [WA.2]
//
// M  mass matrix, block diagonal, positive definite          (columns × columns)
// p  momentum of the free motion                             (columns)         [N s]
// G  constraint Jacobian                                     (rows × columns)
// Σ  diagonal, ≥ 0: compliance as the discretization sees it (rows)            [m/(N s)]
// b  right-hand side of the rows                             (rows)            [m/s]
// u  velocity that moves the bodies over the step            (columns)         [m/s]
// λ  impulses of the constraints                             (rows)            [N s]
//
// (Rows of rotations read rad for m and N m for N.) Mechanics is above this file and numerics below
// it: a problem knows no model, no time and no step size, and can be dumped, loaded and solved by
// itself.
#pragma once

#include <vector>

#include "ligament/math/block_diagonal.h"
#include "ligament/math/block_rows.h"
#include "ligament/math/law.h"

namespace ligament {

struct StepProblem {
  BlockDiagonal M;
  VecX p;
  BlockRows G;
  VecX Sigma;
  VecX b;
  std::vector<Law> laws;  // one a row block of G

  int rows() const { return G.rows; }
  int columns() const { return M.columns; }
};

struct StepSolution {
  VecX u;       // (columns)
  VecX lambda;  // (rows)
  // (rows) diag(G M⁻¹ Gᵀ + Σ), if the solver made it on its way: for those who ask what is left of
  // an inexact solve. Empty if it did not.
  VecX mobility{};
};

// Gives p, Σ, b and the laws the sizes of M and G: zero, rigid and equality until they are filled.
void resize_to_structure(StepProblem& problem);

bool has_only_equalities(const StepProblem& problem);
// Equality, unilateral and box laws: each impulse has bounds of its own.
bool has_only_bounds(const StepProblem& problem);
// Whether no bound hangs on the impulse of another row.
bool has_given_bounds(const StepProblem& problem);

// Whether the laws are convex sets of their own, so that there is one solution and [WA.8] bounds
// the error: not Coulomb's, nor bounds that hang on the impulse of another row.
bool has_convex_laws(const StepProblem& problem);

// λ ← the nearest impulses that the laws admit; those first whose bounds do not hang on others.
void project_onto_laws(const StepProblem& problem, VecX& lambda);

// out = diag(G M⁻¹ Gᵀ + Σ): how far one unit of impulse on a row alone moves that row.
void compute_row_mobility(const StepProblem& problem, VecX& out);

}  // namespace ligament
