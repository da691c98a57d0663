// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/interior/interior_point.h"

#include <algorithm>
#include <cmath>

#include "ligament/problem/velocity_error.h"

namespace ligament::interior {
namespace {

constexpr int patience = 5;         // iterations in which there must be progress
constexpr double progress = 0.98;   // what is left of gap, product or error after them, at most
constexpr double hand_over = 1e-7;  // velocity error at which Newton takes over            [IP.6]
constexpr int polishing_steps = 60;
constexpr int stretch = 8;           // of the path between two tries of Newton, if lifts are held
constexpr int polishing_tries = 12;  // steps of such a try

// Coulomb's law with the lift, and bounds with the impulses, that a candidate gives them. [IP.7]
void hold(const StepProblem& problem, const StepSolution& candidate, VecX& w, StepProblem& convex) {
  convex.b = problem.b;
  w.resize(problem.rows());
  multiply(problem.G, candidate.u, w);
  w += problem.Sigma.cwiseProduct(candidate.lambda) - problem.b;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    convex.laws[i] = bounded_by(candidate.lambda, problem.laws[i]);
    const Coulomb* law = std::get_if<Coulomb>(&problem.laws[i]);
    if (!law) continue;
    const RowBlock& block = problem.G.blocks[i];
    convex.b(block.first_row) -= law->mu * w.segment(block.first_row + 1, block.rows - 1).norm();
    convex.laws[i] = Cone{law->mu};
  }
}

// The best impulses so far, and what they are worth.
struct Search {
  const InteriorPoint& options;
  const StepProblem& problem;
  InteriorPointWorkspace& work;
  StepSolution& solution;
  SolveReport report;
  bool convex = false;
  VelocityError best = worst_velocity_error;
  // When there last was progress. Where bodies overlap and hardly give way the impulses of the end
  // are 1/s times those of the start: the product grows before it falls, and the gap falls slowly
  // while the velocities that it is compared with come to their size.
  double last_gap = best.gap, last_product = best.gap, last_relative = best.gap;

  const StepProblem& held() const { return convex ? problem : work.convex; }
  bool is_good() const { return best.relative() <= options.tolerance; }

  // The error of x, which is kept if it is the best.
  VelocityError keep(const StepSolution& x) {
    const VelocityError error = compute_velocity_error(problem, x, work.scratch);
    report.history.add(error.relative());
    if (error.gap < best.gap) {
      best = error;
      solution = x;
    }
    return error;
  }

  // Along the central path for at most `count` iterations, or until the error is `enough`. Lifts
  // and bounds are taken anew before each [IP.7]. Returns whether there is more to be had.
  bool follow_path(int count, double enough) {
    int left = patience;
    for (int i = 0; i < count && report.iterations < options.max_iterations; ++i) {
      if (!convex) hold(problem, work.path.iterate(), work.w, work.convex);
      if (!work.path.advance(held())) return false;
      ++report.iterations;
      const VelocityError error = keep(work.path.iterate());
      if (error.relative() <= enough) return true;
      const double product = work.path.mean_product();
      const bool gains = error.gap < progress * last_gap || product < progress * last_product ||
                         error.relative() < progress * last_relative;
      if (!gains && --left == 0) return false;
      if (!gains) continue;
      left = patience;
      last_gap = std::min(last_gap, error.gap);
      last_product = std::min(last_product, product);
      last_relative = std::min(last_relative, error.relative());
    }
    return true;
  }

  // Newton's method on the laws themselves, from the given impulses.                      [IP.6]
  void polish(const StepSolution& from, int steps, int sweeps = 0) {
    work.polished = from;
    const SolveReport newton = newton::solve_newton(
        {.max_iterations = steps, .tolerance = options.tolerance, .max_sweeps = sweeps}, problem,
        work.newton, work.polished);
    report.factorizations += newton.factorizations;
    report.work += newton.work;
    report.iterations += newton.iterations;
    keep(work.polished);
  }
};

}  // namespace

SolveReport solve_interior_point(const InteriorPoint& options, const StepProblem& problem,
                                 InteriorPointWorkspace& work, StepSolution& solution) {
  Search search{.options = options,
                .problem = problem,
                .work = work,
                .solution = solution,
                .report = {},
                .convex = has_convex_laws(problem)};
  SolveReport& report = search.report;
  report.status = SolveStatus::not_converged;
  search.polish(solution, 0);  // the guess may do
  solution = work.polished;
  if (search.is_good()) {
    report.status = SolveStatus::solved;
    report.velocity_error = search.best.relative();
    return report;
  }
  try {
    report.analysed = work.path.prepare(problem);
  } catch (const direct::PlanTooLarge&) {
    report.status = SolveStatus::too_large;
    return report;
  }
  if (!search.convex) {
    work.convex = problem;
    hold(problem, solution, work.w, work.convex);
  }
  bool moving = work.path.start(search.held());
  for (double enough = hand_over; moving && !search.is_good(); enough *= 1e-2) {
    moving = search.follow_path(search.convex ? options.max_iterations : stretch, enough) &&
             report.iterations < options.max_iterations;
    if (!search.is_good())
      search.polish(solution, search.convex ? polishing_steps : polishing_tries);
  }
  // The lifts may not settle where friction is strong.
  if (!search.is_good() && !search.convex && options.max_sweeps > 0)
    search.polish(solution, polishing_steps, options.max_sweeps);
  report.factorizations += work.path.factorizations();
  report.work += work.path.work();
  report.velocity_error = search.best.relative();
  if (search.is_good()) report.status = SolveStatus::solved;
  report.end = search.is_good()                              ? SolveEnd::reached
               : report.iterations >= options.max_iterations ? SolveEnd::iterations
                                                             : SolveEnd::stalled;
  return report;
}

}  // namespace ligament::interior
