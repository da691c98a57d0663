// SPDX-License-Identifier: Apache-2.0
#include "papers/relaxed_2005/random_bounds.h"

#include <algorithm>
#include <array>
#include <limits>

#include "ligament/ligament.h"

namespace ligament::papers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// 0 … count − 1.
int pick(int count, Chance& chance) { return static_cast<int>(chance.between(0.0, count)); }

StepProblem make_problem(Chance& chance) {
  StepProblem problem;
  const int masses = 2 + pick(9, chance), rows = 1 + pick(39, chance);
  for (int i = 0; i < masses; ++i) {
    problem.M.add_block(3);
    problem.M.blocks.back().mass = chance.magnitude(0.3, 3.0);
  }
  for (int i = 0; i < rows; ++i) {
    const int a = pick(masses, chance), b = (a + 1 + pick(masses - 1, chance)) % masses;
    problem.G.add_block(1, std::array{std::min(a, b), std::max(a, b)}, problem.M);
  }
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  for (double& value : problem.G.values) value = chance.around_zero();
  for (double& value : problem.p) value = chance.around_zero();
  for (double& value : problem.b) value = chance.around_zero();
  for (double& value : problem.Sigma) value = chance.magnitude(1e-6, 1.0);
  return problem;
}

// A law for each row, and its bounds written out.
struct Bounds {
  VecX lower, upper;

  Bounds(Chance& chance, StepProblem& problem)
      : lower(VecX::Constant(problem.rows(), -infinity)),
        upper(VecX::Constant(problem.rows(), infinity)) {
    for (int i = 0; i < problem.rows(); ++i) {
      Law& law = problem.laws[static_cast<std::size_t>(i)];
      const int kind = pick(3, chance);
      if (kind == 0) continue;
      lower(i) = kind == 1 ? 0.0 : -chance.between(0.0, 1.0);
      if (kind == 2) upper(i) = chance.between(0.0, 1.0);
      law = kind == 1 ? Law(Unilateral{}) : Law(Box{.lower = lower(i), .upper = upper(i)});
    }
  }
};

}  // namespace

Pivoting pivot_random_problems(int count, Chance chance) {
  Pivoting out{.problems = count};
  for (int i = 0; i < count; ++i) {
    StepProblem problem = make_problem(chance);
    const Bounds bounds(chance, problem);
    if (problem.rows() > problem.columns()) ++out.dependent;
    SolverWorkspace work;
    StepSolution found;
    const SolveReport report = solve(BlockPivot{}, problem, work, found);
    if (report.status == SolveStatus::solved) ++out.solved;
    out.factorizations.push_back(report.factorizations);
    const VecX w =
        make_dense(problem.G) * found.u + problem.Sigma.cwiseProduct(found.lambda) - problem.b;
    const VecX there = (found.lambda - w).cwiseMax(bounds.lower).cwiseMin(bounds.upper);
    out.error = std::max(out.error, (there - found.lambda).lpNorm<Eigen::Infinity>());
  }
  return out;
}

}  // namespace ligament::papers
