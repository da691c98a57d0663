// SPDX-License-Identifier: Apache-2.0
// A terrain: heights over a rectangular grid, solid below. Each cell is two triangles, cut along
// the diagonal from its corner with the smaller x and y to the opposite one.
#pragma once

#include <memory>
#include <vector>

#include "ligament/math/types.h"

namespace ligament {

struct HeightField {
  int columns = 0, rows = 0;           // grid points along x and y, ≥ 2 each
  double dx = 1.0, dy = 1.0;           // [m] > 0 between grid points
  std::vector<double> heights;         // [m] along z; columns × rows, x varies fastest
  double lowest = 0.0, highest = 0.0;  // [m] of the heights

  // The grid point (i, j), with (0, 0) at the origin of the shape's frame.
  Vec3 point(int i, int j) const {
    const auto k = static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(i);
    return {i * dx, j * dy, heights[k]};
  }
};

// Throws GeometryError if a number is not finite, the spacing not positive or the count of heights
// not columns × rows.
std::shared_ptr<const HeightField> make_height_field(int columns, int rows, double dx, double dy,
                                                     std::vector<double> heights);

}  // namespace ligament
