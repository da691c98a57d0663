// SPDX-License-Identifier: Apache-2.0
// Row blocks that are eliminated before their bodies: contacts, of which there are many.
//
// The solvers of contact replace the law of a row block by a linear one,
//
//     A_i w_i + C_i λ_i = c_i,     w = G u + Σ λ − b                                       [DI.3]
//
// (sticking: A = 1, C = 0; open: A = 0, C = 1), which gives the impulse as a function of the
// velocity, λ_i = k_i − D_i (G u)_i with D = (A Σ + C)⁻¹ A. Put into the momentum, it adds to M:
//
//     [ S    G_h ] [  λ  ]   [   b − G M⁻¹ p    ]
//     [ G_hᵀ −(M_h + Σ_i G_iᵀ D_i G_i) ] [ u_h ] = [ −p_h − Σ_i G_iᵀ k_i ]                 [DI.4]
//
// in which S and λ are those of the other row blocks, the joints. A box on a box has 12 rows of
// contact for 6 columns.
//
// D is as large as 1/Σ. Where Σ is far below the mobility s of a row, M drowns in Gᵀ D G, so the
// factor is made with Σ' = max(Σ, 10⁻⁸ s), and refinement on the true rows takes the difference
// back: it is the method of multipliers and contracts by (Σ' − Σ)/(Σ' + S).               [DI.5]
// Where contacts are redundant there are directions with S = 0, in which that is nearly 1. A change
// that is the last one times ρ is therefore followed to its end at once, by ρ/(1 − ρ) of it. [DI.6]
//
// For a symmetric D ≥ 0 the matrix is quasi-definite. Sliding contacts make D non-symmetric and may
// make it indefinite: then pivots may have any sign, and only one that lost its digits is an error.
#pragma once

#include <optional>
#include <vector>

#include "ligament/solvers/direct/factorization.h"

namespace ligament::direct {

struct CondensedBlock {
  int block = 0;  // of G
  int first_row = 0;
  int rows = 0;
  int values = 0;  // offset of its rows × rows numbers in A, C, …
  int target = 0;  // targets[target … target + target_count)
  int target_count = 0;
  bool active = true;  // whether D is not zero
};

// A block of the factor that takes −G_rᵀ D G_c.
struct CondensedTarget {
  int values = 0;                       // offset in the factor
  int row_entry = 0, column_entry = 0;  // offsets in G.values
  signed char rows = 0, columns = 0;    // 3 or 6
};

struct CondensedRows {
  Condensation condensation;  // `condensed` is given by the caller, the ties are found

  // Found by update_plan().
  std::vector<CondensedBlock> blocks;
  std::vector<CondensedTarget> targets;
  VecX mobility;  // (rows) diag(G M⁻¹ Gᵀ + Σ)
  VecX Sigma;     // (rows) Σ' [DI.5]

  // The linear laws [DI.3], given by the caller before each factorization; by columns.
  std::vector<double> A, C;
  VecX c;  // (rows)
  // Whether every D is known to be symmetric, whatever rounding says.
  bool known_symmetric = false;

  // Found by factorize_condensed().
  std::vector<double> inverse;  // (A Σ' + C)⁻¹
  std::vector<double> D;        // (A Σ' + C)⁻¹ A
  bool symmetric = true;        // whether every D is
  VecX k, step, step_rows;      // work space: of λ, u and G u
  StepSolution before;          // the refinement: the last solution
  VecX change, last_change;     // of λ by the last two solves
};

// Makes the plan if there is none or if it does not have all ties of the problem, finds where every
// product goes and gives all arrays their size. Throws PlanTooLarge. Returns whether a plan was
// made.
bool update_plan(const StepProblem& problem, CondensedRows& rows,
                 std::optional<Factorization>& factor);

// Factors the matrix of [DI.4]. Returns −1, or the node at which it broke down.
int factorize_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor);

// ---- The same by parts

// D and (A Σ' + C)⁻¹ of all rows, from their laws.
void condense(CondensedRows& rows);

// Factors the matrix of [DI.4] with the D that the rows have.
int factorize_with(const StepProblem& problem, const CondensedRows& rows, Factorization& factor);

// Solves for what is missing in u and λ, once or more often until nothing but rounding is left to
// be had. Returns the number of solves.
int refine_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor,
                     StepSolution& solution);

// Solves M u − Gᵀ λ = p, G u + Σ λ = b in the nodes and [DI.3] in the condensed rows; refines at
// least once, and until nothing but rounding is left to be had. Returns the number of solves.
int solve_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor,
                    StepSolution& solution);

}  // namespace ligament::direct
