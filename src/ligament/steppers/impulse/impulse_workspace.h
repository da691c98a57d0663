// SPDX-License-Identifier: Apache-2.0
// What the impulse stepper keeps from step to step: memory, never physics.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ligament/constraints/body_frame.h"
#include "ligament/model/state.h"
#include "ligament/problem/step_problem.h"
#include "ligament/solvers/islands/islands.h"
#include "ligament/solvers/solver.h"
#include "ligament/steppers/impulse/broyden.h"

namespace ligament {

// The rows of the joints at one end of a flight.
struct PoseRows {
  std::vector<BodyFrame> frames;
  BlockRows G, P;
  VecX g;
};

// A direction of the inner iteration of a pass, its image, and M⁻¹ Gᵀ times that.
struct InnerDirection {
  VecX impulses, image, velocity;
  double square = 0.0;
};

struct ImpulseWorkspace {
  StepProblem problem;  // its G are the rows at the start of the flight at hand
  PoseRows start, end;  // start.G is unused
  SolverWorkspace solver;
  StepSolution solution;
  Broyden broyden;
  std::array<InnerDirection, 20> directions;
  VecX forces;   // (columns) applied at the pose at hand
  VecX kicked;   // (columns) momentum at the start of the flight, with its forces
  VecX p, u;     // (columns) momentum and velocity during the flight
  VecX nu;       // (rows) impulses at the start of the flight
  VecX total;    // (rows) of all flights of a step, at both ends
  VecX rebound;  // (rows) [m/s] speed that a limit which is hit gives back
  VecX speed, end_speed, drift, rest, step, left, curvature;  // (rows) scratch
  VecX impulse;                                               // (columns) scratch
  std::vector<unsigned char> pressed;        // (bodies) whose forces of this step have acted
  std::vector<unsigned char> idle_rows;      // (rows) that have acted with them
  std::vector<unsigned char> hit_rows;       // (rows) of limits that are hit in this flight
  std::vector<std::uint32_t> body_of_block;  // block of M → body
  std::vector<unsigned char> reached;  // (blocks of the step problem) of contacts that are reached
  islands::Islands islands;
  std::vector<Eigen::Matrix<double, 6, 6>> mobility;  // (blocks) inverses of G M⁻¹ Gᵀ, of sweeps
  State trial;                                        // pose at the end of the flight
  State before;                                       // state at the start of the step
  State sum;                                          // of extrapolations
  VecX sum_total;                                     // (rows) impulses of these
};

}  // namespace ligament
