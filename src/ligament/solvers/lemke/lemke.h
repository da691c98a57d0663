// SPDX-License-Identifier: Apache-2.0
// Lemke: step problems with polyhedral friction cones.
//
// Problem   equality, unilateral and box laws, and friction: Coulomb's law, discs and boxes, given
//           or bounded by a normal impulse. Not the associated cone.
// Scheme    equality rows are eliminated from S = G M⁻¹ Gᵀ + Σ; every friction bound becomes a
//           polyhedron of 2 k directions d, closed under change of sign,
//             λ_t = Σ β d,   0 ≤ d·w_t + σ ⟂ β ≥ 0,   0 ≤ μ λ_n − Σ β ⟂ σ ≥ 0              [LE.2]
//           and the whole a linear complementarity problem for Lemke's method
//           (complementarity.h).
// Promises  a solution of the problem with pyramids in finitely many pivots. The report's velocity
//           error [WA.8] is that against the true laws: it shows the pyramid. Dense: problems of up
//           to some hundred contacts.
// Reference Anitescu and Potra 1997, Stewart and Trinkle 1996; docs/theory/lemke.md.
#pragma once

#include <vector>

#include "ligament/solvers/lemke/complementarity.h"
#include "ligament/solvers/solver.h"

namespace ligament::lemke {

struct LemkeWorkspace {
  Complementarity complementarity;
  MatX G, inverse_M_Gt, S;    // dense, of all rows
  MatX A, expand, S_E, S_BE;  // of the complementarity problem; λ_B = expand z + shift
  VecX q, z, shift, free_speed, scratch;
  std::vector<int> equalities, bounded;  // rows
};

// Whether the laws can be had.
bool supports_laws(const StepProblem& problem);

SolveReport solve_lemke(const Lemke& options, const StepProblem& problem, LemkeWorkspace& work,
                        StepSolution& solution);

}  // namespace ligament::lemke
