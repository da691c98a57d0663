// SPDX-License-Identifier: Apache-2.0
// Step problems of a table on legs, by hand: a box of 10 kg, 1.2 × 0.8 × 0.3 m, at rest under
// gravity, h = 0.01 s, gaps zero.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"
#include "ligament/solvers/solver.h"

namespace ligament::papers::vi {

inline constexpr double weight_impulse = 10.0 * 9.81 * 0.01;  // m g h [N s]

struct Legs {
  Vec3 centre{0.1, 0.05, 0.7};
  std::vector<Vec3> feet{{-.5, -.3, 0}, {.5, -.3, 0}, {.5, .3, 0}, {-.5, .3, 0}};
  Law law = Equality{};
  int rows = 1;                                   // of a foot: normal, or normal and two tangents
  Vec3 push = Vec3::Zero(), turn = Vec3::Zero();  // impulse and angular impulse [N s], [N m s]
};

StepProblem make_problem(const Legs& legs);

// Σ = s D times the mean of the mobilities of the rows.
void soften(const VecX& D, double s, StepProblem& problem);

// Throws std::runtime_error if it fails.
StepSolution solve_legs(const Solver& solver, const StepProblem& problem);

}  // namespace ligament::papers::vi
