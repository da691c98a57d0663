// SPDX-License-Identifier: Apache-2.0
// A consistent start: brings the bodies of a rough pose together until the joints close, then makes
// the velocities obey them.
//
// Positions: Gauss–Newton steps with Levenberg damping in the metric of the masses,
//
//     M u − Gᵀ λ = 0,   G u + Σ λ = −g,   q ← q ⊕ α u                                       [AS.1]
//
// and velocities by one projection, M v⁺ − Gᵀ λ = M v, G v⁺ + drift = 0 [AS.2]. What takes part:
// joints, locks, prescribed motions, limits that are broken; in velocities also motors without a
// force limit. Springs, servos and friction are no constraints and do not.
#pragma once

#include <string>
#include <vector>

#include "ligament/model/model.h"

namespace ligament {

struct AssemblyOptions {
  int most_iterations = 300;
  double tolerance = 1e-10;  // of a row, relative to one metre plus the size of the machine
};

struct OpenRow {
  std::string name;
  double gap = 0.0;  // [m, rad], or [m/s, rad/s] of a velocity
};

struct AssemblyReport {
  int iterations = 0;
  double moved = 0.0;                   // [m] farthest that a body's centre was moved
  double violation_before = 0.0;        // [m, rad]
  double violation = 0.0;               // [m, rad]
  double speed_change = 0.0;            // [m/s, rad/s] largest change of a velocity
  std::vector<OpenRow> open;            // rows that cannot close, worst first
  std::vector<OpenRow> contradictions;  // rows whose velocities cannot be had, worst first

  bool ok() const { return open.empty() && contradictions.empty(); }
  std::string describe() const;  // what is wrong, by name; empty if nothing is
};

// The state becomes consistent, or as consistent as it can be.
AssemblyReport assemble(const Model& model, State& state, const AssemblyOptions& options = {});

}  // namespace ligament
