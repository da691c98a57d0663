// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/newton/newton.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/cones.h"
#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/newton/linear_laws.h"

namespace ligament::newton {
namespace {

constexpr int patience = 4;            // steps of Newton without progress before a batch of sweeps
constexpr double nearly_right = 1e-6;  // velocity error of a guess that settles
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

// The velocity error of the impulses nearest to the iterate's that the laws admit, which become the
// candidate.
VelocityError judge(const StepProblem& problem, NewtonWorkspace& work) {
  StepSolution& x = work.candidate;
  x.lambda = work.iterate.lambda;
  admit(problem, x.lambda);
  return judge_impulses(problem, x, work.scratch);
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
    if (report.analysed) work.kept.forget();
    work.kept.reserve(problem, work.rows);
    // s of every block: the largest mobility of its rows.
    work.s.resize(problem.rows());
    for (const RowBlock& block : problem.G.blocks)
      work.s.segment(block.first_row, block.rows)
          .setConstant(work.rows.mobility.segment(block.first_row, block.rows).maxCoeff());
  } catch (const direct::PlanTooLarge&) {
    work.factor.reset();
    return false;
  }
  return true;
}

void count_factorization(NewtonWorkspace& work, SolveReport& report) {
  ++report.factorizations;
  const double cost = work.factor->plan.work * (work.rows.symmetric ? 1.0 : 2.0);
  report.work += cost;
  work.spent += cost;
}

// The laws that touch those of the problem at the iterate.
void linearize_at_iterate(const StepProblem& problem, NewtonWorkspace& work) {
  multiply(problem.G, work.iterate.u, work.w);
  work.w += problem.Sigma.cwiseProduct(work.iterate.lambda) - problem.b;
  linearize(problem, work.iterate.lambda, work.w, work.s, work.rows);
}

// One step of Newton's method from the iterate. False if the factorization broke down.
bool take_newton_step(const StepProblem& problem, NewtonWorkspace& work, SolveReport& report) {
  linearize_at_iterate(problem, work);
  count_factorization(work, report);
  if (factorize_condensed(problem, work.rows, *work.factor) >= 0) return false;
  solve_condensed(problem, work.rows, *work.factor, work.iterate);
  return work.iterate.lambda.allFinite();
}

// One solve: the best impulses so far, and the ways to better ones.
struct Search {
  const Newton& options;
  const StepProblem& problem;
  NewtonWorkspace& work;
  StepSolution& solution;
  SolveReport report;
  // Of two results the one with the smaller gap is better: it is an error of the velocities, in
  // joules, where the relative one forgives impulses that are far too large.
  VelocityError best = worst_velocity_error;

  bool is_good() const { return best.relative() <= options.tolerance; }
  bool is_affordable() const {
    return work.spent < options.max_work && report.iterations < options.max_iterations;
  }

  // The gap of the iterate, which is kept if it is the best.
  double judge_and_keep() {
    const VelocityError error = judge(problem, work);
    report.history.add(error.relative());
    if (error.gap < best.gap) {
      best = error;
      solution = work.candidate;
    }
    return error.gap;
  }

  // Newton's method [NE.1] until it ends or has not halved the error for a few steps.
  void take_newton_steps() {
    double reference = best.gap;
    for (int left = patience; left > 0 && !is_good() && is_affordable();) {
      ++report.iterations;
      if (!take_newton_step(problem, work, report)) return;
      const double gap = judge_and_keep();
      --left;
      if (!(gap < 0.25 * reference)) continue;  // half the error
      reference = gap;
      left = patience;
    }
  }

  // A guess that is nearly right has the right states: what it lacks is small, and is found to
  // rounding by a solve or two from there.                                                [NE.5]
  void settle() {
    ++report.iterations;
    linearize_at_iterate(problem, work);
    const KeptFactor::Made made = work.kept.update(problem, work.rows, *work.factor);
    if (made != KeptFactor::Made::kept) count_factorization(work, report);
    if (made == KeptFactor::Made::broken_down) return;
    refine_condensed(problem, work.rows, *work.factor, work.iterate);
    judge_and_keep();
  }

  // At most `count` steps of the primal method from the best impulses.                    [NE.4]
  void take_primal_steps(int count) {
    work.iterate = solution;
    count_factorization(work, report);
    if (!work.primal.start(problem, work.rows, *work.factor, work.iterate)) return;
    for (int i = 0; i < count && !is_good() && is_affordable(); ++i) {
      ++report.iterations;
      count_factorization(work, report);
      if (!work.primal.advance(problem, work.rows, *work.factor, work.iterate)) return;
      judge_and_keep();
    }
  }

  // A batch of sweeps from the best impulses.                                             [NE.3]
  void sweep(int count) {
    work.iterate = solution;
    const SolveReport inner = gauss_seidel::solve_gauss_seidel(
        {.max_sweeps = count, .tolerance = options.tolerance}, problem, work.sweeps, work.iterate);
    report.work += inner.work;
    judge_and_keep();
  }
};

}  // namespace

SolveReport solve_newton(const Newton& options, const StepProblem& problem, NewtonWorkspace& work,
                         StepSolution& solution) {
  Search search{options, problem, work, solution, {}};
  SolveReport& report = search.report;
  report.status = SolveStatus::not_converged;
  const bool guessed = solution.lambda.size() == problem.rows() && solution.lambda.allFinite();
  if (guessed)
    work.iterate.lambda = solution.lambda;
  else
    work.iterate.lambda.setZero(problem.rows());
  search.judge_and_keep();
  solution = work.iterate = work.candidate;
  const bool fits = search.is_good() || prepare(problem, work, report);
  const bool primal = fits && suits_primal(problem);

  work.spent = 0.0;
  if (fits && !search.is_good()) {
    if (search.best.relative() < nearly_right && search.is_affordable()) search.settle();
    if (!search.is_good()) work.kept.forget();  // others use the factor now
    work.iterate = solution;
  }
  int batch = first_batch, sweeps_left = options.max_sweeps;
  while (!search.is_good() && report.iterations < options.max_iterations) {
    const bool affordable = fits && search.is_affordable();
    if (affordable) search.take_newton_steps();
    if (search.is_good()) break;
    if (primal && search.is_affordable()) {
      search.take_primal_steps(batch);
    } else {
      if (sweeps_left == 0) break;
      // What is left at once if there is nothing but sweeps.
      const int count = std::min(affordable ? batch : sweeps_left, sweeps_left);
      search.sweep(count);
      sweeps_left -= count;
    }
    batch = std::min(2 * batch, 1 << 14);
  }
  // What nothing makes smaller is rounding, if it is four times its estimate at the most: a
  // velocity is the sum of what several contacts do, and the estimate counts one.
  if (search.best.gap <= 16.0 * search.best.rounding) search.best.rounding = search.best.gap;
  report.velocity_error = search.best.relative();
  if (search.is_good()) report.status = SolveStatus::solved;
  report.end = search.is_good()                              ? SolveEnd::reached
               : !fits                                       ? SolveEnd::memory
               : report.iterations == options.max_iterations ? SolveEnd::iterations
               : !search.is_affordable()                     ? SolveEnd::work
                                                             : SolveEnd::stalled;
  return report;
}

}  // namespace ligament::newton
