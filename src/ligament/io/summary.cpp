// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "ligament/io/results.h"
#include "ligament/version.h"

namespace ligament {
namespace {

nlohmann::ordered_json make_failed_step(const RunReport& report) {
  if (!report.bad_step) return {};
  return {{"file", failed_step_file},
          {"step", report.bad_step->step},
          {"time", report.bad_step->time},
          {"failed", report.bad_step->failed}};
}

}  // namespace

namespace {

using Json = nlohmann::ordered_json;

// What only this stepper has to tell, null for others.
Json make_impulse_json(const RunReport& report) {
  if (report.stepper != name_of(Stepper(Impulse{}))) return nullptr;
  return {{"passes", report.passes},
          {"halved_steps", report.halved_steps},
          {"redundant", report.redundant}};
}

}  // namespace

std::string make_summary(const SummaryInput& input) {
  const RunReport& report = input.report;
  const EnergyRange& energy = report.energy;
  const Json summary{
      {"ligament", version_string},
      {"scene", input.scene.name},
      {"scene_file", input.file.string()},
      {"status", name_of(report.status)},
      {"completed", report.status == RunStatus::completed},
      {"interrupted", report.status == RunStatus::interrupted},
      {"failure", report.failure.empty() ? Json() : Json(report.failure)},
      {"stepper", report.stepper},
      {"solver", report.solver},
      {"h", report.h},
      {"steps", report.steps},
      {"steps_asked", report.steps_asked},
      {"time", report.time},
      {"cpu_seconds", report.cpu_seconds},
      {"bodies", report.bodies},
      {"rows", report.rows},
      {"energy",
       {{"initial", energy.initial},
        {"final", energy.final},
        {"min", energy.min},
        {"max", energy.max}}},
      {"violation",
       {{"max", report.violation_max},
        {"rms", report.violation_rms},
        {"worst", report.violation_worst}}},
      {"residual", {{"max", report.residual_max}, {"worst", report.residual_worst}}},
      {"contacts",
       {{"most", report.contacts},
        {"penetration", report.penetration_max},
        {"worst", report.penetration_worst},
        {"friction_error", report.friction_error}}},
      {"velocity_error", report.velocity_error},
      {"unconverged_steps", report.unconverged_steps},
      {"methods", report.methods},
      {"injected_energy", report.injected_energy},
      {"solver_work", report.solver_work},
      {"impulse", make_impulse_json(report)},
      {"trajectory",
       {{"file", "trajectory.csv"}, {"every", input.scene.every}, {"rows", input.trajectory_rows}}},
      {"failed_step", make_failed_step(report)},
      {"warnings", report.warnings},
  };
  // Text that is not UTF-8, such as a strange file name, is replaced and not an error.
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ligament
