// SPDX-License-Identifier: Apache-2.0
// The words that the stories of Spook and Relaxed share: they differ in how a row becomes Σ and b,
// and in nothing else. Both take q⁺ = q ⊕ h u with u the velocity that the step problem gives.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// Frames, g, G and P at the state's pose.
void build_rows(const Model& model, const State& state, Workspace& work);

// Gravity, the constant forces of the bodies, and the loads at time t in the pose of the frames.
void compute_applied_forces(const Model& model, const std::vector<BodyFrame>& frames, double t,
                            const VecX& constant_forces, VecX& out);

// Drift of rows with Jacobian G, P over the time from t to t + h, their mean.             [JO.15]
void compute_drift(const Model& model, double t, double h, const BlockRows& G, const BlockRows& P,
                   Workspace& work, VecX& drift);

// Puts a body that is moved as prescribed where it is at time t.
void move_as_prescribed(const Model& model, const Body& body, double t, State& state);

// ġ of the last step, and the drift of the rows over the step to come. Needs the free motion.
void compute_row_speeds(const Model& model, const State& state, double h, Workspace& work);

// How rotations are stepped: as asked, or by the drift if the solver needs symmetric blocks.
inline Gyroscopic gyroscopic_for(const Solver& solver, Gyroscopic asked) {
  return needs_symmetry(solver) ? Gyroscopic::kick_drift : asked;
}

// M and p of the free motion: momentum plus the impulse of applied forces, gyroscopic tangent. A
// body that cannot take the midpoint takes the drift. Returns how many take it though they are too
// fast for it, h · spin · I_max/I_min > 1.  [GY.6]
int assemble_motion(const Model& model, const State& state, double h, Gyroscopic gyroscopic,
                    Workspace& work);

// A step of length h whose velocity u is that at θ: M/θ and p/θ + h f.                    [TR.1]
struct StepSpan {
  double h;
  double theta = 1.0;
};
// The same without the forces, which are taken as they are in the workspace: for those who take
// them at another pose or time. `frames` are those of the state.
int assemble_free_motion(const Model& model, const State& state,
                         const std::vector<BodyFrame>& frames, const StepSpan& span,
                         Gyroscopic gyroscopic, Workspace& work);

// Drift of rows of joints and controls with Jacobian G, P at an instant.
void compute_drift_rate(const Model& model, double t, const BlockRows& G, const BlockRows& P,
                        Workspace& work, VecX& drift);

// Velocities v = M⁻¹ p at the pose.
void update_velocities(const Model& model, State& state);

// Bodies that are moved as prescribed, to where they are at time t.
void move_prescribed_bodies(const Model& model, double t, State& state);
// M in the pose of the frames, with the plain inertia of the bodies.
void assemble_inertia(const Model& model, const std::vector<BodyFrame>& frames, BlockDiagonal& M);

// One row of Σ and b, and how Σ came from the compliance: ε = scale Σ.                     [ER.2]
struct RowEntry {
  double Sigma;
  double b;
  double scale;                       // [s²]; of rows that tie velocities [s]
  RowKind kind = RowKind::holonomic;  // velocity: b takes no error away
};

// Σ, b and the scheme of a row of the problem.
inline void put_row(int row, const RowEntry& entry, Workspace& work) {
  work.problem.Sigma(row) = entry.Sigma;
  work.problem.b(row) = work.constraints.drifts ? entry.b - work.drift(row) : entry.b;
  const bool stabilizes = entry.kind == RowKind::holonomic;
  work.schemes[static_cast<std::size_t>(row)] = {entry.scale, stabilizes ? entry.b : 0.0,
                                                 stabilizes};
}

// Whether a unilateral row is hit within the step, and gives back more speed than the forces of one
// step take: slower, it is at rest.                                                       [JO.17]
bool bounces(const RowPhysics& row, double g, double speed, double free_speed, double h);

// The lateness of a damper with a rate of its own, fitted so that it alone decays by e^(−z) a step,
// z = h · damping · mobility: ½, and second order, where the step resolves it, 1 where it is stiff.
// 1 for rows without one.                                                                 [SP.11]
double fit_lateness(const RowPhysics& row, double mobility, double h);

// Σ and b of all rows. discretize(physics, g, ġ) gives the entry of a holonomic row, with a damping
// time in its physics. The same in every stepper are velocity rows [SP.4], rows of limits that are
// not yet reached, Σ = ε/h² and b = −g/h, which end the step at the limit or short of it [JO.16],
// and bounces, b = −e ġ [JO.17]. Entries of Σ below `floor` are raised to it [SP.8]; returns how
// many were.
template <class Discretize>
int assemble_rows(double h, double default_damping_time, double floor, Workspace& work,
                  Discretize&& discretize) {
  int raised = 0;
  for (std::size_t i = 0; i < work.constraints.physics.size(); ++i) {
    RowPhysics row = work.constraints.physics[i];
    const auto at = static_cast<Eigen::Index>(i);
    const double g = work.g(at), speed = work.row_speed(at);
    const double w = row.elastic ? fit_lateness(row, work.mobility(at), h) : 1.0;
    row.lateness = w;
    RowEntry entry{.Sigma = row.compliance / (h * w),
                   .b = (1.0 - 1.0 / w) * speed,
                   .scale = h * w,
                   .kind = RowKind::velocity};
    if (row.restitution > 0.0 && bounces(row, g, speed, work.free_speed(at), h)) {
      entry = {floor, -row.restitution * speed, h, RowKind::velocity};
    } else if (row.unilateral && g > 0.0) {
      entry = {.Sigma = row.compliance / (h * h), .b = -g / h, .scale = h * h};
    } else if (row.kind == RowKind::holonomic) {
      if (row.damping_time < 0.0) row.damping_time = default_damping_time;
      // What the gap of a limit was before it was touched is no concern of its spring.  [JO.16]
      entry = discretize(row, g, row.unilateral ? 0.0 : speed);
    }
    if (entry.Sigma < floor) {
      entry.Sigma = floor;
      ++raised;
    }
    put_row(static_cast<int>(i), entry, work);
  }
  for (const int block : work.constraints.bounded) {
    const double most = h * work.constraints.blocks[static_cast<std::size_t>(block)].max_force;
    work.problem.laws[static_cast<std::size_t>(block)] = Box{.lower = -most, .upper = most};
  }
  return raised;
}

// Whether loads, targets and prescribed motions gave numbers. If not, the step is not taken.
bool has_finite_input(const Model& model, const Workspace& work);

// The smallest Σ that elimination can tell from zero, when rows depend on each other.  [SP.8]
double sigma_floor(double compliance_floor, const Workspace& work);

// p⁺ = p + h f + Gᵀ λ, exactly; velocities and pose follow, by the momentum at θ.
void advance(const Model& model, double h, Workspace& work, State& state, double theta = 1.0);

// The largest velocity among those that the step problem asks for and gives, and that its bodies
// would have without constraints: what stands still is held against falling.
double largest_speed(const StepProblem& problem, const StepSolution& solution);

// Residuals and violation of the step.
void measure(Workspace& work, StepReport& report);

// Which machine the solution is exact for, if it is not for the one asked for. Of a problem that
// was solved for a step of length h, after measure.                                       [ER.1]
void explain(double h, Workspace& work, StepReport& report);

}  // namespace ligament
