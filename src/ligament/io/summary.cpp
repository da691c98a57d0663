// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "ligament/io/results.h"
#include "ligament/version.h"

namespace ligament {
namespace {

using Json = nlohmann::ordered_json;

Json make_failed_step(const RunReport& report) {
  if (!report.bad_step) return {};
  return {{"file", failed_step_file},
          {"step", report.bad_step->step},
          {"time", report.bad_step->time},
          {"failed", report.bad_step->failed}};
}

// What only this stepper has to tell, null for others.
Json make_impulse_json(const RunReport& report) {
  if (report.stepper != name_of(Stepper(Impulse{}))) return nullptr;
  return {{"passes", report.passes},
          {"halved_steps", report.halved_steps},
          {"redundant", report.redundant}};
}

Json make_error_json(const ErrorReport& error) {
  Json softest = Json::array();
  for (const SoftRow& row : error.softest)
    softest.push_back({{"name", row.name},
                       {"compliance", row.compliance},
                       {"asked", row.asked},
                       {"unit", row.unit},
                       {"extra_give", row.give},
                       {"extra_give_unit", row.give_unit}});
  return {{"as_asked", error.as_asked},
          {"inaccurate_steps", error.inaccurate_steps},
          {"extra_give", error.give},
          {"softest", std::move(softest)},
          {"infeasible_rows", error.infeasible},
          {"fed_work", error.fed_work},
          {"moved_energy", error.moved_energy},
          {"feeding", {{"name", error.feeding}, {"work", error.feeding_work}}},
          {"missed_contacts",
           {{"count", error.missed}, {"worst", error.missed_worst}, {"speed", error.missed_speed}}},
          {"friction",
           {{"worst", error.friction_worst},
            {"force", error.friction.force},
            {"excess", error.friction.excess},
            {"angle", error.friction.angle},
            {"slip", error.friction.slip}}}};
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
      {"simulated", make_error_json(report.error)},
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
