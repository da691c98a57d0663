// SPDX-License-Identifier: Apache-2.0
// Runs that must come to their end.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "ligament/ligament.h"

namespace ligament::papers {

struct Simulated {
  State state;
  RunReport report;
};

// Throws std::runtime_error with the reason if the run breaks off.
inline Simulated simulate(const Model& model, const Stepper& stepper, const RunOptions& options) {
  Simulated out{.state = model.initial_state(), .report = {}};
  out.report = run(model, stepper, out.state, options);
  if (out.report.status != RunStatus::completed)
    throw std::runtime_error(fmt::format("{}: {}", name_of(out.report.status), out.report.failure));
  return out;
}

// One step that must succeed.
inline StepReport take_step(const Model& model, const Stepper& stepper, State& state,
                            Workspace& work) {
  const StepReport report = step(stepper, model, state, work);
  if (!report.ok()) throw std::runtime_error(name_of(report.solve.status));
  return report;
}

// 1e6, of a power of ten.
inline std::string power(double value) {
  return fmt::format("1e{:.0f}", std::round(std::log10(value)));
}

// Four digits, for tables.
inline std::string cell(double value) { return fmt::format("{:.4g}", value); }

}  // namespace ligament::papers
