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

// ---- The same by parts, for those who add to the matrix in between (condensed.h)

// Fills the matrix.
void start_factorization(const StepProblem& problem, bool symmetric, Factorization& factor);

// Which pivots are to be had: those of a quasi-definite matrix, or of any sign.
enum class Pivots { definite, any };

// Eliminates all nodes. Returns −1, or the node at which it broke down.
int finish_factorization(Pivots pivots, Factorization& factor);

// λ = 0, hubs at rest, other bodies in free motion.
void start_solution(const StepProblem& problem, Factorization& factor, StepSolution& solution);

// factor.reduced ← factor.rows in the places of row blocks, M u − factor.momentum in those of hubs.
void put_right_hand_side(const StepProblem& problem, const VecX& u, Factorization& factor);

// x ← the solution of the factored system, x its right-hand side.
void solve_reduced(const Factorization& factor, double* x);

// factor.momentum ← p + Gᵀ λ, and u of the bodies that are no hubs from it.
void move_eliminated_bodies(const StepProblem& problem, Factorization& factor,
                            StepSolution& solution);

}  // namespace ligament::direct
