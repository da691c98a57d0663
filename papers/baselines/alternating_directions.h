// SPDX-License-Identifier: Apache-2.0
// Alternating directions (ADMM) for step problems whose blocks all are friction cones: a linear
// system and a projection in turns.
//
//     minimize ½ xᵀ (N + Σ) x + rᵀ x over x = z, z ∈ K,    N = G M⁻¹ Gᵀ,  r = G M⁻¹ p − b
//
//     (N + Σ + ρ D) x = ρ D (z − y) − r
//     x̂ = 1.6 x − 0.6 z,   z ← P_K(x̂ + y),   y ← y + x̂ − z
//
// D is one number a contact, the mean of its diagonal in N + Σ, which keeps the shape of the cone.
// Every 20 iterations ρ is multiplied by the root of the ratio of the residuals x − z and
// z − z_before, the one over x or z, the other over y, by a factor of ten at most. Its first value
// is that with which tables and stacks take as many iterations as a prototype's. The system is
// solved for velocities, (M + Gᵀ A⁻¹ G) u = Gᵀ A⁻¹ q and x = A⁻¹ (q − G u), with the diagonal
// A = Σ + ρ D and q its right-hand side.
//
// M may have gyroscopic parts, which are not symmetric: the systems are factorized by LU.
//
// Coulomb's law the naive way: in each iteration r gets the lift μ ‖w_t‖ of the last z.
// Reference Boyd et al. 2011.
#pragma once

#include <Eigen/Sparse>
#include <Eigen/SparseLU>

#include "ligament/problem/step_problem.h"

namespace ligament::papers {

class AlternatingDirections {
 public:
  // Starts from no impulses. Throws std::invalid_argument if a law is neither Cone nor Coulomb.
  explicit AlternatingDirections(const StepProblem& problem);

  void advance();

  const VecX& lambda() const { return z_; }
  const VecX& u() const { return u_; }  // of λ
  int factorizations() const { return factorizations_; }

 private:
  using Sparse = Eigen::SparseMatrix<double>;

  void factorize();
  VecX solve(const VecX& q) const;  // (N + Σ + ρ D) x = q
  VecX find_lifted_r() const;
  void balance(const VecX& x, const VecX& z_before);

  const StepProblem& problem_;
  Sparse M_, G_, Gt_;
  VecX D_, r_, A_;
  VecX z_, y_, u_;
  Eigen::SparseLU<Sparse> mass_, system_;
  double rho_ = 0.0316;  // 10^-1.5
  int iterations_ = 0, factorizations_ = 0;
};

}  // namespace ligament::papers
