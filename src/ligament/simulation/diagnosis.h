// SPDX-License-Identifier: Apache-2.0
// What can be said about a machine before it is simulated: whether its joints close, how many
// degrees of freedom it has, which rows say nothing new and how they share loads, what a run is
// expected to show, and which step suits it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ligament/simulation/assembly.h"
#include "ligament/simulation/finding.h"
#include "ligament/simulation/load_sharing.h"
#include "ligament/steppers/stepper.h"

namespace ligament {

// The numbers that a run should show, by closed forms (docs/theory/check.md).
struct Outlook {
  Expected load;         // largest force of a joint at the start
  Expected sag;          // of a joint: compliance × load
  Expected contact_sag;  // of a contact, the same
  Expected violation;    // of a joint at the start's speed: curvature and sag
  Expected spring;       // rate of the fastest spring [Hz], alone
  Expected swing;        // rate of the fastest motion across links under load [Hz]
  Expected hanging;      // largest W h²/(m l) of a link that carries a weight, a mere number
  Expected spin;         // largest h · spin · I_max/I_min, a mere number
  Expected mass_ratio;   // largest of two bodies that are tied or touch
  double stepped_spring = 0.0;  // [Hz] what the steps make of the fastest spring       [CK.8]
  double stepped_spin = 0.0;    // [rad/s] and of the fastest spin                     [CK.10]
};

struct Diagnosis {
  int bodies = 0;      // that can move
  int velocities = 0;  // of these bodies
  int rows = 0;        // of joints, rods and locks
  int driven = 0;      // rows of motors and prescribed motions
  AssemblyReport assembly;
  // Velocities that joints, rods and locks leave free, in the assembled pose; those that are left
  // with the drives running; and those of a pose nearby, if it could be assembled.
  int degrees_of_freedom = 0;
  int undriven = 0;
  std::optional<int> nearby{};
  std::vector<std::string> redundant;  // rows that follow from rows before them, by name
  // The other rows: as many as say something, and all that the redundant ones say.
  std::vector<std::string> independent;
  std::vector<SharingGroup> sharing;  // how the loads of the start are shared among rows
  double h = 0.0;                     // [s] of the stepper
  int contacts = 0;                   // points that touch at the start
  Outlook outlook;
  std::vector<StepLimit> limits;  // shortest first
  std::vector<Finding> findings;  // errors first

  bool ok() const { return !has(Severity::error); }  // whether the machine can be simulated at all
  bool has(Severity severity) const;
  bool is_singular_pose() const { return nearby && *nearby != degrees_of_freedom; }
  // [s] The step to take: that of the scene, or one that obeys all limits, rounded down to two
  // digits.
  double recommended_h() const;
  std::string text() const;  // a page
};

Diagnosis diagnose(const Model& model, const Stepper& stepper);

}  // namespace ligament
