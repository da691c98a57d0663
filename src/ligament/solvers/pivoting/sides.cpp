// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/pivoting/sides.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ligament::pivoting {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double relative = 1e-10;

// A guess must fit the bounds: a row without a bound is free of it.
void check_guess(const StepProblem& problem, Sides& sides) {
  const auto rows = static_cast<std::size_t>(problem.rows());
  sides.guess.resize(rows, Side::free);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if ((sides.guess[i] == Side::lower && sides.lower(at) == -infinity) ||
        (sides.guess[i] == Side::upper && sides.upper(at) == infinity))
      sides.guess[i] = Side::free;
  }
}

// The rows at bounds read λ = bound, and the others find their impulse in p.             [BP.1]
void reduce(const StepProblem& problem, Sides& sides) {
  StepProblem& reduced = sides.reduced;
  reduced = problem;  // same sizes when warm: copies values, allocates nothing
  for (const RowBlock& block : problem.G.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const int row = block.first_row + r;
      const Side side = sides.guess[static_cast<std::size_t>(row)];
      if (side == Side::free) continue;
      const double bound = side == Side::lower ? sides.lower(row) : sides.upper(row);
      for (const BlockEntry& entry : problem.G.entries_of(block)) {
        const double* from = problem.G.entry_values(entry);
        double* to = reduced.G.entry_values(entry);
        for (int c = 0; c < entry.columns; ++c) {
          reduced.p(entry.column + c) += from[c * block.rows + r] * bound;
          to[c * block.rows + r] = 0.0;
        }
      }
      reduced.Sigma(row) = 1.0;
      reduced.b(row) = bound;
    }
  }
}

}  // namespace

int read_bounds(const StepProblem& problem, Sides& sides) {
  sides.lower.setConstant(problem.rows(), -infinity);
  sides.upper.setConstant(problem.rows(), infinity);
  sides.w.resize(problem.rows());
  sides.impulse.resize(problem.columns());
  int bounded = 0;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    if (std::holds_alternative<Equality>(problem.laws[i])) continue;
    auto lower = sides.lower.segment(block.first_row, block.rows);
    auto upper = sides.upper.segment(block.first_row, block.rows);
    if (const Box* box = std::get_if<Box>(&problem.laws[i])) {
      lower.setConstant(box->lower);
      upper.setConstant(box->upper);
    } else {
      lower.setZero();
    }
    bounded += block.rows;
  }
  check_guess(problem, sides);
  return bounded;
}

SolveReport solve_guess(const Direct& options, const StepProblem& problem, Sides& sides,
                        StepSolution& solution) {
  reduce(problem, sides);
  const SolveReport report = direct::solve_direct(options, sides.reduced, sides.direct, solution);
  if (report.ok()) compute_w(problem, solution, sides.w);
  return report;
}

void add_report(const SolveReport& part, SolveReport& whole) {
  whole.factorizations += part.factorizations;
  whole.work += part.work;
  whole.analysed = whole.analysed || part.analysed;
  whole.status = part.status;
  whole.end = part.end;
  whole.culprit_block = part.culprit_block;
}

void compute_w(const StepProblem& problem, const StepSolution& solution, VecX& w) {
  w.resize(problem.rows());
  multiply(problem.G, solution.u, w);
  w += problem.Sigma.cwiseProduct(solution.lambda) - problem.b;
}

void put_within_bounds(const StepProblem& problem, Sides& sides, StepSolution& solution) {
  solution.lambda = solution.lambda.cwiseMax(sides.lower).cwiseMin(sides.upper);
  multiply_transposed(problem.G, solution.lambda, sides.impulse);
  sides.impulse += problem.p;
  solution.u.resize(problem.columns());
  multiply_inverse(problem.M, sides.impulse, solution.u);
}

Smallest::Smallest(const StepSolution& solution)
    : impulse(relative * solution.lambda.lpNorm<Eigen::Infinity>()),
      fastest(solution.u.lpNorm<Eigen::Infinity>()) {}

double Smallest::speed(const StepProblem& problem, const StepSolution& solution,
                       Eigen::Index row) const {
  return relative * std::max({fastest, std::abs(problem.b(row)),
                              std::abs(problem.Sigma(row) * solution.lambda(row))});
}

Wishes find_wishes(const StepProblem& problem, const StepSolution& solution, Sides& sides) {
  const Smallest smallest(solution);
  sides.next = sides.guess;
  Wishes wishes;
  for (std::size_t i = 0; i < sides.guess.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double y = solution.lambda(at), w = sides.w(at);
    const double no_speed = smallest.speed(problem, solution, at);
    if (sides.guess[i] == Side::free && y < sides.lower(at) - smallest.impulse)
      sides.next[i] = Side::lower;
    else if (sides.guess[i] == Side::free && y > sides.upper(at) + smallest.impulse)
      sides.next[i] = Side::upper;
    else if ((sides.guess[i] == Side::lower && w < -no_speed) ||
             (sides.guess[i] == Side::upper && w > no_speed))
      sides.next[i] = Side::free;
    if (sides.next[i] == sides.guess[i]) continue;
    ++wishes.count;
    wishes.last = i;
  }
  return wishes;
}

}  // namespace ligament::pivoting
