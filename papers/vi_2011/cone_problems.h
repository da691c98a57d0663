// SPDX-License-Identifier: Apache-2.0
// Step problems with friction cones, μ = 0.5: tables, stacks, and piles caught in the act.
#pragma once

#include <string>
#include <vector>

#include "ligament/problem/step_problem.h"
#include "ligament/solvers/solver.h"

namespace ligament::papers::vi {

struct ConeProblem {
  std::string name;
  StepProblem problem;  // with the scene's Σ until it is softened
};

// A pile of spheres in full impact and at rest.
struct Piles {
  StepProblem impact, rest;
  StepProblem before_rest{};           // of the step before `rest`
  std::vector<StepProblem> falling{};  // five of the 0.1 s about `impact`, which is the third
  std::size_t highest = 0;             // the block of M of the sphere that lies highest at rest
};
Piles catch_piles(int spheres);
// Ten boxes, the sixth of which is pushed; the top one `top` kg, the first, third, … `second`.
StepProblem make_stack(double top, double second = 1.0);

// Overlaps count as gaps of 0: no contact pushes out.
StepProblem without_overlaps(StepProblem problem);

// Tables that stick, slip in part and slide; stacks of ten boxes, even, with a heavy top and with
// every second box heavy; the piles, without overlaps and
// with them, and with a sphere on top that is 1000 times as heavy.
std::vector<ConeProblem> make_cone_problems(const Piles& piles);

// The same contacts with Coulomb's law.
StepProblem with_coulomb(StepProblem problem);

// Σ of each contact is s times the mean mobility of its rows.
StepProblem soften_contacts(StepProblem problem, double s);

struct Solved {
  SolveReport report;
  StepSolution solution;

  bool is_solved() const { return report.status == SolveStatus::solved; }
};
Solved solve_from_nothing(const Solver& solver, const StepProblem& problem);

VecX find_velocities(const StepProblem& problem, const VecX& lambda);  // M⁻¹ (p + Gᵀ λ)
double norm_in(const BlockDiagonal& M, const VecX& u);

}  // namespace ligament::papers::vi
