// SPDX-License-Identifier: Apache-2.0
#include "papers/relaxed_2005/random_bounds.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "ligament/solvers/pivoting/block_pivot.h"

namespace ligament::papers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// 0 … count − 1.
int pick(int count, Chance& chance) { return static_cast<int>(chance.between(0.0, count)); }

void fill(Range Sigma, Chance& chance, StepProblem& problem) {
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  for (double& value : problem.G.values) value = chance.around_zero();
  for (double& value : problem.p) value = chance.around_zero();
  for (double& value : problem.b) value = chance.around_zero();
  for (double& value : problem.Sigma) value = chance.magnitude(Sigma.low, Sigma.high);
}

// A law for each block of rows, and their bounds written out.
BoundedProblem bound(StepProblem problem, Chance& chance) {
  BoundedProblem out{.problem = std::move(problem)};
  out.lower.setConstant(out.problem.rows(), -infinity);
  out.upper.setConstant(out.problem.rows(), infinity);
  for (std::size_t i = 0; i < out.problem.laws.size(); ++i) {
    const RowBlock& block = out.problem.G.blocks[i];
    const int kind = pick(3, chance);
    if (kind == 0) continue;
    const double low = kind == 1 ? 0.0 : -chance.between(0.0, 1.0);
    const double high = kind == 1 ? infinity : chance.between(0.0, 1.0);
    out.lower.segment(block.first_row, block.rows).setConstant(low);
    out.upper.segment(block.first_row, block.rows).setConstant(high);
    out.problem.laws[i] = kind == 1 ? Law(Unilateral{}) : Law(Box{.lower = low, .upper = high});
  }
  return out;
}

}  // namespace

double BoundedProblem::find_error(const StepSolution& found) const {
  const VecX w =
      make_dense(problem.G) * found.u + problem.Sigma.cwiseProduct(found.lambda) - problem.b;
  const VecX there = (found.lambda - w).cwiseMax(lower).cwiseMin(upper);
  return (there - found.lambda).lpNorm<Eigen::Infinity>();
}

BoundedProblem tie_masses(Range Sigma, Right right, Chance& chance) {
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
  fill(Sigma, chance, problem);
  if (right == Right::consistent) {
    VecX u(problem.columns());
    for (double& value : u) value = chance.around_zero();
    multiply(problem.G, u, problem.b);
  }
  return bound(std::move(problem), chance);
}

BoundedProblem draw_contradiction(int rows, double Sigma, Chance& chance) {
  StepProblem problem;
  std::vector<int> masses(static_cast<std::size_t>(rows / 6));
  std::iota(masses.begin(), masses.end(), 0);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    problem.M.add_block(3);
    problem.M.blocks.back().mass = 1.0;
  }
  for (int i = 0; i < rows / 3; ++i) problem.G.add_block(3, masses, problem.M);
  fill({Sigma, Sigma}, chance, problem);
  return bound(std::move(problem), chance);
}

double Pivoting::median() const {
  std::vector<double> sorted = factorizations;
  const auto middle = sorted.begin() + problems / 2;
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

Pivoting pivot_random_problems(int count, Range Sigma, Right right, Chance chance) {
  Pivoting out{.problems = count};
  for (int i = 0; i < count; ++i) {
    const BoundedProblem drawn = tie_masses(Sigma, right, chance);
    if (drawn.problem.rows() > drawn.problem.columns()) ++out.dependent;
    pivoting::BlockPivotWorkspace work;
    StepSolution found;
    const SolveReport report =
        solve_block_pivot({.pivots_per_row = 1000}, drawn.problem, work, found);
    if (report.status == SolveStatus::solved && report.iterations == 0) ++out.solved;
    if (work.single_pivots > 0) ++out.single;
    out.factorizations.push_back(report.factorizations);
    const double error = report.ok() ? drawn.find_error(found) : infinity;
    if (error > 1e-7) ++out.inexact;
    out.error = std::max(out.error, error);
  }
  return out;
}

}  // namespace ligament::papers
