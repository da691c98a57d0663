// SPDX-License-Identifier: Apache-2.0
// The run loop: steps a model through time, shows each step to observers and sums up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ligament/measure/energy.h"
#include "ligament/measure/joint_measures.h"
#include "ligament/simulation/failure.h"
#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// What an observer sees: the state after `step` steps. Step 0 is the start, with no report.
struct Sample {
  const Model& model;
  const State& state;
  long step;
  const StepReport* report;  // of the step that led here, null at the start
  const Energy& energy;
  const Workspace& work;  // of that step: its rows, impulses and frames
  double h;               // [s]

  // What joints and controls exerted over the step, for compute_joint_load and
  // compute_control_force.
  RowImpulses impulses() const {
    return {work.constraints, work.problem.G, work.frames, work.solution.lambda, h};
  }
};

using Observer = std::function<void(const Sample&)>;

struct RunOptions {
  double t_end = 0.0;  // [s] the run ends at the step nearest to this time, if steps is unset
  std::optional<long> steps{};  // number of steps
  // Takes half a step of momentum change away from the start, so that velocities lead by half a
  // step and positions are right to second order; reported velocities are those of half a step ago.
  // [SP.10]
  bool staggered_start = false;
  std::vector<Observer> observers{};
  std::function<bool()> should_stop{};  // asked before each step; true ends the run as interrupted
};

enum class RunStatus {
  completed,
  interrupted,    // should_stop said so
  solver_failed,  // a step could not be solved; the state is the last good one
  diverged        // a state is no longer finite
};

const char* name_of(RunStatus status);

struct EnergyRange {
  double initial = 0.0, final = 0.0, min = 0.0, max = 0.0;  // [J]
};

// Something that gave way as if it were softer than asked for.
struct SoftRow {
  std::string name;          // joint "elbow", point x
  bool slips = false;        // it ties velocities: its compliance is a slip
  const char* unit = "m/N";  // of its compliance
  const char* give_unit = "m";
  double compliance = 0.0;  // that it had in truth; of joints, mean over the run by force
  double asked = 0.0;
  double give = 0.0;  // by so much more it gave way, at most
};

// How the machine that was really simulated differs from the one asked for.  [ER.1]
struct ErrorReport {
  bool as_asked = true;          // it does not: every step was accurate
  long inaccurate_steps = 0;     // rows missed by more than a millionth of the speeds
  double give = 0.0;             // [m, rad] largest give beyond what was asked for, of all steps
  std::vector<SoftRow> softest;  // of inaccurate steps, the worst first
  double infeasible = 0.0;       // share of the rows of these that no passive machine explains
  double fed_work = 0.0;         // [J] that the solver fed into the machine  [ER.6]
  double moved_energy = 0.0;     // [J] that the motion exchanged: what to compare it with
  std::string feeding;           // the row that fed most
  double feeding_work = 0.0;     // [J] so much
  long missed = 0;               // contacts and limits that should have pushed, summed over steps
  std::string missed_worst;      // the one that was approached fastest
  double missed_speed = 0.0;     // [m/s] so fast
  std::string friction_worst;    // the contact farthest from Coulomb's law
  CoulombError friction;         // of it

  std::string text() const;  // in words and units, a line each
};

struct RunReport {
  RunStatus status = RunStatus::completed;
  std::string stepper, solver;
  double h = 0.0;  // [s]
  long steps = 0;  // taken
  long steps_asked = 0;
  double time = 0.0;         // [s] simulated
  double cpu_seconds = 0.0;  // of this thread
  int bodies = 0;            // that can move
  int rows = 0;
  EnergyRange energy;
  double violation_max = 0.0;   // over all poses
  double violation_rms = 0.0;   // root mean square over all rows and poses
  std::string violation_worst;  // the row of the maximum, by name
  double residual_max = 0.0;    // [m/s]
  std::string residual_worst;
  int contacts = 0;               // most points at a time
  double penetration_max = 0.0;   // [m] deepest overlap of two shapes
  std::string penetration_worst;  // whose
  double friction_error = 0.0;    // [m/s] largest deviation from Coulomb's law
  double velocity_error = 0.0;    // largest bound of a step's relative error of velocities [WA.8]
  long unconverged_steps = 0;     // in which the solver did not reach its tolerance
  std::string methods;            // what the automatic solver chose, and for how many islands
  double injected_energy = 0.0;   // [J] sum of what inexact solves added (positive part)
  ErrorReport error;              // which machine was simulated
  double solver_work = 0.0;       // multiply-adds
  long impacts = 0;               // contacts and stops that bounced by Poisson's law
  long solves = 0;                // step problems solved
  std::string expectation;        // what the method promises for this model, before the run
  // Impulse: passes of Newton or sweeps a step, steps that were halved, and the rows at the start
  // that follow from others, whose forces are those of least norm.
  double passes = 0.0;
  long halved_steps = 0;
  std::vector<std::string> redundant;
  std::vector<std::string> warnings;
  std::string failure;                // what went wrong, empty if nothing did
  std::optional<BadStep> bad_step{};  // the step that failed, or the worst that did not converge

  std::string brief() const;  // one line
  std::string full() const;   // a page
};

// Simulates from `state`, which becomes the last state. Throws std::invalid_argument for options
// that make no sense and for nothing else.
RunReport run(const Model& model, const Stepper& stepper, State& state, const RunOptions& options);

}  // namespace ligament
