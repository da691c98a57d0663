// SPDX-License-Identifier: Apache-2.0
// Box LCPs at random, which no machine has but a solver must end on.
#pragma once

#include <vector>

#include "ligament/ligament.h"
#include "papers/chance.h"

namespace ligament::papers {

// A step problem whose rows are free, λ ≥ 0 or between two bounds, a third of each.
struct BoundedProblem {
  StepProblem problem{};
  VecX lower{}, upper{};

  // The largest |λ − P(λ − w)| of a row, P onto its bounds.
  double find_error(const StepSolution& solution) const;
};

enum class Right : unsigned char {
  consistent,   // some velocity satisfies all rows, if there were no bounds
  inconsistent  // at random: rows that depend on others contradict them
};

struct Range {
  double low, high;
};

// Point masses tied in pairs by fewer than 40 rows. Σ even in the logarithm.
BoundedProblem tie_masses(Range Sigma, Right right, Chance& chance);

// Rows that all touch all masses: of rank rows/2, and contradictory. Each three share their law, as
// blocks are factored faster. `rows` is a multiple of six.
BoundedProblem draw_contradiction(int rows, double Sigma, Chance& chance);

// What pivoting makes of many.
struct Pivoting {
  int problems = 0, solved = 0;
  int dependent = 0;                     // with more rows than velocities
  int single = 0;                        // that needed Murty's single pivots
  int inexact = 0;                       // with an error above 1e-7
  double error = 0.0;                    // the largest
  std::vector<double> factorizations{};  // of each problem

  double median() const;
};

Pivoting pivot_random_problems(int count, Range Sigma, Right right, Chance chance);

}  // namespace ligament::papers
