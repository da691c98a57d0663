// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/pivoting/block_pivot.h"

#include <limits>

namespace ligament::pivoting {
namespace {

constexpr int patience = 10;  // block pivots without progress before single ones

// What pivoting did not end on. Projected Newton needs an objective, which only a symmetric
// problem has: of others the best guess is the result.
void finish(const BlockPivot& options, const StepProblem& problem, BlockPivotWorkspace& work,
            StepSolution& solution, SolveReport& report) {
  solution.lambda = work.best;
  put_within_bounds(problem, work.sides, solution);
  report.status = SolveStatus::not_converged;
  report.end = SolveEnd::iterations;
  if (!problem.M.is_symmetric()) return;
  const SolveReport newton = solve_projected_newton({.refinements = options.refinements}, problem,
                                                    work.sides, work.newton, solution);
  add_report(newton, report);
  report.iterations = newton.iterations;
  report.velocity_error = newton.velocity_error;
}

}  // namespace

SolveReport solve_block_pivot(const BlockPivot& options, const StepProblem& problem,
                              BlockPivotWorkspace& work, StepSolution& solution) {
  Sides& sides = work.sides;
  const int bounded = read_bounds(problem, sides);
  work.single_pivots = 0;
  work.newton.reserve(problem);

  SolveReport report;
  int fewest = std::numeric_limits<int>::max(), patience_left = patience;
  const int most = 2 * patience + options.pivots_per_row * bounded;
  while (report.factorizations < most) {
    add_report(solve_guess({options.refinements}, problem, sides, solution), report);
    if (!report.ok()) return report;

    const Wishes wishes = find_wishes(problem, solution, sides);
    if (wishes.count == 0) {
      solution.lambda = solution.lambda.cwiseMax(sides.lower).cwiseMin(sides.upper);
      return report;
    }
    if (wishes.count < fewest) {
      fewest = wishes.count;
      patience_left = patience;
      work.best = solution.lambda;
      sides.guess = sides.next;
    } else if (patience_left > 0) {
      --patience_left;
      sides.guess = sides.next;
    } else {
      ++work.single_pivots;
      sides.guess[wishes.last] = sides.next[wishes.last];  // [BP.2]
    }
  }
  finish(options, problem, work, solution, report);
  return report;
}

}  // namespace ligament::pivoting
