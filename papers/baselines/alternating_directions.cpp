// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/alternating_directions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ligament::papers {
namespace {

constexpr double over_relaxation = 1.6;
constexpr int balance_every = 20;
constexpr double largest_change = 10.0;  // of ρ

double friction_of(const Law& law) {
  if (const auto* cone = std::get_if<Cone>(&law)) return cone->mu;
  if (const auto* coulomb = std::get_if<Coulomb>(&law)) return coulomb->mu;
  throw std::invalid_argument("alternating directions are written for friction cones only");
}

// P_K of one block, ‖x_t‖ ≤ μ x_n.
void project(double mu, Eigen::Ref<Eigen::VectorXd> x) {
  const double size = x.tail(x.size() - 1).norm();
  if (size <= mu * x(0)) return;
  const double normal = std::max(0.0, (x(0) + mu * size) / (1.0 + mu * mu));
  x(0) = normal;
  if (size > 0.0) x.tail(x.size() - 1) *= mu * normal / size;
}

}  // namespace

AlternatingDirections::AlternatingDirections(const StepProblem& problem)
    : problem_(problem),
      M_(make_dense(problem.M).sparseView()),
      G_(make_dense(problem.G).sparseView()),
      Gt_(G_.transpose()) {
  for (const Law& law : problem.laws) friction_of(law);
  compute_row_mobility(problem, D_);
  for (const RowBlock& block : problem.G.blocks) {
    auto rows = D_.segment(block.first_row, block.rows);
    rows.setConstant(rows.mean());
  }
  mass_.compute(M_);
  u_ = mass_.solve(problem.p);
  r_ = G_ * u_ - problem.b;
  z_ = y_ = VecX::Zero(problem.rows());
  factorize();
}

void AlternatingDirections::factorize() {
  ++factorizations_;
  A_ = problem_.Sigma + rho_ * D_;
  const VecX inverse = A_.cwiseInverse();
  const Sparse scaled = inverse.asDiagonal() * G_;
  system_.compute(M_ + Sparse(Gt_ * scaled));
}

VecX AlternatingDirections::solve(const VecX& q) const {
  const VecX u = system_.solve(Gt_ * q.cwiseQuotient(A_));
  return (q - G_ * u).cwiseQuotient(A_);
}

VecX AlternatingDirections::find_lifted_r() const {
  VecX r = r_, w;
  for (std::size_t i = 0; i < problem_.laws.size(); ++i) {
    const auto* coulomb = std::get_if<Coulomb>(&problem_.laws[i]);
    if (!coulomb) continue;
    if (w.size() == 0) w = G_ * u_ + problem_.Sigma.cwiseProduct(z_) - problem_.b;
    const RowBlock& block = problem_.G.blocks[i];
    r(block.first_row) += coulomb->mu * w.segment(block.first_row + 1, block.rows - 1).norm();
  }
  return r;
}

void AlternatingDirections::advance() {
  const VecX z_before = z_;
  const VecX x = solve(rho_ * D_.cwiseProduct(z_ - y_) - find_lifted_r());
  y_ += over_relaxation * x + (1.0 - over_relaxation) * z_;
  z_ = y_;
  for (std::size_t i = 0; i < problem_.laws.size(); ++i) {
    const RowBlock& block = problem_.G.blocks[i];
    project(friction_of(problem_.laws[i]), z_.segment(block.first_row, block.rows));
  }
  y_ -= z_;
  u_ = mass_.solve(problem_.p + Gt_ * z_);
  if (++iterations_ % balance_every == 0) balance(x, z_before);
}

void AlternatingDirections::balance(const VecX& x, const VecX& z_before) {
  const VecX root = D_.cwiseSqrt();
  const auto size = [&](const VecX& of) { return root.cwiseProduct(of).norm() + 1e-300; };
  const double primal = size(x - z_) / std::max(size(x), size(z_));
  const double dual = size(z_ - z_before) / size(y_);
  const double change = std::clamp(std::sqrt(primal / dual), 1.0 / largest_change, largest_change);
  rho_ *= change;
  y_ /= change;  // ρ y are velocities, and stay
  factorize();
}

}  // namespace ligament::papers
