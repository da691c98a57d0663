// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/direct.h"

namespace ligament::direct {
namespace {

void solve_and_refine(const Direct& options, const StepProblem& problem, Factorization& factor,
                      StepSolution& solution) {
  solve_factored(problem, factor, solution);
  for (int i = 0; i < options.refinements; ++i) refine_factored(problem, factor, solution);
}

}  // namespace

SolveReport solve_direct(const Direct& options, const StepProblem& problem, DirectWorkspace& work,
                         StepSolution& solution) {
  SolveReport report;
  if (!work.factor || !fits(work.factor->plan, problem.M, problem.G)) {
    report.analysed = true;
    try {
      if (!work.factor) work.factor.emplace();
      build_plan(problem.M, problem.G, {}, work.factor->plan);
    } catch (const PlanTooLarge&) {
      work.factor.reset();
      report.status = SolveStatus::too_large;
      return report;
    }
  }
  Factorization& factor = *work.factor;
  report.factorizations = 1;
  report.work = factor.plan.work * (problem.M.is_symmetric() ? 1.0 : 2.0) +
                2.0 * factor.plan.values * (1 + options.refinements);
  const int broken = factorize(problem, factor);
  if (broken >= 0) {
    const Node& node = factor.plan.nodes[static_cast<std::size_t>(broken)];
    if (!node.hub) report.culprit_block = node.source;
    report.status = SolveStatus::singular;
    return report;
  }
  solve_and_refine(options, problem, factor, solution);
  report.status = SolveStatus::solved;
  return report;
}

SolveReport solve_direct_again(const Direct& options, const StepProblem& problem,
                               DirectWorkspace& work, StepSolution& solution) {
  SolveReport report;
  solve_and_refine(options, problem, *work.factor, solution);
  report.work = 2.0 * work.factor->plan.values * (1 + options.refinements);
  report.status = SolveStatus::solved;
  return report;
}

}  // namespace ligament::direct
