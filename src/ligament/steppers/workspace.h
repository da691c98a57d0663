// SPDX-License-Identifier: Apache-2.0
// What survives a step beside the state: structure, caches and scratch memory, never physics. A new
// workspace is a cold start and gives the same motion.
#pragma once

#include <optional>
#include <vector>

#include "ligament/collision/collision_world.h"
#include "ligament/constraints/constraint_set.h"
#include "ligament/measure/step_error.h"
#include "ligament/problem/residual.h"
#include "ligament/solvers/solver.h"
#include "ligament/steppers/contact_set.h"
#include "ligament/steppers/impact.h"
#include "ligament/steppers/impulse/impulse_workspace.h"
#include "ligament/steppers/sleep.h"
#include "ligament/steppers/trapezoidal/trapezoidal_workspace.h"

namespace ligament {

// The rotation of one body over the step at hand.
struct Spin {
  Mat3 R_WP = Mat3::Identity();  // principal axes at the start of the step
  Vec3 w_P = Vec3::Zero();       // mean angular velocity of the free motion, in them
  bool midpoint = false;         // whether the step is the implicit midpoint
};

struct Workspace {
  explicit Workspace(const Model& model);

  ConstraintSet constraints;
  std::optional<CollisionWorld> collision;  // if there are shapes
  ContactSet contacts;
  Sleep sleep;
  std::vector<BodyFrame> frames;
  VecX g;                            // (rows of constraints) their values at the start of the step
  StepProblem problem;               // the rows of the constraints, then those of the contacts
  BlockRows P;                       // columns of the rows for bodies that are moved as prescribed
  BlockDiagonal prescribed_columns;  // the layout of these columns
  VecX constant_forces;  // (columns) gravity and the constant forces of the bodies [N, N m]
  VecX applied;          // (columns) these and the loads at the time at hand
  StepSolution solution;
  SolverWorkspace solver;
  Residual residual;
  std::vector<RowScheme> schemes;  // (rows) how Σ and b came from the physics
  ErrorMap error;                  // what of the solution is not exact, row by row
  Impact impact;
  VecX v_before, p_before;  // (columns) of the state, before contacts bounced in the step
  TrapezoidalWorkspace trapezoidal;
  ImpulseWorkspace impulse;
  std::vector<Spin> spins;        // one a body
  VecX row_speed;                 // (rows) ġ of the last step, G v + drift; after the step G u
  VecX drift_before, drift;       // (rows) drift of the rows over the last step and over this one
  VecX prescribed;                // (columns of P) mean velocities of the prescribed motions
  VecX free_velocity;             // (columns) M⁻¹ p, when there are rows that bounce
  VecX free_speed;                // (rows) G M⁻¹ p
  VecX mobility;                  // (rows) diag(G M⁻¹ Gᵀ) in the model's initial pose
  double largest_mobility = 0.0;  // its largest entry
};

}  // namespace ligament
