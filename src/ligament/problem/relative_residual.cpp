// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/relative_residual.h"

#include "ligament/problem/residual.h"

namespace ligament {

double compute_relative_residual(const StepProblem& problem, const StepSolution& solution) {
  Residual residual;
  compute_residual(problem, solution, residual);
  compute_row_mobility(problem, residual.mobility);
  for (const RowBlock& block : problem.G.blocks)
    residual.rows.segment(block.first_row, block.rows) /=
        residual.mobility.segment(block.first_row, block.rows).maxCoeff();
  return residual.rows.norm() / solution.lambda.norm();
}

}  // namespace ligament
