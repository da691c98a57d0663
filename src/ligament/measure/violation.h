// SPDX-License-Identifier: Apache-2.0
// How far the holonomic rows are from holding: g in metres, radians or (unit rows of rods) as a
// number. Springs are no errors, nor is the room that a limit or a rope leaves.
#pragma once

#include "ligament/constraints/constraint_set.h"

namespace ligament {

struct Violation {
  double max = 0.0;          // max |g_i|
  double sum_squares = 0.0;  // Σ g_i²
  int rows = 0;              // holonomic rows
  int worst_row = -1;        // row of the maximum

  double rms() const;  // sqrt(Σ g²/rows), 0 without rows
};

Violation compute_violation(const ConstraintSet& set, const VecX& g);

}  // namespace ligament
