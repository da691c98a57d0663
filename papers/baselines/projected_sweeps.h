// SPDX-License-Identifier: Apache-2.0
// Gauss–Seidel sweeps over friction cones by projections, one contact after the other:
//
//     λ_i ← P_K(λ_i − (ω/a_i) w_i),    w = G u + Σ λ − b,   u = M⁻¹ (p + Gᵀ λ)
//
// a_i is the mean of the diagonal of contact i in G M⁻¹ Gᵀ + Σ. Cheaper than solving a contact
// exactly, and less of a step. By Coulomb's law w_n is raised by μ ‖w_t‖ of the contact (De Saxcé).
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::papers {

enum class SweepOrder : unsigned char { forwards, backwards };

class ProjectedSweeps {
 public:
  // From no impulses. The laws are cones, or Coulomb's.
  explicit ProjectedSweeps(const StepProblem& problem, double omega = 1.0);

  void sweep(SweepOrder order = SweepOrder::forwards);

  const VecX& lambda() const { return lambda_; }

 private:
  void visit(std::size_t contact);

  const StepProblem& problem_;
  std::vector<MatX> G_, reach_;  // of each contact its rows, and M⁻¹ Gᵀ
  VecX step_;                    // ω/a (contacts)
  VecX lambda_, u_;
};

}  // namespace ligament::papers
