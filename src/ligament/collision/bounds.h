// SPDX-License-Identifier: Apache-2.0
// Boxes along the axes of the world.
#pragma once

#include <limits>

#include "ligament/math/types.h"

namespace ligament {

struct Bounds {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());  // [m] empty
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  bool is_empty() const { return !(low.x() <= high.x()); }
  Vec3 centre() const { return 0.5 * (low + high); }
  bool contains(const Bounds& other) const {
    return low.x() <= other.low.x() && low.y() <= other.low.y() && low.z() <= other.low.z() &&
           high.x() >= other.high.x() && high.y() >= other.high.y() && high.z() >= other.high.z();
  }
  void include(const Bounds& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
};

inline bool overlaps(const Bounds& a, const Bounds& b) {
  return a.low.x() <= b.high.x() && b.low.x() <= a.high.x() && a.low.y() <= b.high.y() &&
         b.low.y() <= a.high.y() && a.low.z() <= b.high.z() && b.low.z() <= a.high.z();
}

}  // namespace ligament
