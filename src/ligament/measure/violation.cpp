// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/violation.h"

#include <cmath>

#include "ligament/math/worst.h"

namespace ligament {

double Violation::rms() const { return rows > 0 ? std::sqrt(sum_squares / rows) : 0.0; }

Violation compute_violation(const ConstraintSet& set, const VecX& g) {
  Violation violation;
  Worst worst;
  for (std::size_t i = 0; i < set.physics.size(); ++i) {
    const RowPhysics& row = set.physics[i];
    if (row.kind != RowKind::holonomic || row.elastic) continue;
    const double value = g(static_cast<Eigen::Index>(i));
    const double size = row.unilateral && value > 0.0 ? 0.0 : std::abs(value);
    violation.sum_squares += size * size;
    ++violation.rows;
    worst.add(size, static_cast<int>(i));
  }
  violation.max = worst.size;
  violation.worst_row = worst.index;
  return violation;
}

}  // namespace ligament
