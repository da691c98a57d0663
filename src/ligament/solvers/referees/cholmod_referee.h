// SPDX-License-Identifier: Apache-2.0
// Referee: CHOLMOD (supernodal sparse Cholesky) on the Schur complement S = G M⁻¹ Gᵀ + Σ. Its
// symbolic part is made once per topology and reused. M must be symmetric.
#pragma once

#include <cholmod.h>

#include "ligament/solvers/referees/sparse.h"
#include "ligament/solvers/solver.h"

namespace ligament::referees {

class CholmodReferee {
 public:
  CholmodReferee();
  ~CholmodReferee();
  CholmodReferee(const CholmodReferee&) = delete;
  CholmodReferee& operator=(const CholmodReferee&) = delete;

  SolveReport solve(const StepProblem& problem, StepSolution& solution);

 private:
  template <class Visit>
  void visit_entries(const StepProblem& problem, Visit&& visit) const;
  void analyse(const StepProblem& problem);
  cholmod_sparse view();
  void apply_inverse_mass(const BlockDiagonal& M, const VecX& p, VecX& out) const;

  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
  BlockRows structure_;
  // For every body the entries of G that touch it.
  struct Touch {
    int first_row, rows, values;
  };
  std::vector<std::vector<Touch>> touches_;
  std::vector<Mat3> inverse_rotation_;
  TripletPattern pattern_;
  SparseColumns matrix_;  // upper triangle
  VecX free_motion_, rows_;
};

}  // namespace ligament::referees
