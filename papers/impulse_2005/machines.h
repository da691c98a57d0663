// SPDX-License-Identifier: Apache-2.0
// The mechanisms of the impulse paper's experiments, flown and measured.
#pragma once

#include <string>
#include <vector>

#include "ligament/ligament.h"
#include "papers/scenes.h"

namespace ligament::papers::impulse {

struct Machine {
  std::string name{};
  Model model;
  State start;  // joints closed, velocities that obey them
};

// A scene of this folder: "four_bar".
Machine read_machine(const std::string& name, const std::vector<Override>& overrides = {});

struct Flight {
  State state;
  double gap = 0.0;         // [m, rad] largest at the end of a step
  double speed_miss = 0.0;  // [m/s] largest at the end of a step
  double passes = 0.0;      // a step
};

// Throws std::runtime_error if a step fails.
Flight fly(const Machine& machine, const Stepper& stepper, double T);

// √ Σ |x − x_ref|² over the bodies, with the rotation matrices of rigid ones; and the same of
// velocities.
double position_error(const Model& model, const State& state, const State& truth);
double velocity_error(const Model& model, const State& state, const State& truth);

// The motion after T by extrapolation of order eight, to roundings.
State find_truth(const Machine& machine, double T);

// With the rule of rotation and the tolerance that the tables were measured with.
Impulse table_method(double h);

inline const std::vector<double> table_steps{0.02, 0.01, 0.005, 0.0025};

// The systems of the tables, with the errors of a prototype at table_steps.
struct Case {
  Machine machine;
  std::vector<double> errors;
  bool rigid = false;
};
std::vector<Case> read_cases();

}  // namespace ligament::papers::impulse
