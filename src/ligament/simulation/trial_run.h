// SPDX-License-Identifier: Apache-2.0
// A run that is sampled at equal times, and how far two of them are apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ligament/steppers/stepper.h"

namespace ligament {

constexpr int samples_of_a_trial = 64;

// Points of the bodies at the start and at 64 equal times.
struct Sampled {
  std::vector<VecX> points;  // one a time, three numbers a point; fewer if the run ended early
  double cpu_seconds = 0.0;
  double solver_work = 0.0;
  long steps = 0;
  std::string failure;       // why it ended early; empty if it did not
  bool interrupted = false;  // because should_stop said so
};

struct TrialSetup {
  const Model& model;
  const State& start;
  double duration = 0.0;  // [s]
  std::function<bool()> should_stop{};
};

// Runs with `parts` steps from sample to sample: h = duration/(64 parts).
Sampled run_trial(const TrialSetup& setup, Stepper stepper, bool staggered, int parts);

// Masses of the points, those of each body sum up to its own.
VecX weigh_points(const Model& model);

// rms |a − b| over the points.
double compute_distance(const VecX& a, const VecX& b, const VecX& masses);

double step_of_trial(const TrialSetup& setup, int parts);

}  // namespace ligament
