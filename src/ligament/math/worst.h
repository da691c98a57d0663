// SPDX-License-Identifier: Apache-2.0
// The largest of many sizes, and where it is. A size that is not a number is worse than any number.
#pragma once

#include <cmath>

namespace ligament {

struct Worst {
  double size = 0.0;
  int index = -1;  // −1: nothing was added yet

  void add(double candidate, int at) {
    const bool worse = candidate > size || (std::isnan(candidate) && !std::isnan(size));
    if (index >= 0 && !worse) return;
    size = candidate;
    index = at;
  }
};

}  // namespace ligament
