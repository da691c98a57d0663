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

// An unknown of the complementarity problem.
struct Unknown {
  enum Kind : unsigned char { impulse, slip, upper } kind = impulse;
  int row = -1;                            // impulse: first row that it acts in
  Eigen::Vector2d direction = {1.0, 0.0};  // and along what, in this row and the next
  int group = -1;                          // friction: unknown of its slip multiplier
  double bound = 0.0;                      // slip, upper: given part of the bound [N s]
  int normal = -1;                         // slip: row of the normal impulse, −1: none
  double mu = 0.0;
};

struct LemkeWorkspace {
  Complementarity complementarity;
  std::vector<Unknown> unknowns;
  std::vector<int> equalities, bounded;  // rows
  DenseLu of_equalities;
  VecX row, moved, scratch;  // (columns)
  // Of all rows: S, the speeds without impulses, impulses that are given.
  DenseRoom S, free_speed, shift;
  // Of the bounded rows: S without the equalities, their speeds, what acts in them.
  DenseRoom W, speed, column;
  // Of the unknowns: A and q of [LE.1], its solution, scales.
  DenseRoom A, q, z, scale;
};

// Whether the laws can be had.
bool supports_laws(const StepProblem& problem);

SolveReport solve_lemke(const Lemke& options, const StepProblem& problem, LemkeWorkspace& work,
                        StepSolution& solution);

}  // namespace ligament::lemke
