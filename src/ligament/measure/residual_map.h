// SPDX-License-Identifier: Apache-2.0
// Which physics the inexact impulse of a row is the exact answer of.
//
// Problem   a solver stops with an impulse λ that misses its row by r = b − G u − Σ λ [m/s].
// Map       of the row's compliance and damping, those for which the same λ, u are exact:
//             r = β λ + α t,    β ≥ 0,  0 ≤ α < 1                                          [ER.1]
//           Σ + β is more compliance and (1 − α) t slower stabilization. With κ = ε/Σ of the row,
//             ε_eff = κ (Σ + β)/(1 − α),    τ_eff = τ + (κ/h) α/(1 − α)                      [ER.4]
//           and where a row ties velocities only, slip_eff = κ (Σ + β).
// Terms     t the part of b that takes errors away [m/s], d the diagonal entry of G M⁻¹ Gᵀ + Σ,
//           h step [s].
// Promises  of all α, β the pair with the least α² + (β/d)², unique and in closed form [ER.3]. A
//           row without one feeds energy: λ r < 0, and t cannot help.
// Reference Lacoursière 2005, section 5, with its signs put right; docs/theory/error.md.
#pragma once

#include <algorithm>
#include <cmath>

namespace ligament {

enum class RowFate : unsigned char {
  exact,       // the row is solved to rounding
  feasible,    // it is that of a softer, slower machine
  infeasible,  // it is that of no machine that loses energy
  held,        // it is at a bound, where it may miss its target
  missed       // it exerts nothing where it should push
};

// A row as it was solved.
struct InexactRow {
  double r = 0.0;         // [m/s] residual
  double lambda = 0.0;    // [N s]
  double target = 0.0;    // [m/s] t; 0 in rows that tie velocities
  double mobility = 0.0;  // [m/(N s)] d > 0
};

struct RowChange {
  RowFate fate = RowFate::exact;
  double alpha = 0.0;
  double beta = 0.0;  // [m/(N s)] ≥ 0; of infeasible rows r/λ < 0, which makes λ exact all the same
};

// Slower than this by a factor of a hundred a row is no longer stabilized.
constexpr double largest_alpha = 0.99;

// [ER.3]. Residuals up to `tolerance` [m/s] are none.
inline RowChange explain_row(const InexactRow& row, double tolerance) {
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

// How a row came from its physics.                                                        [ER.2]
struct RowScheme {
  double scale = 0.0;       // κ = ε/Σ [s²]; of rows that tie velocities slip/Σ [s]
  double target = 0.0;      // t [m/s], 0 in rows that tie velocities
  bool stabilizes = false;  // whether it takes errors of position away: it has ε and τ, and no slip
};

// What it amounts to.
struct EffectivePhysics {
  double compliance = 0.0;    // [m/N] ε_eff; of rows that tie velocities the slip [m/(N s)]
  double asked = 0.0;         // the same without the change
  double damping_time = 0.0;  // [s] τ_eff − τ ≥ 0
};
EffectivePhysics recover_physics(const RowScheme& scheme, double h, double Sigma,
                                 const RowChange& change);

// How far the row gives way beyond what was asked for, (ε_eff − ε) |λ|/h [m]: the deflection of the
// compliance that the solver added. Of infeasible rows that which is missing, < 0; of rows that tie
// velocities what they slip in the step.                                                   [ER.5]
inline double compute_extra_give(const RowScheme& scheme, double h, double Sigma,
                                 const RowChange& change, double lambda) {
  // ε_eff − ε without its cancellation.
  const double excess = scheme.scale * (change.beta + change.alpha * Sigma) / (1.0 - change.alpha);
  return excess * std::abs(lambda) / (scheme.stabilizes ? h : 1.0);
}

}  // namespace ligament
