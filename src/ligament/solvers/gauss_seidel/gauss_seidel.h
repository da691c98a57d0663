// SPDX-License-Identifier: Apache-2.0
// Gauss–Seidel: sweeps over the row blocks, each block solved with the impulses of all others held.
// docs/theory/gauss_seidel.md.
//
//     w = G u + Σ λ − b of the block  →  λ' by its law  →  u += M⁻¹ Gᵀ (λ' − λ)           [GS.1]
//
// Scheme: joints and other blocks first, in the order of the problem; then contacts, four at a
// time, or eight in single precision (packed.h); then blocks whose bounds hang on contacts. Each
// sweep starts with the momentum of the ones before (momentum.h). Now and then the velocity error
// [WA.8] is computed, seldom enough to cost little; a guess that is good enough costs no sweep.
//
// A    local matrix (G M⁻¹ Gᵀ + Σ) of a block            (rows × rows)   [m/(N s)]
// λ'   impulses of the block after its solve             (rows)          [N s]
//
// Promises: λ lies in K at the end (in double precision after every sweep) and u = M⁻¹(p + Gᵀ λ),
// exactly. For symmetric M and convex laws no plain sweep increases the energy φ(λ) of
// problem/velocity_error.h, and plain sweeps converge. For Coulomb's law, bounds on other rows and
// sweeps with momentum there is no such proof; the velocity error says what was reached. The same
// bits on every run.
//
// Reference: Jourdan, Alart, Jean 1998, A Gauss–Seidel like algorithm to solve frictional contact
// problems.
#pragma once

#include "ligament/solvers/gauss_seidel/momentum.h"
#include "ligament/solvers/gauss_seidel/packed.h"
#include "ligament/solvers/solver.h"

namespace ligament::gauss_seidel {

struct GaussSeidelWorkspace {
  PackedProblem packed;
  MomentumOf<double> momentum;
  // In single precision.
  PackedContacts<float> rough;
  MomentumOf<float> rough_momentum;
  VecX targets;            // b − G u of the guess
  VecX momentum_of_guess;  // p + Gᵀ λ; later scratch memory
};

SolveReport solve_gauss_seidel(const GaussSeidel& options, const StepProblem& problem,
                               GaussSeidelWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::gauss_seidel
