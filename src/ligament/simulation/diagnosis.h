// SPDX-License-Identifier: Apache-2.0
// What can be said about a machine before it is simulated: whether its joints close, how many
// degrees of freedom it has, which rows say nothing new, and which the time step cannot resolve.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ligament/simulation/assembly.h"
#include "ligament/steppers/stepper.h"

namespace ligament {

// A row or a body that the time step does not do justice to.
struct Unresolved {
  std::string name;
  std::string why;         // with numbers
  double largest_h = 0.0;  // [s] that would do, 0 if the step is not what is wrong
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
  std::vector<Unresolved> unresolved;

  bool ok() const { return assembly.ok(); }  // whether the machine can be simulated at all
  bool is_singular_pose() const { return nearby && *nearby != degrees_of_freedom; }
  std::string text() const;  // a page
};

Diagnosis diagnose(const Model& model, const Stepper& stepper);

}  // namespace ligament
