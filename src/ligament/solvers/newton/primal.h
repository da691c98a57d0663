// SPDX-License-Identifier: Apache-2.0
// The primal method for convex laws: with compliance in all contacts the velocities minimize
//
//     ℓ(u) = ½ ‖u − u*‖²_M + Σ_i ψ_i((G u − b)_i)                                           [WA.7]
//
// which is smooth and strictly convex: λ_i = P(−Σ_i⁻¹ (G u − b)_i) in the norm of Σ_i is a function
// of u, ∇ℓ = M (u − u*) − Gᵀ λ. Newton's step on it is [NE.1] with s = Σ; the way along it is found
// exactly, as the root of a monotone function,
//
//     ℓ'(α) = duᵀ (M u(α) − p − Gᵀ λ(α)) = 0,   u(α) = u + α du                              [NE.4]
//
// so that it converges from anywhere. Equalities hold at the start and at the end of a full step,
// and so in between, whatever their compliance. It loses its digits as 1e-16 S/Σ: Newton goes on
// with [NE.1] as it is where they are gone.
// Reference Castro, Permenter, Han 2022 (SAP).
#pragma once

#include <optional>

#include "ligament/solvers/direct/condensed.h"

namespace ligament::newton {

// Whether all laws are convex sets of their own, and all but the equalities have compliance.
bool suits_primal(const StepProblem& problem);

class PrimalSearch {
 public:
  // Makes the iterate one that the equalities admit, from its impulses, and gives the contacts the
  // impulses that they answer with. False if a factorization broke down.
  bool start(const StepProblem& problem, direct::CondensedRows& rows, direct::Factorization& factor,
             StepSolution& iterate);
  // One step and its exact line search.
  bool advance(const StepProblem& problem, direct::CondensedRows& rows,
               direct::Factorization& factor, StepSolution& iterate);

 private:
  // λ of the contacts as u makes them.
  void answer(const StepProblem& problem, const direct::CondensedRows& rows, const VecX& Gu,
              VecX& lambda) const;
  double compute_slope(const StepProblem& problem, const direct::CondensedRows& rows,
                       const StepSolution& from, double alpha);
  double find_minimum(const StepProblem& problem, const direct::CondensedRows& rows,
                      const StepSolution& from);

  StepSolution target_;
  VecX du_, dlambda_;  // to the end of a full step
  VecX Gu_, Gdu_;      // (rows)
  VecX at_, lambda_;   // (rows) scratch
  VecX w_;
  double slope_from_momentum_ = 0.0, curvature_from_mass_ = 0.0;
};

}  // namespace ligament::newton
