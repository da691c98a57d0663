// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/pivoting/projected_newton.h"

#include <algorithm>

#include "ligament/problem/velocity_error.h"

namespace ligament::pivoting {
namespace {

constexpr double enough = 1e-4;       // Armijo: of the descent that the gradient promises
constexpr double shortest = 0x1p-40;  // part of a step below which rounding rules

// A row is held if it is at its bound and w would push it out.
void hold_rows(const StepProblem& problem, const StepSolution& at, const VecX& w, Sides& sides) {
  const Smallest smallest(at);
  for (std::size_t i = 0; i < sides.guess.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double no_speed = smallest.speed(problem, at, row), y = at.lambda(row);
    sides.guess[i] = Side::free;
    if (y <= sides.lower(row) && w(row) >= -no_speed)
      sides.guess[i] = Side::lower;
    else if (y >= sides.upper(row) && w(row) <= no_speed)
      sides.guess[i] = Side::upper;
  }
}

// From `at` towards the target along the arc P(λ + α d), d = target − λ, by halves until φ falls
// enough. Returns false if it does not.                                                  [BP.5]
bool search_arc(const StepProblem& problem, Sides& sides, ProjectedNewtonWorkspace& work,
                StepSolution& at) {
  const double slope = work.w.dot(work.target.lambda - at.lambda);
  if (!(slope < 0.0)) return false;
  for (double alpha = 1.0; alpha >= shortest; alpha *= 0.5) {
    work.trial.lambda = at.lambda + alpha * (work.target.lambda - at.lambda);
    put_within_bounds(problem, sides, work.trial);
    compute_w(problem, work.trial, sides.w);
    // φ is quadratic: its change is the mean of both gradients along the way, without the
    // cancellation of two large values.
    const double change = 0.5 * (work.trial.lambda - at.lambda).dot(work.w + sides.w);
    if (change > enough * alpha * slope) continue;
    at.lambda = work.trial.lambda;
    at.u = work.trial.u;
    work.w = sides.w;
    return true;
  }
  return false;
}

}  // namespace

void ProjectedNewtonWorkspace::reserve(const StepProblem& problem) {
  for (VecX* x : {&w, &target.lambda, &trial.lambda}) x->resize(problem.rows());
  for (VecX* x : {&target.u, &trial.u}) x->resize(problem.columns());
  scratch.resize(std::max(problem.rows(), problem.columns()));
}

SolveReport solve_projected_newton(const ProjectedNewton& options, const StepProblem& problem,
                                   Sides& sides, ProjectedNewtonWorkspace& work,
                                   StepSolution& solution) {
  SolveReport report;
  compute_w(problem, solution, work.w);
  while (report.factorizations < options.max_factorizations) {
    hold_rows(problem, solution, work.w, sides);
    add_report(solve_guess({options.refinements}, problem, sides, work.target), report);
    if (!report.ok()) break;  // the iterate is still good
    ++report.iterations;
    if (find_wishes(problem, work.target, sides).count == 0) {
      solution.lambda = work.target.lambda.cwiseMax(sides.lower).cwiseMin(sides.upper);
      solution.u = work.target.u;
      return report;
    }
    if (!search_arc(problem, sides, work, solution)) break;
  }
  report.status = SolveStatus::not_converged;
  report.end =
      report.factorizations < options.max_factorizations ? SolveEnd::stalled : SolveEnd::iterations;
  report.culprit_block = -1;
  report.velocity_error = compute_velocity_error(problem, solution, work.scratch).relative();
  return report;
}

}  // namespace ligament::pivoting
