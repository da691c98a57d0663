// SPDX-License-Identifier: Apache-2.0
// The solvers of a step problem, behind one function. A solver never sees a model, a row or a step.
//
// A variant is a plain struct of options; solve() visits it. What survives from one step to the
// next (symbolic factorization, work space) lives in a SolverWorkspace: a new one is a cold start.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "ligament/problem/step_problem.h"

namespace ligament {

// Block-sparse LDLᵀ (LDU where a body block is not symmetric) of the step problem's KKT matrix,
// made for its structure. Equality laws only. See solvers/direct/.
struct Direct {
  int refinements = 1;  // steps of iterative refinement after the first solve, 0 … 10
};

// Referee: UMFPACK on the KKT matrix [M −Gᵀ; G Σ], the choice of Lacoursière 2007. Equality laws
// only.
struct Umfpack {};

// Referee: CHOLMOD on the Schur complement S = G M⁻¹ Gᵀ + Σ. Symmetric M and equality laws only.
struct Cholmod {};

// Equality, unilateral and box laws: block principal pivoting over the bounds, each guess solved by
// Direct. Without bounds it is Direct. See solvers/pivoting/.
struct BlockPivot {
  int refinements = 1;      // of the direct solves, 0 … 10
  int pivots_per_row = 10;  // single pivots a bounded row before it gives up, 1 … 1000
};

using Solver = std::variant<Direct, Umfpack, Cholmod, BlockPivot>;

const char* name_of(const Solver& solver);

// Whether the solver needs every block of M to be symmetric.
bool needs_symmetry(const Solver& solver);

enum class SolveStatus {
  not_run,
  solved,
  singular,      // a pivot lost all its digits: rows that depend on each other, with too little
                 // compliance
  unsupported,   // a law or a non-symmetric block that this solver cannot handle
  too_large,     // the factor would not fit into memory
  not_converged  // which bounds act was not found in time: the result is the best guess, with exact
                 // momentum, and the residual says how far the laws are from holding
};

const char* name_of(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::not_run;
  int factorizations = 0;
  double work = 0.0;       // multiply-adds spent, counted and not timed
  int culprit_block = -1;  // row block of G at which the solve broke down, −1 if none is known
  bool analysed = false;   // whether the symbolic part was made anew

  // Whether there is a result to go on with.
  bool ok() const { return status == SolveStatus::solved || status == SolveStatus::not_converged; }
};

class SolverWorkspace {
 public:
  SolverWorkspace();
  ~SolverWorkspace();
  SolverWorkspace(SolverWorkspace&&) noexcept;
  SolverWorkspace& operator=(SolverWorkspace&&) noexcept;

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

// Solves the problem. On failure u and λ are filled with NaN, so that nobody mistakes them for a
// result.
SolveReport solve(const Solver& solver, const StepProblem& problem, SolverWorkspace& workspace,
                  StepSolution& solution);

}  // namespace ligament
