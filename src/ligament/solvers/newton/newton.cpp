// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/newton/newton.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/cones.h"
#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/newton/linear_laws.h"

namespace ligament::newton {
namespace {

constexpr int patience = 4;      // steps of Newton without progress before a batch of sweeps
constexpr int first_batch = 16;  // sweeps of the first batch; each has twice as many as the last

// λ ← impulses that the laws admit: normal ones first, then those that they bound.
void admit(const StepProblem& problem, VecX& lambda) {
  for (const bool bounded_by_others : {false, true})
    for (std::size_t i = 0; i < problem.laws.size(); ++i) {
      const Law& law = problem.laws[i];
      const RowBlock& block = problem.G.blocks[i];
      if (std::holds_alternative<Equality>(law)) continue;
      if (bounded_by_others != (normal_row_of(law) >= 0)) continue;
      auto x = lambda.segment(block.first_row, block.rows);
      if (const Coulomb* coulomb = std::get_if<Coulomb>(&law)) {
        x(0) = std::max(0.0, x(0));
        project_onto_disc(coulomb->mu * x(0), x.tail(block.rows - 1));
      } else {
        project(bounded_by(lambda, law), x);
      }
    }
}

// The relative velocity error of the impulses nearest to the iterate's that the laws admit, which
// become the candidate.
double judge(const StepProblem& problem, NewtonWorkspace& work) {
  StepSolution& x = work.candidate;
  x.lambda = work.iterate.lambda;
  admit(problem, x.lambda);
  x.u.resize(problem.columns());
  work.scratch.resize(problem.columns());
  multiply_transposed(problem.G, x.lambda, work.scratch);
  work.scratch += problem.p;
  multiply_inverse(problem.M, work.scratch, x.u);
  return compute_velocity_error(problem, x, work.scratch).relative();
}

// Which rows are condensed, and the plan for them. False if the factor would not fit.
bool prepare(const StepProblem& problem, NewtonWorkspace& work, SolveReport& report) {
  work.w.resize(problem.rows());
  auto& condensed = work.rows.condensation.condensed;
  condensed.resize(problem.laws.size());
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    condensed[i] = !std::holds_alternative<Equality>(problem.laws[i]);
  try {
    report.analysed = update_plan(problem, work.rows, work.factor);
  } catch (const direct::PlanTooLarge&) {
    work.factor.reset();
    return false;
  }
  return true;
}

// One step of Newton's method from the iterate. False if the factorization broke down.
bool take_newton_step(const StepProblem& problem, NewtonWorkspace& work, SolveReport& report) {
  multiply(problem.G, work.iterate.u, work.w);
  work.w += problem.Sigma.cwiseProduct(work.iterate.lambda) - problem.b;
  linearize(problem, work.iterate.lambda, work.w, work.rows);
  ++report.factorizations;
  const double cost = work.factor->plan.work * (work.rows.symmetric ? 1.0 : 2.0);
  report.work += cost;
  work.spent += cost;
  if (factorize_condensed(problem, work.rows, *work.factor) >= 0) return false;
  solve_condensed(problem, work.rows, *work.factor, work.iterate);
  return work.iterate.lambda.allFinite();
}

// A batch of sweeps from the best impulses so far.  [NE.3]
void sweep(const StepProblem& problem, int count, double tolerance, const StepSolution& from,
           NewtonWorkspace& work, SolveReport& report) {
  work.iterate = from;
  const SolveReport inner = gauss_seidel::solve_gauss_seidel(
      {.max_sweeps = count, .tolerance = tolerance}, problem, work.sweeps, work.iterate);
  report.work += inner.work;
}

}  // namespace

SolveReport solve_newton(const Newton& options, const StepProblem& problem, NewtonWorkspace& work,
                         StepSolution& solution) {
  SolveReport report;
  report.status = SolveStatus::not_converged;
  const bool guessed = solution.lambda.size() == problem.rows() && solution.lambda.allFinite();
  if (guessed)
    work.iterate.lambda = solution.lambda;
  else
    work.iterate.lambda.setZero(problem.rows());
  double best = judge(problem, work);
  solution = work.iterate = work.candidate;
  report.history.add(best);
  const auto is_good = [&] { return best <= options.tolerance; };
  const auto keep = [&](double error) {
    report.history.add(error);
    if (!(error < best)) return;
    best = error;
    solution = work.candidate;
  };
  const bool fits = is_good() || prepare(problem, work, report);

  int batch = first_batch, left = patience, sweeps_left = options.max_sweeps;
  double reference = best;
  work.spent = 0.0;
  while (!is_good() && report.iterations < options.max_iterations) {
    ++report.iterations;
    double error = std::numeric_limits<double>::quiet_NaN();
    const bool affordable = fits && work.spent < options.max_work;
    if (affordable && take_newton_step(problem, work, report)) {
      error = judge(problem, work);
      keep(error);
      --left;
    } else {
      left = 0;
    }
    if (error < 0.5 * reference) {
      reference = error;
      left = patience;
    } else if (left <= 0) {
      if (sweeps_left == 0) break;
      // What is left at once if there is nothing but sweeps.
      const int count = std::min(affordable ? batch : sweeps_left, sweeps_left);
      sweep(problem, count, options.tolerance, solution, work, report);
      reference = judge(problem, work);
      keep(reference);
      sweeps_left -= count;
      batch = std::min(2 * batch, 1 << 14);
      left = patience;
    }
  }
  report.velocity_error = best;
  if (is_good()) report.status = SolveStatus::solved;
  return report;
}

}  // namespace ligament::newton
