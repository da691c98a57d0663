// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/step_problem.h"

#include <Eigen/LU>
#include <algorithm>

namespace ligament {

void resize_to_structure(StepProblem& problem) {
  problem.p.setZero(problem.columns());
  problem.Sigma.setZero(problem.rows());
  problem.b.setZero(problem.rows());
  problem.laws.resize(problem.G.blocks.size());
}

bool has_only_equalities(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws,
                             [](const Law& law) { return std::holds_alternative<Equality>(law); });
}

bool has_only_bounds(const StepProblem& problem) {
  return std::ranges::none_of(problem.laws, [](const Law& law) {
    return std::holds_alternative<Disc>(law) || std::holds_alternative<Cone>(law) ||
           std::holds_alternative<Coulomb>(law);
  });
}

bool has_given_bounds(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws, [](const Law& law) { return normal_row_of(law) < 0; });
}

void compute_row_mobility(const StepProblem& problem, VecX& out) {
  out = problem.Sigma;
  for (const RowBlock& block : problem.G.blocks) {
    double* sums = out.data() + block.first_row;
    const auto rows = static_cast<std::size_t>(block.rows);
    for (const BlockEntry& entry : problem.G.entries_of(block)) {
      const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
      const double* x = problem.G.entry_values(entry);  // columns, one after the other
      const double *y = x + rows, *z = y + rows;
      const double inverse_mass = 1.0 / body.mass;
      for (std::size_t r = 0; r < rows; ++r)
        sums[r] += inverse_mass * (x[r] * x[r] + y[r] * y[r] + z[r] * z[r]);
      if (body.size == 3) continue;
      const Mat3 A = body.rotation.inverse();
      x += 3 * rows, y += 3 * rows, z += 3 * rows;
      for (std::size_t r = 0; r < rows; ++r)
        sums[r] += A(0, 0) * x[r] * x[r] + A(1, 1) * y[r] * y[r] + A(2, 2) * z[r] * z[r] +
                   (A(0, 1) + A(1, 0)) * x[r] * y[r] + (A(0, 2) + A(2, 0)) * x[r] * z[r] +
                   (A(1, 2) + A(2, 1)) * y[r] * z[r];
    }
  }
}

}  // namespace ligament
