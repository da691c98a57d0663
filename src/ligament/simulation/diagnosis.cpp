// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "ligament/measure/rank.h"
#include "ligament/simulation/step_check.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

RowRank rank_at(const Model& model, const State& state, Drives drives, Workspace& work) {
  build_rows(model, state, work);
  assemble_motion(model, state, 0.0, Gyroscopic::kick_drift, work);
  return compute_rank(work.problem.M, work.problem.G, find_ties(model, work, drives));
}

int count(const std::vector<bool>& flags) {
  return static_cast<int>(std::ranges::count(flags, true));
}

// A pose nearby that closes too: a small random push, and assembly. Empty if that fails.
std::optional<State> find_pose_nearby(const Model& model, State state) {
  constexpr double push = 0.02;  // [m, rad]
  std::mt19937_64 engine(1);
  VecX v(model.velocities());
  for (double& value : v) value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0;
  displace(model, v, push, state);
  if (!assemble(model, state).open.empty()) return std::nullopt;
  return state;
}

// The conflicts of assembly as findings: nothing can be simulated with them.
void add_conflicts(const AssemblyReport& assembly, std::vector<Finding>& out) {
  const auto add = [&](const std::vector<OpenRow>& rows, const char* unit) {
    if (rows.empty()) return;
    out.push_back({.severity = Severity::error,
                   .kind = "conflict",
                   .where = rows.front().name,
                   .what = assembly.describe(),
                   .change = "remove one of the joints or drives named, or make their places agree",
                   .value = std::abs(rows.front().gap),
                   .unit = unit,
                   .others = static_cast<int>(rows.size()) - 1});
  };
  add(assembly.open, "m or rad");
  if (assembly.open.empty()) add(assembly.contradictions, "m/s or rad/s");
}

}  // namespace

Diagnosis diagnose(const Model& model, const Stepper& stepper) {
  Diagnosis result{.bodies = model.moving_bodies(), .velocities = model.velocities()};
  State state = model.initial_state();
  result.h = step_size(stepper);
  result.assembly = assemble(model, state);
  add_conflicts(result.assembly, result.findings);

  Workspace work(model);
  const RowRank rank = rank_at(model, state, Drives::left_out, work);
  result.rows = count(find_ties(model, work, Drives::left_out));
  result.driven = count(find_ties(model, work, Drives::counted)) - result.rows;
  result.degrees_of_freedom = model.velocities() - rank.rank;
  result.undriven = model.velocities() - rank_at(model, state, Drives::counted, work).rank;
  const std::vector<bool> ties = find_ties(model, work, Drives::left_out);
  for (int row = 0; row < static_cast<int>(ties.size()); ++row) {
    if (!ties[static_cast<std::size_t>(row)]) continue;
    const bool follows = std::ranges::binary_search(rank.dependent, row);
    (follows ? result.redundant : result.independent)
        .push_back(name_of_row(work.constraints, model, work.problem.G, row));
  }
  if (result.assembly.open.empty())
    if (const std::optional<State> nearby = find_pose_nearby(model, state))
      result.nearby = model.velocities() - rank_at(model, *nearby, Drives::left_out, work).rank;

  check_step(model, stepper, state, rank.dependent, result);
  return result;
}

bool Diagnosis::has(Severity severity) const {
  return std::ranges::any_of(findings,
                             [=](const Finding& found) { return found.severity == severity; });
}

double Diagnosis::recommended_h() const {
  if (limits.empty() || !(limits.front().h < h)) return h;
  const double digit = std::pow(10.0, std::floor(std::log10(limits.front().h)) - 1.0);
  return std::floor(limits.front().h / digit * (1.0 + 1e-12)) * digit;
}

}  // namespace ligament
