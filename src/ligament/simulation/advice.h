// SPDX-License-Identifier: Apache-2.0
// Which method, and how long a step, meets an accuracy on a machine: found by trial runs.
//
// The error of a run against a reference, at times t_j = j T/64 of both,
//
//     e = max_j rms |x(t_j) − x_ref(t_j)| / max_j rms |x_ref(t_j) − x_ref(0)|                [AD.1]
//
// relative to how far the machine moves (or to its extent, if it moves less than a thousandth of
// it). x are points of the bodies: the centre, and for bodies that turn also the ends of three axes
// as long as their radius of gyration; rms is the root mean square over points, weighted by mass.
//
// The reference is one of two methods of second order that know nothing of each other, refined
// until they agree to a tenth of the tolerance. Where they never do, as in motion that is chaotic,
// errors are measured up to the time until which they do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ligament/steppers/stepper.h"

namespace ligament {

// A method to try; its h is chosen by the search.
struct Candidate {
  std::string name;  // for people
  Stepper stepper;
  bool staggered = false;  // RunOptions::staggered_start
};

struct AdviceOptions {
  double tolerance = 1e-3;              // of [AD.1], > 0 and < 1
  double duration = 1.0;                // [s] T > 0
  double budget = 60.0;                 // [s] of wall-clock time for all trials, > 0
  int finest = 1 << 16;                 // most steps from sample to sample, ≥ 1
  std::function<bool()> should_stop{};  // asked often; true ends the search
  std::function<void(const std::string& what)> progress{};  // what is tried now
};

// One trial run.
struct Trial {
  std::size_t candidate = 0;
  double h = 0.0;  // [s]
  double error = 0.0;
  double cpu_seconds = 0.0;
  double solver_work = 0.0;  // multiply-adds
  long steps = 0;
  std::string failure;  // why there is no error; empty if there is

  bool meets(double tolerance) const { return failure.empty() && error <= tolerance; }
};

enum class AdviceStatus : unsigned char {
  found,         // a method meets the tolerance
  none,          // no trial within the budget does
  no_reference,  // the references do not agree even for a short time
  interrupted
};

struct Advice {
  AdviceStatus status = AdviceStatus::no_reference;
  double time = 0.0;   // [s] until which the references agree, ≤ duration
  double scale = 0.0;  // [m] what errors are relative to
  bool moves = true;   // whether that is how far the machine moves, and not its extent
  double reference_h = 0.0;
  double reference_error = 0.0;            // how far the two are apart, as [AD.1]
  std::string reference, other_reference;  // their names
  std::string reference_failure;           // why the first of them ended early, if it did
  std::vector<Trial> trials;               // by candidate, coarse to fine
  std::optional<std::size_t> recommended;  // of the trials: meets the tolerance, at least cost
  std::vector<std::string> unfit;          // by candidate: why it cannot step the machine, or empty
};

// Searches from `start`. Throws std::invalid_argument for options that make no sense.
Advice advise(const Model& model, const State& start, const std::vector<Candidate>& candidates,
              const AdviceOptions& options);

}  // namespace ligament
