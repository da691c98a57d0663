// SPDX-License-Identifier: Apache-2.0
// The path from inside the cones to the solution of a convex step problem:
//
//     X ∘ Z = μ̄ e,   X = F λ + f,   w = G u + Σ λ − b = Fᵀ Z,   M u − Gᵀ λ = p,   μ̄ → 0
//
// An iteration of Mehrotra's method aims at σ μ̄ with the product of a first step, for σ = 0, taken
// off:  v ∘ (H dX + H⁻¹ dZ) = r,  r = σ μ̄ e − v ∘ v − (H dX⁰) ∘ (H⁻¹ dZ⁰).  Both steps share one
// factorization, for the end of a full step satisfies
//
//     Z⁺ = k − H² X⁺,   k = Z + H (v \ (σ μ̄ e − (H dX⁰) ∘ (H⁻¹ dZ⁰)))                      [IP.5]
//
// and is a linear law of every contact [IP.2]. X follows λ and u follows λ, exactly; w = Fᵀ Z and
// the equalities hold at the end of a full step.
#pragma once

#include <optional>
#include <vector>

#include "ligament/solvers/interior/lorentz_laws.h"

namespace ligament::interior {

class CentralPath {
 public:
  // Lists the cones and makes the plan of the factorization. Throws PlanTooLarge. Returns whether a
  // plan was made anew.
  bool prepare(const StepProblem& problem);
  // Finds a start. False if the factorization broke down.
  bool start(const StepProblem& problem);
  // One iteration. False if it broke down or got stuck; the iterate is then as it was.
  bool advance(const StepProblem& problem);

  // λ inside K and its u.
  const StepSolution& iterate() const { return iterate_; }
  // μ̄, what is left to go [J].
  double mean_product() const { return compute_mean_product(0.0); }
  int factorizations() const { return factorizations_; }
  double work() const { return work_; }  // multiply-adds of the factorizations

 private:
  bool factorize(const StepProblem& problem);
  void put_inside();
  void update_velocities(const StepProblem& problem);
  void scale();
  // dX and dZ to the end of a full step, for the products that are aimed at.
  bool find_step(const StepProblem& problem, bool predictor);
  double compute_reach_of_step() const;
  double compute_mean_product(double alpha) const;

  ConeList list_;
  direct::CondensedRows rows_;
  std::optional<direct::Factorization> factor_;
  std::vector<Scaling> scalings_;  // one a cone
  VecX X_, Z_;                     // (places)
  VecX dX_, dZ_;                   // (places)
  VecX aim_;                       // (places) σ μ̄ e − (H dX⁰) ∘ (H⁻¹ dZ⁰)
  StepSolution iterate_, target_;
  VecX w_, scratch_;
  int factorizations_ = 0;
  double work_ = 0.0;
};

}  // namespace ligament::interior
