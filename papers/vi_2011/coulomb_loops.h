// SPDX-License-Identifier: Apache-2.0
// Loops around convex problems that end in Coulomb's law, if they end, μ = 0.5: cones that are
// lifted (De Saxcé), and cylinders whose radius is that of the pass before.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::papers::vi {

struct Loop {
  std::vector<double> residuals;  // of Coulomb's law, pass by pass
  VecX lambda;                    // of the last pass

  // By how much the residual falls in a pass, over the last ten that are above rounding.
  double find_rate() const;
  // Passes until the residual is so small; one more than there were: it never is.
  double count_passes(double residual) const;
};

// Cones whose normal velocity is raised by μ times what the last pass slipped; with a memory of
// some passes by Anderson's mixing. `coulomb` has a block of three rows a contact.
Loop iterate_lift(const StepProblem& coulomb, int passes, std::size_t memory);

// Cylinders (17): friction within μ times the normal impulse of the pass before, or a part of the
// way from the bound before to that. The first pass has no friction.
Loop iterate_cylinders(const StepProblem& coulomb, int passes, double relaxation);

// Sweeps with exact local solves, in hundreds, until the law holds to 1e-11.
struct Swept {
  int sweeps = 0;  // more than most_sweeps: not solved
  VecX lambda;
};
constexpr int most_sweeps = 20000;
Swept sweep_to_rest(const StepProblem& coulomb);

// The residual of impulses with the velocities that they make.
double residual_of(const StepProblem& coulomb, const VecX& lambda);

}  // namespace ligament::papers::vi
