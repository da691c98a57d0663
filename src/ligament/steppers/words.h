// SPDX-License-Identifier: Apache-2.0
// The words that the stories of Spook and Relaxed share: they differ in how a row becomes Σ and b,
// and in nothing else. Both take q⁺ = q ⊕ h u with u the velocity that the step problem gives.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// Frames, g and G at the state's pose.
void build_rows(const Model& model, const State& state, Workspace& work);

// How rotations are stepped: as asked, or by the drift if the solver needs symmetric blocks.
inline Gyroscopic gyroscopic_for(const Solver& solver, Gyroscopic asked) {
  return needs_symmetry(solver) ? Gyroscopic::kick_drift : asked;
}

// M and p of the free motion: momentum plus the impulse of applied forces, gyroscopic tangent. A
// body that cannot take the midpoint takes the drift. Returns how many take it though they are too
// fast for it, h · spin · I_max/I_min > 1.  [GY.6]
int assemble_motion(const Model& model, const State& state, double h, Gyroscopic gyroscopic,
                    Workspace& work);

// One row of Σ and b.
struct RowEntry {
  double Sigma;
  double b;
};

// Σ and b of all rows. discretize(physics, g, G v) gives the entry of a holonomic row, with a
// damping time in its physics; velocity rows are the same in every stepper [SP.4]. Entries of Σ
// below `floor` are raised to it [SP.8]; returns how many were.
template <class Discretize>
int assemble_rows(double h, double default_damping_time, double floor, Workspace& work,
                  Discretize&& discretize) {
  int raised = 0;
  for (std::size_t i = 0; i < work.constraints.physics.size(); ++i) {
    RowPhysics row = work.constraints.physics[i];
    const auto at = static_cast<Eigen::Index>(i);
    RowEntry entry{.Sigma = row.compliance / h, .b = row.target};
    if (row.kind == RowKind::holonomic) {
      if (row.damping_time < 0.0) row.damping_time = default_damping_time;
      entry = discretize(row, work.g(at), work.row_speed(at));
    }
    if (entry.Sigma < floor) {
      entry.Sigma = floor;
      ++raised;
    }
    work.problem.Sigma(at) = entry.Sigma;
    work.problem.b(at) = entry.b;
  }
  return raised;
}

// The smallest Σ that elimination can tell from zero, when rows depend on each other.  [SP.8]
double sigma_floor(double compliance_floor, const Workspace& work);

// p⁺ = p + h f + Gᵀ λ, exactly; velocities and pose follow.
void advance(const Model& model, double h, Workspace& work, State& state);

// Residuals and violation of the step.
void measure(Workspace& work, StepReport& report);

}  // namespace ligament
