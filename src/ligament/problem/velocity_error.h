// SPDX-License-Identifier: Apache-2.0
// How far the velocities of a candidate are from the exact ones, bounded by a duality gap.
//
// For laws that are convex sets the step problem minimizes
// φ(λ) = ½ λᵀ(G M⁻¹ Gᵀ + Σ) λ + λᵀ(G u* − b) over λ ∈ K, u* = M⁻¹ p, and its dual
// ℓ(u) = ½‖u − u*‖²_M + Σ_i ψ_i((G u − b)_i) over all u,
//
//     ψ_i(y) = max over x ∈ K_i of −xᵀ y − ½ xᵀ Σ_i x                                       [WA.7]
//
// With u = M⁻¹(p + Gᵀ λ) the gap ℓ(u) + φ(λ) is a sum of local terms, each ≥ 0, and
//
//     Σ_i (ψ_i(y_i) + λ_iᵀ y_i + ½ λ_iᵀ Σ_i λ_i)  ≥  ½ ‖u − u_exact‖²_M,   y = G u − b      [WA.8]
//
// The bound needs no solution to compare with, and is what iterative solvers stop on. For Coulomb's
// law and for bounds that hang on another row the problem is the convex one that the candidate
// itself makes of it, with the lift μ‖w_t‖ and the bound μ λ_n as they are: zero just when the laws
// hold.
//
// It is pessimistic where rows are stiff: an error of w in a row costs ½ w²/Σ. A row with hardly
// any compliance is measured as one with very little, Σ' = `least_softness` of what a unit impulse
// moves it, whose b is larger by (Σ' − Σ) λ: it has the same w, and its term is zero just when the
// law holds.
#pragma once

#include <limits>

#include "ligament/problem/step_problem.h"

namespace ligament {

constexpr double least_softness = 1e-12;

struct VelocityError {
  double gap = 0.0;       // [J] the left-hand side of [WA.8]
  double scale = 0.0;     // ‖u − u*‖_M [√J]: what the constraints change
  double rounding = 0.0;  // [J] what of the gap may be rounding alone

  // √(2 gap) over the scale; 0 where nothing but rounding is left.
  double relative() const;
};

// Of no candidate at all.
constexpr VelocityError worst_velocity_error{.gap = std::numeric_limits<double>::infinity(),
                                             .scale = 1.0};

// The gap of one block, given y = (G u − b)_i, λ_i and Σ_i. Bounds must be filled in.
double compute_local_gap(const Law& law, const Eigen::Ref<const Eigen::VectorXd>& Sigma,
                         const Eigen::Ref<const Eigen::VectorXd>& y,
                         const Eigen::Ref<const Eigen::VectorXd>& lambda);

// x ← the maximizer of [WA.7] for a law that is a convex set: the impulse with which a block of
// compliance Σ > 0 answers y.
void compute_answer(const Law& law, const Eigen::Ref<const Eigen::VectorXd>& Sigma,
                    const Eigen::Ref<const Eigen::VectorXd>& y, Eigen::Ref<Eigen::VectorXd> x);

// What of it may be rounding of the velocities, whose largest is `speed`.
double compute_local_rounding(const Eigen::Ref<const Eigen::VectorXd>& Sigma, double speed);

// λ must lie in K. u is taken to be M⁻¹(p + Gᵀ λ). `scratch` is work space.
VelocityError compute_velocity_error(const StepProblem& problem, const StepSolution& solution,
                                     VecX& scratch);

// u ← M⁻¹(p + Gᵀ λ), and its error.
VelocityError judge_impulses(const StepProblem& problem, StepSolution& solution, VecX& scratch);

}  // namespace ligament
