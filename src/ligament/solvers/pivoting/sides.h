// SPDX-License-Identifier: Apache-2.0
// Which rows are at a bound: a guess, what it makes of the problem, and which rows object.
//
// With the rows at a bound taken out, their impulses given, the rest is a linear problem of the
// same structure [BP.1], which Direct solves. docs/theory/pivoting.md.
#pragma once

#include <vector>

#include "ligament/solvers/direct/direct.h"
#include "ligament/solvers/solver.h"

namespace ligament::pivoting {

enum class Side : signed char { lower = -1, free = 0, upper = 1 };

struct Sides {
  std::vector<Side> guess;  // (rows) kept from step to step: a warm start
  std::vector<Side> next;   // (rows) what each row asks for
  VecX lower, upper;        // (rows) bounds of λ [N s]
  StepProblem reduced;      // the problem with the rows at bounds taken out
  VecX w;                   // (rows) G u + Σ λ − b of the last solution looked at
  VecX impulse;             // (columns) scratch
  direct::DirectWorkspace direct;
};

// The bounds of every row, a guess that fits them, and memory for the rest. Returns how many rows
// have a bound.
int read_bounds(const StepProblem& problem, Sides& sides);

// Solves the problem as the guess has it, and finds w.                                   [BP.1]
SolveReport solve_guess(const Direct& options, const StepProblem& problem, Sides& sides,
                        StepSolution& solution);

// Adds what a part of a solve took; its status is that of the last part.
void add_report(const SolveReport& part, SolveReport& whole);

// w = G u + Σ λ − b.
void compute_w(const StepProblem& problem, const StepSolution& solution, VecX& w);

// λ within its bounds, and the u that goes with it.
void put_within_bounds(const StepProblem& problem, Sides& sides, StepSolution& solution);

// Below these a law counts as kept: far above the rounding of a direct solve, far below what
// matters. A speed is measured against what its own row is made of: another one, of a stiff spring,
// may ask for speeds that nobody has.
struct Smallest {
  double impulse = 0.0;  // [N s]
  double fastest = 0.0;  // [m/s] of all velocities

  explicit Smallest(const StepSolution& solution);
  double speed(const StepProblem& problem, const StepSolution& solution, Eigen::Index row) const;
};

// Fills `next`. Returns how many rows ask for another side, and the last of them.
struct Wishes {
  int count = 0;
  std::size_t last = 0;
};
Wishes find_wishes(const StepProblem& problem, const StepSolution& solution, Sides& sides);

}  // namespace ligament::pivoting
