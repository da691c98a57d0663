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
    for (const BlockEntry& entry : problem.G.entries_of(block)) {
      const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>> G_b(
          problem.G.entry_values(entry), block.rows, entry.columns);
      out.segment(block.first_row, block.rows) +=
          G_b.leftCols<3>().rowwise().squaredNorm() / body.mass;
      if (body.size == 3) continue;
      const Mat3 inverse = body.rotation.inverse();
      for (int r = 0; r < block.rows; ++r) {
        const Vec3 axis = G_b.rightCols<3>().row(r).transpose();
        out(block.first_row + r) += axis.dot(inverse * axis);
      }
    }
  }
}

}  // namespace ligament
