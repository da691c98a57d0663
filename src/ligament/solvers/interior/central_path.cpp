// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/interior/central_path.h"

#include <algorithm>
#include <cmath>

namespace ligament::interior {
namespace {

constexpr double to_boundary = 0.99;     // of the way that a step may go
constexpr double shortest_step = 1e-10;  // a shorter one leads nowhere

// What a vector of all cones has for one.
ConeVec load(const VecX& places, const LorentzCone& cone) {
  ConeVec x = ConeVec::Zero();
  x.head(cone.size) = places.segment(cone.place, cone.size);
  return x;
}
void store(const ConeVec& x, const LorentzCone& cone, VecX& places) {
  places.segment(cone.place, cone.size) = x.head(cone.size);
}

// √(λ² s) of a typical row, s its mobility: what impulses and speeds are measured in.
double compute_size(const direct::CondensedRows& rows, const VecX& lambda) {
  double sum = 0.0;
  int count = 0;
  for (const direct::CondensedBlock& block : rows.blocks)
    for (int row = block.first_row; row < block.first_row + block.rows; ++row, ++count)
      sum += rows.mobility(row) * lambda(row) * lambda(row);
  return std::sqrt(sum / std::max(count, 1)) + std::numeric_limits<double>::min();
}

// The nearest impulse that is inside by `impulse`, or in the middle half of what has two bounds.
void put_impulse_inside(const LorentzCone& cone, double impulse, VecX& lambda) {
  auto x = lambda.segment(cone.first_row, cone.rows);
  if (cone.kind == ConeKind::cone)
    x(0) = std::max(x(0), (x.tail(cone.rows - 1).norm() + impulse) / cone.bound);
  else if (cone.kind == ConeKind::disc)
    x *= std::min(1.0, 0.5 * cone.bound / std::max(x.norm(), std::numeric_limits<double>::min()));
  else if (std::isfinite(cone.width))
    x(0) = cone.bound + cone.sign * std::clamp(cone.sign * (x(0) - cone.bound), 0.25 * cone.width,
                                               0.75 * cone.width);
  else
    x(0) = cone.bound + cone.sign * std::max(cone.sign * (x(0) - cone.bound), impulse);
}

// Z with Fᵀ Z near w, inside by `speed`, and the farther the less room X has between its bounds: in
// the middle of the path the product of both is the same in all cones.
ConeVec make_dual(const LorentzCone& cone, const VecX& w, double impulse, double speed) {
  const double room = cone.kind == ConeKind::disc   ? cone.bound
                      : cone.kind == ConeKind::line ? 0.25 * cone.width
                                                    : impulse;
  const double inside = speed * std::max(1.0, impulse / room);
  ConeVec Z = ConeVec::Zero();
  if (cone.kind == ConeKind::line) {
    Z(0) = std::max(cone.sign * w(cone.first_row), 0.0) + inside;
    return Z;
  }
  Z.segment(cone.size - cone.rows, cone.rows) = w.segment(cone.first_row, cone.rows);
  if (cone.kind == ConeKind::cone) Z(0) /= cone.bound;
  Z(0) = std::max(Z(0), tail_of(Z).norm() + inside);
  return Z;
}

// dZ of what Fᵀ Z = w alone says of Z.
void read_dual(const LorentzCone& cone, const VecX& w, ConeVec& dZ, const ConeVec& Z) {
  const int first = cone.size - cone.rows;
  for (int i = 0; i < cone.rows; ++i) dZ(first + i) = w(cone.first_row + i) - Z(first + i);
  if (cone.kind == ConeKind::cone) dZ(0) = w(cone.first_row) / cone.bound - Z(0);
}

}  // namespace

bool CentralPath::prepare(const StepProblem& problem) {
  factorizations_ = 0;
  work_ = 0.0;
  rows_.known_symmetric = true;
  auto& condensed = rows_.condensation.condensed;
  condensed.resize(problem.laws.size());
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    condensed[i] = !std::holds_alternative<Equality>(problem.laws[i]);
  try {
    return update_plan(problem, rows_, factor_);
  } catch (const direct::PlanTooLarge&) {
    factor_.reset();
    throw;
  }
}

bool CentralPath::factorize(const StepProblem& problem) {
  ++factorizations_;
  work_ += factor_->plan.work * (problem.M.is_symmetric() ? 1.0 : 2.0);
  return factorize_condensed(problem, rows_, *factor_) < 0;
}

void CentralPath::update_velocities(const StepProblem& problem) {
  iterate_.u.resize(problem.columns());
  scratch_.resize(problem.columns());
  multiply_transposed(problem.G, iterate_.lambda, scratch_);
  scratch_ += problem.p;
  multiply_inverse(problem.M, scratch_, iterate_.u);
}

// The problem with w = −s λ in place of all laws, s the mobility of a block, has impulses and
// speeds of the right size. Both are then moved inside the cones, by as much as they are large.
bool CentralPath::start(const StepProblem& problem) {
  list_.build(problem, rows_);
  for (VecX* places : {&X_, &Z_, &dX_, &dZ_, &aim_}) places->setZero(list_.places);
  start_linear_laws(list_, rows_);
  for (const direct::CondensedBlock& block : rows_.blocks) {
    const double s = rows_.mobility.segment(block.first_row, block.rows).maxCoeff();
    for (int i = 0; i < block.rows; ++i)
      rows_.C[static_cast<std::size_t>(block.values + i * (block.rows + 1))] = s;
  }
  if (!factorize(problem)) return false;
  solve_condensed(problem, rows_, *factor_, iterate_);
  if (!iterate_.lambda.allFinite()) return false;
  put_inside();
  update_velocities(problem);
  return true;
}

void CentralPath::put_inside() {
  VecX& lambda = iterate_.lambda;
  const double size = compute_size(rows_, lambda);
  const auto root_of = [&](const LorentzCone& cone) {  // of its mobility
    return std::sqrt(rows_.mobility.segment(cone.first_row, cone.rows).maxCoeff());
  };
  scratch_ = -rows_.mobility.cwiseProduct(lambda);
  for (const LorentzCone& cone : list_.cones)
    store(make_dual(cone, scratch_, size / root_of(cone), size * root_of(cone)), cone, Z_);
  for (const LorentzCone& cone : list_.cones)
    put_impulse_inside(cone, size / root_of(cone), lambda);
  for (const FixedRow& fixed : list_.fixed) lambda(fixed.row) = fixed.value;
  for (const LorentzCone& cone : list_.cones) store(compute_slack(cone, lambda), cone, X_);
}

double CentralPath::compute_mean_product(double alpha) const {
  const double count = static_cast<double>(std::max<std::size_t>(list_.cones.size(), 1));
  return (X_ + alpha * dX_).dot(Z_ + alpha * dZ_) / count;
}

double CentralPath::compute_reach_of_step() const {
  double reach = std::numeric_limits<double>::infinity();
  for (const LorentzCone& cone : list_.cones)
    reach = std::min({reach, compute_reach(load(X_, cone), load(dX_, cone)),
                      compute_reach(load(Z_, cone), load(dZ_, cone))});
  return reach;
}

// [IP.5]
bool CentralPath::find_step(const StepProblem& problem, bool predictor) {
  if (predictor)
    start_linear_laws(list_, rows_);
  else
    start_right_hand_sides(list_, rows_);
  for (std::size_t i = 0; i < list_.cones.size(); ++i) {
    const LorentzCone& cone = list_.cones[i];
    const Scaling& H = scalings_[i];
    const ConeVec v = H.scale(load(X_, cone)), change = divide(load(aim_, cone), v);
    store(H.scale(change), cone, dZ_);
    if (predictor) add_linear_law(cone, H, rows_);
    add_right_hand_side(cone, H, v + change, rows_);
  }
  if (predictor && !factorize(problem)) return false;
  solve_condensed(problem, rows_, *factor_, target_);
  w_.resize(problem.rows());
  multiply(problem.G, target_.u, w_);
  w_ += problem.Sigma.cwiseProduct(target_.lambda) - problem.b;
  for (std::size_t i = 0; i < list_.cones.size(); ++i) {
    const LorentzCone& cone = list_.cones[i];
    const ConeVec end = compute_slack(cone, target_.lambda);
    ConeVec step = load(dZ_, cone) - scalings_[i].square() * end;
    // Where w says what Z is, it says it with more digits: H² is large where contacts slide.
    if (cone.kind != ConeKind::line) read_dual(cone, w_, step, load(Z_, cone));
    store(step, cone, dZ_);
    store(end - load(X_, cone), cone, dX_);
  }
  return target_.lambda.allFinite();
}

bool CentralPath::advance(const StepProblem& problem) {
  scalings_.clear();
  for (const LorentzCone& cone : list_.cones) {
    if (!is_inside(load(X_, cone)) || !is_inside(load(Z_, cone))) return false;
    scalings_.emplace_back(load(X_, cone), load(Z_, cone));
  }
  aim_.setZero();
  if (!find_step(problem, true)) return false;

  const double mean = compute_mean_product(0.0);
  const double after = compute_mean_product(std::min(1.0, compute_reach_of_step()));
  const double sigma = mean > 0.0 ? std::pow(std::clamp(after / mean, 0.0, 1.0), 3) : 0.0;
  for (std::size_t i = 0; i < list_.cones.size(); ++i) {
    const LorentzCone& cone = list_.cones[i];
    const Scaling& H = scalings_[i];
    store(-multiply(H.scale(load(dX_, cone)), H.unscale(load(dZ_, cone))), cone, aim_);
    aim_(cone.place) += sigma * mean;
  }
  if (!find_step(problem, false)) return false;

  const double alpha = std::min(1.0, to_boundary * compute_reach_of_step());
  if (!(alpha > shortest_step)) return false;
  iterate_.lambda += alpha * (target_.lambda - iterate_.lambda);
  Z_ += alpha * dZ_;
  for (const LorentzCone& cone : list_.cones) store(compute_slack(cone, iterate_.lambda), cone, X_);
  update_velocities(problem);
  return true;
}

}  // namespace ligament::interior
