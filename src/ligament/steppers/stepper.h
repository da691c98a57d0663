// SPDX-License-Identifier: Apache-2.0
// The time steppers, behind one function. Each is a plain struct of options and one file that tells
// the story of a step:   build_rows → assemble → solve → advance → measure.
#pragma once

#include <variant>

#include "ligament/measure/violation.h"
#include "ligament/model/model.h"
#include "ligament/solvers/solver.h"

namespace ligament {

// How the rotation of a spinning rigid body enters a step (docs/theory/gyroscopic.md).
// A solver that needs symmetric blocks gets the drift whatever is asked for.
enum class Gyroscopic : unsigned char {
  midpoint,  // implicit midpoint, its tangent in the mass matrix: any spin, non-symmetric blocks
  kick_drift  // plain inertia, then an explicit drift: symmetric blocks, h · spin · I_max/I_min < 1
};

// SPOOK, Lacoursière 2007: first order, variational, constraint errors O(h²), strictly dissipative
// in the constraint errors only. The default.
struct Spook {
  double h = 1.0 / 60.0;  // [s] time step, > 0
  Solver solver = BlockPivot{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  // Damping time of rows that give none, in steps, ≥ 0. 2 damps an error critically; 0.5 loses less
  // energy on strongly curved constraints; 0 is unstable.
  double damping_steps = 2.0;
  // Rows less compliant than this many roundings of the largest diagonal entry of G M⁻¹ Gᵀ are
  // raised to it, and the report says so; 0 switches that off.  [SP.8]
  double compliance_floor = 1e3;
};

// The regularized stepper of Lacoursière 2005: the penalty force at the end of the step,
// linearized. Options as above.
struct Relaxed {
  double h = 1.0 / 60.0;
  Solver solver = BlockPivot{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  double damping_steps = 0.0;  // 0 removes an error in one step
  double compliance_floor = 1e3;
};

using Stepper = std::variant<Spook, Relaxed>;

const char* name_of(const Stepper& stepper);
double step_size(const Stepper& stepper);
const Solver& solver_of(const Stepper& stepper);

// What one step did. Violations are those of the pose at its start, where its rows were built.
struct StepReport {
  SolveReport solve;
  double residual = 0.0;  // [m/s] largest residual of a row
  int worst_residual_row = -1;
  double momentum_residual = 0.0;  // [N s]
  bool accurate = false;           // residual below a millionth of the speeds in the problem
  double injected_energy = 0.0;    // [J] work of the inexact solve
  Violation violation;
  int raised_rows = 0;     // rows raised to the floor of compliance
  int drifted_bodies = 0;  // bodies too fast for the explicit drift that took it  [GY.6]

  bool ok() const { return solve.ok(); }
};

struct Workspace;

// Takes one step: state becomes the state at t + h. If the solver fails the state is left as it was
// and the report says so; nothing is thrown.
StepReport step(const Stepper& stepper, const Model& model, State& state, Workspace& workspace);

// Throws std::invalid_argument naming the option that makes no sense.
void check_options(const Stepper& stepper);

}  // namespace ligament
