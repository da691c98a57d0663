// SPDX-License-Identifier: Apache-2.0
// The numeric half of the Direct solver: fills the matrix of [DI.1], factors it, solves with it.
//
// Nodes are eliminated in the plan's order. With pivot D_k and blocks A_ik below it:
//
//     L_ik = A_ik D_k⁻¹,     A_ij ← A_ij − L_ik A_kj     for all i, j below k          [DI.2]
//
// If M is symmetric A_kj = A_jkᵀ and only i ≥ j is kept: LDLᵀ. If not, the blocks right of the
// pivot are kept too, transposed, in an array of the same layout: LDU. No pivoting: the matrix is
// quasi-definite.
#pragma once

#include <vector>

#include "ligament/solvers/direct/elimination_plan.h"

namespace ligament::direct {

struct Factorization {
  EliminationPlan plan;
  bool symmetric = true;
  std::vector<double> lower;         // pivots and the L_ik below them
  std::vector<double> upper;         // A_kiᵀ, in the layout of `lower`; unsymmetric problems only
  std::vector<double> scale;         // (reduced) size of the diagonal before elimination
  std::vector<double> inverse_mass;  // (bodies)
  std::vector<Mat3> inverse_rotation;
  std::vector<double> column;    // unscaled blocks of the column at hand
  VecX momentum, rows, reduced;  // work space of solves: p + Gᵀ λ, right-hand sides
};

// Factors the problem's matrix. Returns −1, or the node at which it broke down.
int factorize(const StepProblem& problem, Factorization& factor);

// Solves M u − Gᵀ λ = p, G u + Σ λ = b with a factored matrix.
void solve_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution);

// One step of iterative refinement: solves for what is missing in the rows and adds it. The bodies
// that were eliminated have no residual worth the name, u = M⁻¹(p + Gᵀ λ) holds for them to
// rounding.
void refine_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution);

}  // namespace ligament::direct
