// SPDX-License-Identifier: Apache-2.0
// Referee: UMFPACK (unsymmetric multifrontal LU with pivoting) on the KKT matrix [M −Gᵀ; G Σ].
// Its symbolic part is made once per topology and reused, as Direct's is.
#pragma once

#include "ligament/solvers/referees/sparse.h"
#include "ligament/solvers/solver.h"

namespace ligament::referees {

class UmfpackReferee {
 public:
  UmfpackReferee() = default;
  ~UmfpackReferee();
  UmfpackReferee(const UmfpackReferee&) = delete;
  UmfpackReferee& operator=(const UmfpackReferee&) = delete;

  SolveReport solve(const StepProblem& problem, StepSolution& solution);

 private:
  template <class Visit>
  static void visit_entries(const StepProblem& problem, Visit&& visit);
  bool analyse(const StepProblem& problem);

  BlockRows structure_;
  std::size_t bodies_ = 0;
  TripletPattern pattern_;
  SparseColumns matrix_;
  void* symbolic_ = nullptr;
  VecX rhs_, x_;
};

}  // namespace ligament::referees
