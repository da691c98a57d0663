// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/residual.h"

#include <cmath>

#include "ligament/math/worst.h"

namespace ligament {
namespace {

// rows holds −w on entry and r on exit for the blocks whose law is not an equality.  [WA.4]
void apply_laws(const StepProblem& problem, const StepSolution& solution, Residual& out) {
  compute_row_mobility(problem, out.scratch);
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    if (std::holds_alternative<Equality>(problem.laws[i])) continue;
    const RowBlock& block = problem.G.blocks[i];
    const double s = out.scratch.segment(block.first_row, block.rows).maxCoeff();
    const auto lambda = solution.lambda.segment(block.first_row, block.rows);
    auto r = out.rows.segment(block.first_row, block.rows);
    r = lambda + r / s;
    project(problem.laws[i], r);
    r = (r - lambda) * s;
  }
}

}  // namespace

void compute_residual(const StepProblem& problem, const StepSolution& solution, Residual& out) {
  out.momentum.resize(problem.columns());
  out.impulse.resize(problem.columns());
  out.rows.resize(problem.rows());
  multiply_transposed(problem.G, solution.lambda, out.impulse);
  multiply(problem.M, solution.u, out.momentum);
  out.momentum = problem.p - out.momentum + out.impulse;
  multiply(problem.G, solution.u, out.rows);
  out.rows = problem.b - out.rows - problem.Sigma.cwiseProduct(solution.lambda);
  if (!has_only_equalities(problem)) apply_laws(problem, solution, out);

  out.momentum_max =
      out.momentum.size() ? out.momentum.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.0;
  Worst worst;
  for (int i = 0; i < problem.rows(); ++i) worst.add(std::abs(out.rows(i)), i);
  out.row_max = worst.size;
  out.worst_row = worst.index;
  out.injected_energy = -solution.lambda.dot(out.rows);
}

}  // namespace ligament
