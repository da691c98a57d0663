// SPDX-License-Identifier: Apache-2.0
// One pass of Newton's method for the impulses that close the joints at the end of a flight.
//
// The matrix of the method, G⁺ M⁻¹ Gᵀ, is not symmetric. Linear systems with it are solved by few
// steps of the generalized conjugate residual method, with S = G M⁻¹ Gᵀ + Σ, factored once a
// flight, as preconditioner: the two differ by O(h ω), and one or two steps will do.        [IB.3]
// Reference Eisenstat, Elman and Schultz 1983; Saad 2003, section 6.9.
#include <algorithm>
#include <cmath>

#include "ligament/steppers/impulse/flight.h"
#include "ligament/steppers/impulse/flight_rows.h"

namespace ligament {

// out = S⁻¹ D(q⁺) M⁻¹ Gᵀ impulses, with D the derivative of what the rows miss: G⁺, and the mean of
// G and G⁺ for velocity rows, Σ added to relaxed rows.
bool Flight::apply_newton_matrix(const VecX& impulses, VecX& out) {
  StepProblem& problem = own_.problem;
  multiply_transposed(problem.G, impulses, own_.impulse);
  multiply_inverse(problem.M, own_.impulse, own_.u);
  multiply(own_.end.G, own_.u, problem.b);
  if (work_.constraints.has_velocity_rows) multiply(problem.G, own_.u, own_.end_speed);
  for (int r = 0; r < problem.rows(); ++r) {
    const RowPhysics& row = work_.constraints.physics[static_cast<std::size_t>(r)];
    if (row.kind == RowKind::velocity) problem.b(r) = 0.5 * (problem.b(r) + own_.end_speed(r));
    if (!is_rigid(row)) problem.b(r) += problem.Sigma(r) * impulses(r);
  }
  problem.p.setZero();
  if (!run_solver(false)) return false;
  out = own_.solution.lambda;
  return true;
}

// Takes away of own_.step what moves nothing, where rows depend on each other: impulses stay those
// of least norm.                                                                          [IB.4]
bool Flight::take_least_norm(double scale) {
  StepProblem& problem = own_.problem;
  double softened = 0.0;
  for (int r = 0; r < problem.rows(); ++r)
    if (is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]))
      softened = std::max(softened, std::abs(problem.Sigma(r) * own_.step(r)));
  constexpr double visible = 1e-6;  // rows that are independent stay below
  if (softened <= visible * scale) return true;
  multiply_transposed(problem.G, own_.step, own_.impulse);
  multiply_inverse(problem.M, own_.impulse, own_.u);
  multiply(problem.G, own_.u, problem.b);
  for (int r = 0; r < problem.rows(); ++r)
    if (!is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]))
      problem.b(r) += problem.Sigma(r) * own_.step(r);
  problem.p.setZero();
  if (!run_solver(false)) return false;
  own_.step = own_.solution.lambda;
  return true;
}

// Rows without bounds: the step in own_.step.
bool Flight::solve_linear_pass(bool first) {
  StepProblem& problem = own_.problem;
  problem.p.setZero();
  double scale = 0.0;
  for (int r = 0; r < problem.rows(); ++r) {
    const bool rigid = is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]);
    problem.b(r) = -own_.rest(r) - (rigid ? 0.0 : problem.Sigma(r) * own_.nu(r));
    scale = std::max(scale, std::abs(problem.b(r)));
  }
  if (!run_solver(first)) return false;
  own_.left = own_.solution.lambda;
  own_.step.setZero();
  double start = 0.0;
  constexpr double enough = 0.05;  // of the norm: the next pass sees to the rest
  for (std::size_t k = 0; k < own_.directions.size(); ++k) {
    auto& d = own_.directions[k];
    multiply_transposed(problem.G, own_.left, own_.impulse);
    d.velocity.resize(problem.columns());
    multiply_inverse(problem.M, own_.impulse, d.velocity);
    const double size = std::sqrt(std::max(0.0, own_.impulse.dot(d.velocity)));
    if (k == 0) start = size;
    if (!(size > enough * start)) break;
    d.impulses = own_.left;
    if (!apply_newton_matrix(d.impulses, d.image)) return false;
    multiply_transposed(problem.G, d.image, own_.impulse);
    for (std::size_t i = 0; i < k; ++i) {  // orthogonal to the images before
      const auto& e = own_.directions[i];
      const double share = own_.impulse.dot(e.velocity) / e.square;
      d.impulses -= share * e.impulses;
      d.image -= share * e.image;
    }
    multiply_transposed(problem.G, d.image, own_.impulse);
    multiply_inverse(problem.M, own_.impulse, d.velocity);
    d.square = own_.impulse.dot(d.velocity);
    if (!(d.square > 0.0)) break;
    multiply_transposed(problem.G, own_.left, own_.impulse);
    const double share = own_.impulse.dot(d.velocity) / d.square;
    own_.step += share * d.impulses;
    own_.left -= share * d.image;
  }
  own_.step += own_.left;
  return take_least_norm(scale);
}

// Rows with bounds: the laws hold for the impulses as a whole, and what S misses of G⁺ M⁻¹ Gᵀ is
// made up for once.
bool Flight::solve_bounded_pass(bool first) {
  StepProblem& problem = own_.problem;
  problem.p = own_.kicked;
  const auto is_rigid_row = [&](int r) {
    return is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]);
  };
  double scale = 0.0, softened = 0.0;
  for (int r = 0; r < problem.rows(); ++r) {
    problem.b(r) = own_.speed(r) - own_.rest(r);
    if (is_rigid_row(r)) problem.b(r) += problem.Sigma(r) * own_.nu(r);
    scale = std::max(scale, std::abs(own_.rest(r)));
  }
  if (!run_solver(first)) return false;
  own_.step = own_.solution.lambda - own_.nu;
  multiply_transposed(problem.G, own_.step, own_.impulse);
  multiply_inverse(problem.M, own_.impulse, own_.u);
  multiply(problem.G, own_.u, own_.speed);
  multiply(own_.end.G, own_.u, own_.end_speed);
  for (int r = 0; r < problem.rows(); ++r) {
    const RowPhysics& row = work_.constraints.physics[static_cast<std::size_t>(r)];
    const double change = own_.end_speed(r) - own_.speed(r);
    problem.b(r) -= row.kind == RowKind::velocity ? 0.5 * change : change;
  }
  if (!run_solver(false)) return false;
  for (int r = 0; r < problem.rows(); ++r) {
    if (!is_rigid_row(r)) continue;
    const double soft = problem.Sigma(r) * (own_.solution.lambda(r) - own_.nu(r));
    softened = std::max(softened, std::abs(soft));
    problem.b(r) -= soft;  // [IB.4]
  }
  constexpr double visible = 1e-6;
  if (softened > visible * scale && !run_solver(false)) return false;
  own_.step = own_.solution.lambda - own_.nu;
  return true;
}

}  // namespace ligament
