// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/violation.h"

#include <cmath>

namespace ligament {

double Violation::rms() const { return rows > 0 ? std::sqrt(sum_squares / rows) : 0.0; }

Violation compute_violation(const ConstraintSet& set, const VecX& g) {
  Violation violation;
  for (std::size_t i = 0; i < set.physics.size(); ++i) {
    if (set.physics[i].kind != RowKind::holonomic) continue;
    const double size = std::abs(g(static_cast<Eigen::Index>(i)));
    violation.sum_squares += size * size;
    ++violation.rows;
    if (violation.worst_row >= 0 && size <= violation.max) continue;
    violation.max = size;
    violation.worst_row = static_cast<int>(i);
  }
  return violation;
}

}  // namespace ligament
