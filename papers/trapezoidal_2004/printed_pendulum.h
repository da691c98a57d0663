// SPDX-License-Identifier: Apache-2.0
// The double pendulum by rules of the paper that the library does not offer, because they are
// wrong. Without the library: four coordinates, two rods, two gaps x ≥ 0; complementarity problems
// by trying all subsets of contacts.
#pragma once

#include "ligament/math/types.h"

namespace ligament::papers::trapezoidal {

enum class PrintedRule {
  rods_at_start,  // rods linearized at q instead of q + (h/2) v
  active_set      // (6.1) to the letter: active if min{gap, predicted gap} ≤ 0
};

struct PrintedSwing {
  Eigen::Vector4d q;
  int hits = 0;
};

PrintedSwing swing_as_printed(double h, PrintedRule rule);

}  // namespace ligament::papers::trapezoidal
