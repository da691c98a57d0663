// SPDX-License-Identifier: Apache-2.0
// What rows are to a flight: joints that are rigid, and springs, dampers and drives that are not.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ligament/constraints/constraint_set.h"

namespace ligament {

constexpr double idle = 1e30;  // [m/(N s)] Σ of a row that exerts nothing
// Of springs and servos that give no damping, in steps: as the other steppers.
constexpr double default_damping_steps = 2.0;

inline bool is_rigid(const RowPhysics& row) {
  return row.kind == RowKind::holonomic && !row.elastic;
}

inline double damping_time_of(const RowPhysics& row, double h) {
  return row.damping_time < 0.0 ? default_damping_steps * std::abs(h) : row.damping_time;
}

// Inverse of the damper of a row [m/(N s)], `idle` if it has none.
inline double inverse_drag_of(const RowPhysics& row, double h) {
  if (row.kind == RowKind::velocity) return std::min(row.compliance, idle);
  const double tau = damping_time_of(row, h);
  return tau > 0.0 ? std::min(row.compliance / tau, idle) : idle;
}

inline void add_forces(const Model& model, double h, const VecX& forces,
                       const std::vector<unsigned char>& pressed, VecX& p) {
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed || pressed[i]) continue;
    const int size = velocities_of(body.kind);
    p.segment(body.v_offset, size) += h * forces.segment(body.v_offset, size);
  }
}

}  // namespace ligament
