// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/direct.h"

namespace ligament::direct {
namespace {

// One step of iterative refinement: solve for the residuals, add.
void refine(const StepProblem& problem, DirectWorkspace& work, StepSolution& solution) {
  work.momentum.resize(problem.columns());
  work.rows.resize(problem.rows());
  multiply_transposed(problem.G, solution.lambda, work.momentum);
  work.momentum += problem.p;
  multiply(problem.G, solution.u, work.rows);
  work.rows = problem.b - work.rows - problem.Sigma.cwiseProduct(solution.lambda);
  for (const BodyBlock& body : problem.M.blocks) {
    work.momentum.segment<3>(body.offset) -= body.mass * solution.u.segment<3>(body.offset);
    if (body.size == 6)
      work.momentum.segment<3>(body.offset + 3) -=
          body.rotation * solution.u.segment<3>(body.offset + 3);
  }
  solve_factored(problem, work.momentum, work.rows, *work.factor, work.correction);
  solution.u += work.correction.u;
  solution.lambda += work.correction.lambda;
}

}  // namespace

SolveReport solve_direct(const Direct& options, const StepProblem& problem, DirectWorkspace& work,
                         StepSolution& solution) {
  SolveReport report;
  if (!work.factor || !same_structure(work.factor->plan.structure, problem.G) ||
      work.factor->plan.is_hub.size() != problem.M.blocks.size()) {
    report.analysed = true;
    try {
      work.factor.emplace();
      work.factor->plan = make_plan(problem.M, problem.G);
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
  solve_factored(problem, problem.p, problem.b, factor, solution);
  for (int i = 0; i < options.refinements; ++i) refine(problem, work, solution);
  report.status = SolveStatus::solved;
  return report;
}

}  // namespace ligament::direct
