// SPDX-License-Identifier: Apache-2.0
// Which physics an inexact impulse is the exact answer of: Lacoursière 2005, eq. 5.5, with the
// signs put right and one of its many answers chosen.
//
// For an approximate y of S y = b, b = t − G v_free, with residual r = b − S y, each row asks for
// more compliance β ≥ 0 and slower stabilization 0 ≤ α < 1 such that (S + β) y = b − α t:
//
//     r = β y + α t,   the smallest α² + (β/S_ii)² of all
//
// A row that has no such pair pushes the way that adds energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace ligament::papers {

struct SolvedRow {
  double r, y, t;   // residual, impulse, target
  double diagonal;  // S_ii
  double b;
};

struct PhysicsChange {
  double alpha = 0.0, beta = 0.0;

  // c = h² β/(1 − α): what a rigid row without damping has become [m/N].
  double compliance(double h) const { return h * h * beta / (1.0 - alpha); }
};

// None: no physics of springs and dampers explains the row.
inline std::optional<PhysicsChange> explain(const SolvedRow& row) {
  constexpr double rounding = 1e-13, slowest = 0.99;
  const double size = std::abs(row.r), sign = row.r > 0.0 ? 1.0 : -1.0;
  if (size <= rounding * (std::abs(row.diagonal * row.y) + std::abs(row.t) + std::abs(row.b)))
    return PhysicsChange{};
  const double by_target = std::max(0.0, sign * row.t);
  const double by_impulse = std::max(0.0, sign * row.diagonal * row.y);
  const double squares = by_target * by_target + by_impulse * by_impulse;
  if (squares == 0.0) return std::nullopt;
  const double alpha = std::min(size * by_target / squares, slowest);
  const double rest = size - alpha * by_target;  // for the compliance
  if (by_impulse == 0.0 && rest > 1e-12 * size) return std::nullopt;
  return PhysicsChange{alpha, by_impulse > 0.0 ? row.diagonal * rest / by_impulse : 0.0};
}

}  // namespace ligament::papers
