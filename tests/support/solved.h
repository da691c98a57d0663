// SPDX-License-Identifier: Apache-2.0
// Solves from nothing and compares results: what the tests of solvers share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ligament/solvers/solver.h"

namespace ligament {

struct Solved {
  SolveReport report;
  StepSolution solution;
};

inline Solved solve_cold(const Solver& solver, const StepProblem& problem) {
  Solved solved;
  SolverWorkspace workspace;
  solved.report = solve(solver, problem, workspace, solved.solution);
  return solved;
}

// ‖u‖_M.
inline double norm_in(const BlockDiagonal& M, const VecX& u) {
  VecX Mu(u.size());
  multiply(M, u, Mu);
  return std::sqrt(u.dot(Mu));
}

// Velocities of two solutions agree to what their errors [WA.8] allow.
inline void expect_same_velocities(const StepProblem& problem, const Solved& a, const Solved& b) {
  ASSERT_EQ(a.report.status, SolveStatus::solved);
  ASSERT_EQ(b.report.status, SolveStatus::solved);
  VecX free(problem.columns());
  multiply_inverse(problem.M, problem.p, free);
  const double scale = norm_in(problem.M, a.solution.u - free);
  // The report says 0 below the rounding of the gap, 1e-16 J, that is 1e-8 of a velocity; direct
  // solvers say nothing and have nothing but rounding.
  const auto error_of = [](const Solved& solved) {
    const double error = solved.report.velocity_error;
    return std::isnan(error) ? 1e-10 : std::max(error, 1e-8);
  };
  EXPECT_LE(norm_in(problem.M, a.solution.u - b.solution.u), (error_of(a) + error_of(b)) * scale);
}

}  // namespace ligament
