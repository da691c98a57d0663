// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/residual_map.h"

#include <algorithm>
#include <cmath>

namespace ligament {

RowChange explain_row(const InexactRow& row, double tolerance) {
  const double size = std::abs(row.r);
  if (size <= tolerance) return {};
  const double sign = row.r > 0.0 ? 1.0 : -1.0;
  const double by_damping = std::max(0.0, sign * row.target);
  const double by_compliance = std::max(0.0, sign * row.mobility * row.lambda);
  const double squares = by_damping * by_damping + by_compliance * by_compliance;
  if (squares == 0.0 && row.lambda == 0.0) return {.fate = RowFate::missed};
  const RowChange infeasible{RowFate::infeasible, 0.0, row.r / row.lambda};
  if (squares == 0.0) return infeasible;
  RowChange change{RowFate::feasible, size * by_damping / squares,
                   row.mobility * size * by_compliance / squares};
  if (change.alpha > largest_alpha) {
    if (row.lambda == 0.0) return {.fate = RowFate::missed};
    if (by_compliance == 0.0) return infeasible;
    change.alpha = largest_alpha;
    change.beta = row.mobility * (size - largest_alpha * by_damping) / by_compliance;
  }
  return change;
}

EffectivePhysics recover_physics(const RowScheme& scheme, double h, double Sigma,
                                 const RowChange& change) {
  const double slower = 1.0 - change.alpha;
  EffectivePhysics physics{.compliance = scheme.scale * (Sigma + change.beta) / slower,
                           .asked = scheme.scale * Sigma};
  if (scheme.stabilizes) physics.damping_time = scheme.scale * change.alpha / (h * slower);
  return physics;
}

double compute_extra_give(const RowScheme& scheme, double h, double Sigma, const RowChange& change,
                          double lambda) {
  // ε_eff − ε without its cancellation.
  const double excess = scheme.scale * (change.beta + change.alpha * Sigma) / (1.0 - change.alpha);
  return excess * std::abs(lambda) / (scheme.stabilizes ? h : 1.0);
}

}  // namespace ligament
