// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/newton/primal.h"

#include <algorithm>
#include <cmath>

#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/newton/linear_laws.h"

namespace ligament::newton {

bool suits_primal(const StepProblem& problem) {
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const Law& law = problem.laws[i];
    if (std::holds_alternative<Equality>(law)) continue;
    if (std::holds_alternative<Coulomb>(law) || normal_row_of(law) >= 0) return false;
    const RowBlock& block = problem.G.blocks[i];
    if (!(problem.Sigma.segment(block.first_row, block.rows).minCoeff() > 0.0)) return false;
  }
  return problem.M.is_symmetric();
}

void PrimalSearch::answer(const StepProblem& problem, const direct::CondensedRows& rows,
                          const VecX& Gu, VecX& lambda) const {
  for (const direct::CondensedBlock& block : rows.blocks) {
    const int at = block.first_row, n = block.rows;
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_block_rows, 1> y =
        Gu.segment(at, n) - problem.b.segment(at, n);
    compute_answer(problem.laws[static_cast<std::size_t>(block.block)],
                   problem.Sigma.segment(at, n), y, lambda.segment(at, n));
  }
}

bool PrimalSearch::start(const StepProblem& problem, direct::CondensedRows& rows,
                         direct::Factorization& factor, StepSolution& iterate) {
  for (VecX* of_rows : {&Gu_, &Gdu_, &at_, &lambda_, &w_}) of_rows->resize(problem.rows());
  if (static_cast<std::size_t>(problem.G.blocks.size()) != rows.blocks.size()) {
    // The equalities, with the impulses of the contacts as they are: 0 w + s λ = s λ_given.
    std::ranges::fill(rows.A, 0.0);
    std::ranges::fill(rows.C, 0.0);
    for (const direct::CondensedBlock& block : rows.blocks)
      for (int i = 0; i < block.rows; ++i)
        rows.C[static_cast<std::size_t>(block.values + i * (block.rows + 1))] =
            rows.mobility(block.first_row + i);
    rows.c = rows.mobility.cwiseProduct(iterate.lambda);
    if (factorize_condensed(problem, rows, factor) >= 0) return false;
    solve_condensed(problem, rows, factor, iterate);
  }
  multiply(problem.G, iterate.u, Gu_);
  answer(problem, rows, Gu_, iterate.lambda);
  return iterate.lambda.allFinite();
}

// ℓ'(α). The sum over the equalities is linear in α, that over the contacts is not.
double PrimalSearch::compute_slope(const StepProblem& problem, const direct::CondensedRows& rows,
                                   const StepSolution& from, double alpha) {
  at_ = Gu_ + alpha * Gdu_;
  lambda_ = from.lambda + alpha * dlambda_;
  answer(problem, rows, at_, lambda_);
  return slope_from_momentum_ + alpha * curvature_from_mass_ - Gdu_.dot(lambda_);
}

double PrimalSearch::find_minimum(const StepProblem& problem, const direct::CondensedRows& rows,
                                  const StepSolution& from) {
  constexpr int evaluations = 60;
  const auto slope_at = [&](double alpha) { return compute_slope(problem, rows, from, alpha); };
  double low = 0.0, at_low = slope_at(0.0), high = 1.0, at_high = slope_at(1.0);
  if (!(at_low < 0.0)) return 1.0;  // rounding is left
  const double enough = 1e-10 * std::abs(at_low);
  for (int i = 0; at_high < -enough; ++i) {
    if (i == 10) return high;
    low = high, at_low = at_high;
    high *= 2.0, at_high = slope_at(high);
  }
  // Regula falsi with halving of the end that stays (Illinois).
  int side = 0;
  for (int i = 0; i < evaluations && std::abs(at_high) > enough; ++i) {
    const double alpha = (low * at_high - high * at_low) / (at_high - at_low);
    const double slope = slope_at(alpha);
    if (std::abs(slope) <= enough || high - low < 1e-14 * high) return alpha;
    if (slope > 0.0) {
      high = alpha, at_high = slope;
      if (side == 1) at_low *= 0.5;
      side = 1;
    } else {
      low = alpha, at_low = slope;
      if (side == -1) at_high *= 0.5;
      side = -1;
    }
  }
  return high;
}

bool PrimalSearch::advance(const StepProblem& problem, direct::CondensedRows& rows,
                           direct::Factorization& factor, StepSolution& iterate) {
  multiply(problem.G, iterate.u, Gu_);
  w_ = Gu_ + problem.Sigma.cwiseProduct(iterate.lambda) - problem.b;
  linearize(problem, iterate.lambda, w_, problem.Sigma, rows);
  if (factorize_condensed(problem, rows, factor) >= 0) return false;
  solve_condensed(problem, rows, factor, target_);
  if (!target_.lambda.allFinite()) return false;

  du_ = target_.u - iterate.u;
  dlambda_ = target_.lambda - iterate.lambda;
  multiply(problem.G, du_, Gdu_);
  target_.u.resize(problem.columns());  // scratch from here on
  multiply(problem.M, du_, target_.u);
  curvature_from_mass_ = du_.dot(target_.u);
  multiply(problem.M, iterate.u, target_.u);
  slope_from_momentum_ = du_.dot(target_.u - problem.p);
  const double alpha = find_minimum(problem, rows, iterate);
  iterate.u += alpha * du_;
  iterate.lambda += alpha * dlambda_;
  Gu_ += alpha * Gdu_;
  answer(problem, rows, Gu_, iterate.lambda);
  return iterate.lambda.allFinite();
}

}  // namespace ligament::newton
