// SPDX-License-Identifier: Apache-2.0
#include "papers/vi_2011/legs.h"

#include <stdexcept>

namespace ligament::papers::vi {

StepProblem make_problem(const Legs& legs) {
  constexpr double mass = 10.0, h = 0.01, gravity = 9.81;
  const Vec3 square = Vec3(1.2, 0.8, 0.3).cwiseAbs2();
  StepProblem problem;
  const int table = problem.M.add_block(6);
  problem.M.blocks.back().mass = mass;
  problem.M.blocks.back().rotation =
      mass / 12.0 *
      Mat3(Vec3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y())
               .asDiagonal());
  const std::vector<int> bodies{table};
  const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  for (const Vec3& foot : legs.feet) {
    problem.G.add_block(legs.rows, bodies, problem.M);
    double* values = problem.G.entry_values(problem.G.entries.back());
    for (int r = 0; r < legs.rows; ++r) {
      const Vec3 turn = (foot - legs.centre).cross(axes[r]);
      for (int c = 0; c < 3; ++c) {
        values[c * legs.rows + r] = axes[r](c);
        values[(c + 3) * legs.rows + r] = turn(c);
      }
    }
  }
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  problem.laws.assign(legs.feet.size(), legs.law);
  problem.p << legs.push, legs.turn;
  problem.p(2) -= h * mass * gravity;
  return problem;
}

void soften(const VecX& D, double s, StepProblem& problem) {
  problem.Sigma.setZero();
  VecX mobility;
  compute_row_mobility(problem, mobility);
  problem.Sigma = s * mobility.mean() * D;
}

StepSolution solve_legs(const Solver& solver, const StepProblem& problem) {
  SolverWorkspace workspace;
  StepSolution solution;
  const SolveReport report = solve(solver, problem, workspace, solution);
  if (report.status != SolveStatus::solved) throw std::runtime_error(name_of(report.status));
  return solution;
}

}  // namespace ligament::papers::vi
