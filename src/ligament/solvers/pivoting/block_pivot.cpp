// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/pivoting/block_pivot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ligament::pivoting {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int patience = 10;  // block pivots without progress before single ones

// The bounds of every row. Returns how many rows have one.
int read_bounds(const StepProblem& problem, BlockPivotWorkspace& work) {
  work.lower.setConstant(problem.rows(), -infinity);
  work.upper.setConstant(problem.rows(), infinity);
  int bounded = 0;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    if (std::holds_alternative<Equality>(problem.laws[i])) continue;
    auto lower = work.lower.segment(block.first_row, block.rows);
    auto upper = work.upper.segment(block.first_row, block.rows);
    if (const Box* box = std::get_if<Box>(&problem.laws[i])) {
      lower.setConstant(box->lower);
      upper.setConstant(box->upper);
    } else {
      lower.setZero();
    }
    bounded += block.rows;
  }
  return bounded;
}

// A guess must fit the bounds: a row without a bound is free of it.
void check_guess(const StepProblem& problem, BlockPivotWorkspace& work) {
  const auto rows = static_cast<std::size_t>(problem.rows());
  work.sides.resize(rows, Side::free);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if ((work.sides[i] == Side::lower && work.lower(at) == -infinity) ||
        (work.sides[i] == Side::upper && work.upper(at) == infinity))
      work.sides[i] = Side::free;
  }
}

// The problem with the rows at bounds taken out: they read λ = bound, and the others find their
// impulse in p.                                                                          [BP.1]
void reduce(const StepProblem& problem, BlockPivotWorkspace& work) {
  StepProblem& reduced = work.reduced;
  reduced = problem;  // same sizes when warm: copies values, allocates nothing
  for (const RowBlock& block : problem.G.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const int row = block.first_row + r;
      const Side side = work.sides[static_cast<std::size_t>(row)];
      if (side == Side::free) continue;
      const double bound = side == Side::lower ? work.lower(row) : work.upper(row);
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

// Below these a law counts as kept: far above the rounding of a direct solve, far below what
// matters. A speed is measured against what its own row is made of: another one, of a stiff spring,
// may ask for speeds that nobody has.
constexpr double relative = 1e-10;

double smallest_impulse(const StepSolution& solution) {
  return relative * solution.lambda.lpNorm<Eigen::Infinity>();
}

double smallest_speed(const StepProblem& problem, const StepSolution& solution, double fastest,
                      Eigen::Index row) {
  return relative * std::max({fastest, std::abs(problem.b(row)),
                              std::abs(problem.Sigma(row) * solution.lambda(row))});
}

// The side that each row asks for. Returns how many ask for another, and the last of them.
struct Wishes {
  int count = 0;
  std::size_t last = 0;
};

Wishes find_wishes(const StepProblem& problem, const StepSolution& solution,
                   BlockPivotWorkspace& work) {
  const double no_impulse = smallest_impulse(solution);
  const double fastest = solution.u.lpNorm<Eigen::Infinity>();
  work.next = work.sides;
  Wishes wishes;
  for (std::size_t i = 0; i < work.sides.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double y = solution.lambda(at), w = work.w(at);
    const double no_speed = smallest_speed(problem, solution, fastest, at);
    if (work.sides[i] == Side::free && y < work.lower(at) - no_impulse)
      work.next[i] = Side::lower;
    else if (work.sides[i] == Side::free && y > work.upper(at) + no_impulse)
      work.next[i] = Side::upper;
    else if ((work.sides[i] == Side::lower && w < -no_speed) ||
             (work.sides[i] == Side::upper && w > no_speed))
      work.next[i] = Side::free;
    if (work.next[i] == work.sides[i]) continue;
    ++wishes.count;
    wishes.last = i;
  }
  return wishes;
}

// u and w of the given λ, which is put within its bounds.
void finish(const StepProblem& problem, BlockPivotWorkspace& work, StepSolution& solution) {
  solution.lambda = work.best.cwiseMax(work.lower).cwiseMin(work.upper);
  multiply_transposed(problem.G, solution.lambda, work.impulse);
  work.impulse += problem.p;
  multiply_inverse(problem.M, work.impulse, solution.u);
}

}  // namespace

SolveReport solve_block_pivot(const BlockPivot& options, const StepProblem& problem,
                              BlockPivotWorkspace& work, StepSolution& solution) {
  const int bounded = read_bounds(problem, work);
  check_guess(problem, work);
  work.w.resize(problem.rows());
  work.impulse.resize(problem.columns());

  SolveReport report;
  int fewest = std::numeric_limits<int>::max(), patience_left = patience;
  const int most = 2 * patience + options.pivots_per_row * bounded;
  while (report.factorizations < most) {
    reduce(problem, work);
    const SolveReport inner =
        direct::solve_direct({options.refinements}, work.reduced, work.direct, solution);
    report.factorizations += inner.factorizations;
    report.work += inner.work;
    report.analysed = report.analysed || inner.analysed;
    report.status = inner.status;
    report.culprit_block = inner.culprit_block;
    if (!inner.ok()) return report;
    multiply(problem.G, solution.u, work.w);
    work.w += problem.Sigma.cwiseProduct(solution.lambda) - problem.b;

    const Wishes wishes = find_wishes(problem, solution, work);
    if (wishes.count == 0) {
      solution.lambda = solution.lambda.cwiseMax(work.lower).cwiseMin(work.upper);
      return report;
    }
    if (wishes.count < fewest) {
      fewest = wishes.count;
      patience_left = patience;
      work.best = solution.lambda;
      work.sides = work.next;
    } else if (patience_left > 0) {
      --patience_left;
      work.sides = work.next;
    } else {
      work.sides[wishes.last] = work.next[wishes.last];  // [BP.2]
    }
  }
  finish(problem, work, solution);
  report.status = SolveStatus::not_converged;
  return report;
}

}  // namespace ligament::pivoting
