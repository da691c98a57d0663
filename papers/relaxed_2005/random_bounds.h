// SPDX-License-Identifier: Apache-2.0
// Box LCPs at random, which no machine has but a solver must end on.
#pragma once

#include <vector>

#include "papers/chance.h"

namespace ligament::papers {

struct Pivoting {
  int problems = 0, solved = 0;
  int dependent = 0;                     // with more rows than velocities
  double error = 0.0;                    // largest |λ − P(λ − w)| of a row, P onto its bounds
  std::vector<double> factorizations{};  // of each problem
};

// Point masses tied in pairs by fewer than 40 rows: free, λ ≥ 0 or between two bounds. Σ ≥ 1e-6.
Pivoting pivot_random_problems(int count, Chance chance);

}  // namespace ligament::papers
