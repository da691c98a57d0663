// SPDX-License-Identifier: Apache-2.0
#include "ligament/geometry/height_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

void require_spacing(const char* name, double spacing, int count) {
  if (!(spacing > 0.0) || !std::isfinite(spacing * count))
    throw GeometryError(
        fmt::format("{} of the height field is {}: it must be finite and > 0", name, spacing));
}

}  // namespace

std::shared_ptr<const HeightField> make_height_field(int columns, int rows, double dx, double dy,
                                                     std::vector<double> heights) {
  if (columns < 2 || rows < 2)
    throw GeometryError(fmt::format(
        "the height field has {} × {} grid points: it must have at least 2 × 2", columns, rows));
  require_spacing("dx", dx, columns);
  require_spacing("dy", dy, rows);
  const std::size_t width = static_cast<std::size_t>(columns);
  const std::size_t count = width * static_cast<std::size_t>(rows);
  if (heights.size() != count)
    throw GeometryError(fmt::format("the height field has {} heights: {} × {} grid points need {}",
                                    heights.size(), columns, rows, count));
  for (std::size_t k = 0; k < count; ++k)
    if (!std::isfinite(heights[k]))
      throw GeometryError(fmt::format("height {} (column {}, row {}) is {}: it must be finite", k,
                                      k % width, k / width, heights[k]));
  const auto [lowest, highest] = std::ranges::minmax(heights);
  return std::make_shared<const HeightField>(HeightField{.columns = columns,
                                                         .rows = rows,
                                                         .dx = dx,
                                                         .dy = dy,
                                                         .heights = std::move(heights),
                                                         .lowest = lowest,
                                                         .highest = highest});
}

}  // namespace ligament
