// SPDX-License-Identifier: Apache-2.0
// What survives a step beside the state: structure, caches and scratch memory, never physics. A new
// workspace is a cold start and gives the same motion.
#pragma once

#include <vector>

#include "ligament/constraints/constraint_set.h"
#include "ligament/problem/residual.h"
#include "ligament/solvers/solver.h"

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
  std::vector<BodyFrame> frames;
  VecX g;  // (rows) values of the constraints at the start of the step
  StepProblem problem;
  BlockRows P;           // columns of the rows for bodies that are moved as prescribed
  VecX constant_forces;  // (columns) gravity and the constant forces of the bodies [N, N m]
  VecX applied;          // (columns) these and the loads at the time at hand
  StepSolution solution;
  SolverWorkspace solver;
  Residual residual;
  std::vector<Spin> spins;        // one a body
  VecX row_speed;                 // (rows) ġ of the last step, G v + drift
  VecX drift_before, drift;       // (rows) drift of the rows over the last step and over this one
  VecX prescribed;                // (columns of P) mean velocities of the prescribed motions
  VecX free_velocity;             // (columns) M⁻¹ p, when there are rows that bounce
  VecX free_speed;                // (rows) G M⁻¹ p
  VecX mobility;                  // (rows) diag(G M⁻¹ Gᵀ) in the model's initial pose
  double largest_mobility = 0.0;  // its largest entry
};

}  // namespace ligament
