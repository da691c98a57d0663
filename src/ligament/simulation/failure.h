// SPDX-License-Identifier: Apache-2.0
// When a step goes wrong: what to say, and what to keep of it. The problem of the step can be
// solved again by any solver, and mailed.
#pragma once

#include <optional>
#include <string>

#include "ligament/problem/dump.h"
#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

struct RunReport;

// A step that failed, or of those that did not converge the worst.
struct BadStep {
  bool failed = false;  // otherwise it did not converge, and the run went on
  long step = 0;        // 1 is the first
  double time = 0.0;    // [s] at its start
  std::string worst;    // not converged: the row that was missed most, and its bodies
  StepProblem problem;
  DumpNotes notes;  // whose rows and bodies they are
};

// Keeps one bad step of a run. Allocates in bad steps only.
class BadStepKeeper {
 public:
  // The workspace must be that of the steps.
  BadStepKeeper(const Model& model, const Stepper& stepper, const Workspace& work);

  // To be shown every step, before the workspace goes on.
  void look_at(long step, const StepReport& report, double time);
  void write_to(RunReport& out);

 private:
  void write_notes(const StepReport& report);

  const Model& model_;
  const Stepper& stepper_;
  const Workspace& work_;
  std::optional<BadStep> kept_;
  double worst_ = 0.0;
  std::string advice_;
};

// Why a step was not taken: the row or the function at fault by name, its bodies, the likely cause
// and what to change.
std::string describe_failure(const StepReport& report, const Stepper& stepper, const Model& model,
                             const State& state, const Workspace& work);

// What of the machine the stepper does not step, by name, and what to do.
std::string describe_unsupported(const Unsupported& what, const Model& model,
                                 const Workspace& work);

// The first body whose state is not finite, by name.
std::string find_lost_body(const Model& model, const State& state);

}  // namespace ligament
