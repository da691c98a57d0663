// SPDX-License-Identifier: Apache-2.0
// A run by hand, with what the acceptance table asks about every step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "impulse/systems.h"

namespace ligament::reference {

struct Flown {
  State state;
  double gap = 0.0;         // [m, rad] largest at the end of a step
  double speed_miss = 0.0;  // [m/s] largest at the end of a step
  double passes = 0.0;      // of Newton a step, or sweeps
  long halvings = 0;
};

inline Flown fly(const Model& model, const Stepper& stepper, double T) {
  Flown flown{.state = model.initial_state()};
  Workspace work(model);
  const long steps = std::lround(T / step_size(stepper));
  for (long i = 0; i < steps; ++i) {
    const StepReport report = step(stepper, model, flown.state, work);
    EXPECT_TRUE(report.ok()) << "step " << i << ": " << name_of(report.solve.status);
    if (!report.ok()) return flown;
    flown.gap = std::max(flown.gap, report.violation.max);
    flown.speed_miss = std::max(flown.speed_miss, report.residual);
    flown.passes += static_cast<double>(report.solve.iterations) / static_cast<double>(steps);
    flown.halvings += report.halvings;
  }
  return flown;
}

// The slope of log(error) against log(h) from the second step size to the last: halvings from
// there on.
inline double order_of(const std::vector<double>& errors, std::size_t from = 0) {
  return std::log2(errors[from] / errors.back()) / static_cast<double>(errors.size() - 1 - from);
}

// A mechanism of the acceptance table with its errors at t = 1 s for h = 0.02, 0.01, 0.005, 0.0025.
struct Row {
  const char* name;
  System system;
  std::vector<double> errors;
};

inline std::vector<Row> point_mass_rows() {
  return {{"double pendulum", make_double_pendulum(), {1.015e-2, 2.502e-3, 6.236e-4, 1.558e-4}},
          {"triple pendulum", make_triple_pendulum(), {9.012e-3, 2.235e-3, 5.575e-4, 1.393e-4}},
          {"cuboid", make_cuboid(Corner::fixed), {1.868e-3, 4.664e-4, 1.166e-4, 2.914e-5}}};
}

inline std::vector<Row> rigid_rows() {
  return {{"ball pendulum", make_ball_pendulum(), {3.72e-2, 9.21e-3, 2.30e-3, 5.74e-4}},
          {"hinge pendulum", make_hinge_pendulum(), {2.98e-3, 7.46e-4, 1.86e-4, 4.66e-5}},
          {"four-bar", make_four_bar(), {2.41e-2, 6.00e-3, 1.50e-3, 3.74e-4}}};
}

}  // namespace ligament::reference
