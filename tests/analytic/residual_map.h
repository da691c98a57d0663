// SPDX-License-Identifier: Apache-2.0
// Which physics an inexact impulse is the exact answer of (Lacoursière 2005, section 5, eq. 5.5,
// with the signs corrected and a unique choice made).
//
// Given an approximate y of S y = b, b = t − A v_f, with residual r = b − S y, ask for a change of
// the physics of each row that makes y exact:
//
//     (S + diag(β)) y = b − α t,     i.e.  r_i = β_i y_i + α_i t_i,    β ≥ 0,  0 ≤ α < 1
//
// β is more compliance, α slower stabilization. Of the solutions the one with the least
// α² + (β/S_ii)² is taken. A row that has none injects energy: negative stiffness or damping.
#pragma once

#include <algorithm>
#include <cmath>

namespace ligament::analytic {

enum class RowFate { exact, feasible, infeasible };

struct RowChange {
  RowFate fate = RowFate::exact;
  double alpha = 0.0;
  double beta = 0.0;  // infeasible rows: r/y < 0
};

// One row: residual r, impulse y, target t, d = S_ii, right-hand side b, all of it.
struct ApproximateRow {
  double r = 0.0, y = 0.0, t = 0.0, d = 0.0, b = 0.0;
};

constexpr double largest_alpha = 0.99;

inline RowChange explain_residual(const ApproximateRow& row, double tolerance) {
  const double size = std::abs(row.r);
  if (size <= tolerance * (std::abs(row.d * row.y) + std::abs(row.t) + std::abs(row.b))) return {};
  const double sign = row.r > 0.0 ? 1.0 : -1.0;
  const double p1 = std::max(0.0, sign * row.t), p2 = std::max(0.0, sign * row.d * row.y);
  const double squares = p1 * p1 + p2 * p2;
  const RowChange infeasible{RowFate::infeasible, 0.0, row.r / row.y};
  if (squares == 0.0) return infeasible;
  RowChange change{RowFate::feasible, size * p1 / squares, row.d * size * p2 / squares};
  if (change.alpha > largest_alpha) {
    if (p2 == 0.0) return infeasible;
    change.alpha = largest_alpha;
    change.beta = row.d * (size - largest_alpha * p1) / p2;
  }
  return change;
}

// The physical parameters of a holonomic row that was solved with Σ and b = B g (+ …) and whose
// change is α, β.
struct EffectivePhysics {
  double compliance = 0.0;    // [m/N]
  double damping_time = 0.0;  // [s]
};

// Base values: damping time a and compliance c of a Relaxed row, Σ = c/(h (h + a)), B = 1/(h + a).
inline EffectivePhysics effective_relaxed_physics(double h, double c, double a, double alpha,
                                                  double beta) {
  const double a_eff = (h + a) / (1.0 - alpha) - h;
  return {h * (c / (h * (h + a)) + beta) * (h + a_eff), a_eff};
}

// Base values: Σ = 4 ε Υ/h², Υ = 1/(1 + 4 τ/h).
inline EffectivePhysics effective_spook_physics(double h, double compliance, double tau,
                                                double alpha, double beta) {
  const double upsilon = 1.0 / (1.0 + 4.0 * tau / h);
  const double u_eff = (1.0 - alpha) * upsilon;
  const double sigma = 4.0 * compliance * upsilon / (h * h);
  return {h * h * (sigma + beta) / (4.0 * u_eff), 0.25 * h * (1.0 / u_eff - 1.0)};
}

}  // namespace ligament::analytic
