// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/pivoting/friction_bounds.h"

#include <algorithm>
#include <cmath>

namespace ligament::pivoting {

SolveReport solve_friction_bounds(const BlockPivot& options, const StepProblem& problem,
                                  FrictionBoundsWorkspace& work, StepSolution& solution) {
  constexpr double settled = 1e-9;
  work.bounded = problem;
  if (solution.lambda.size() == problem.rows() && solution.lambda.allFinite())
    work.lambda = solution.lambda;
  else
    work.lambda.setZero(problem.rows());

  SolveReport report;
  for (int pass = 0; pass < options.passes; ++pass) {
    for (std::size_t i = 0; i < problem.laws.size(); ++i)
      if (normal_row_of(problem.laws[i]) >= 0)
        work.bounded.laws[i] = bounded_by(work.lambda, problem.laws[i]);
    const SolveReport inner = solve_block_pivot(options, work.bounded, work.pivoting, solution);
    add_report(inner, report);
    ++report.iterations;
    if (!inner.ok()) return report;
    double change = 0.0, largest = 0.0;
    for (const Law& law : problem.laws) {
      const int normal = normal_row_of(law);
      if (normal < 0) continue;
      change = std::max(change, std::abs(solution.lambda(normal) - work.lambda(normal)));
      largest = std::max(largest, std::abs(solution.lambda(normal)));
    }
    if (change <= settled * largest) return report;
    work.lambda = solution.lambda;
  }
  report.status = SolveStatus::not_converged;
  report.end = SolveEnd::iterations;
  return report;
}

}  // namespace ligament::pivoting
