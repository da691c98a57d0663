// SPDX-License-Identifier: Apache-2.0
#include "apps/simulate.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "apps/commands.h"
#include "apps/interrupt.h"
#include "apps/progress.h"
#include "ligament/problem/dump.h"

namespace ligament::apps {
namespace {

// Takes one step on a copy and writes its problem: a new workspace gives the same motion.
void dump_next_step(const Scene& scene, const State& state, const std::string& file) {
  State copy = state;
  Workspace work(scene.model);
  step(scene.stepper, scene.model, copy, work);
  std::ofstream out(file, std::ios::binary);
  write_dump(work.problem, out);
  out.close();
  if (!out) throw InputError(fmt::format("{}: the dump cannot be written", file));
}

// What to say about a start whose joints are open, after the first step has measured it; empty if
// they are closed.
std::string describe_open_start(const Sample& sample) {
  constexpr double most = 1e-3;  // [m, rad]
  const Violation& violation = sample.report->violation;
  if (!(violation.max > most)) return {};
  return fmt::format(
      "the machine is open at the start, {} by {:.3g} m or rad: \"assemble\": true in "
      "the scene brings it together",
      name_of_row(sample.work.constraints, sample.model, sample.work.problem.G,
                  violation.worst_row),
      violation.max);
}

// Writes the problem of the step that failed, or takes away that of an earlier run.
bool keep_bad_step(const RunReport& report, ResultsFolder& folder) {
  std::error_code ignored;
  std::filesystem::remove(folder.path() / failed_step_file, ignored);
  if (!report.bad_step) return false;
  std::ostringstream text;
  write_dump(report.bad_step->problem, text, report.bad_step->notes);
  write_text(folder.part(failed_step_file), text.str());
  return true;
}

}  // namespace

Simulated simulate(const Scene& scene, const SimulateOptions& options, State state,
                   ResultsFolder& folder) {
  TrajectoryWriter trajectory(folder.part("trajectory.csv"), scene);
  HistoryWriter history(folder.part("history.csv"), scene);
  Simulated done;
  if (options.record) done.recorder = std::make_unique<Recorder>(scene);
  Progress progress(scene.steps, options.quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
  RunOptions run_options{.steps = scene.steps, .staggered_start = scene.staggered};
  std::string open_start;
  run_options.observers.emplace_back([&](const Sample& sample) {
    trajectory.record(sample);
    history.record(sample);
    if (done.recorder) done.recorder->record(sample);
    progress.show(sample.step, sample.state.t);
    if (sample.step == 1) open_start = describe_open_start(sample);
    if (!options.dump.second.empty() && sample.step == options.dump.first - 1)
      dump_next_step(scene, sample.state, options.dump.second);
  });
  run_options.should_stop = [&] {
    return interrupt_signal() != 0 || trajectory.failed() || history.failed();
  };
  done.report = run(scene.model, scene.stepper, state, run_options);
  if (!open_start.empty()) done.report.warnings.insert(done.report.warnings.begin(), open_start);
  trajectory.finish(state, done.report.steps);
  history.finish();
  done.rows = trajectory.rows();
  done.summary = make_summary(
      {.scene = scene, .file = options.file, .report = done.report, .trajectory_rows = done.rows});
  done.files = {"trajectory.csv", "history.csv"};
  if (keep_bad_step(done.report, folder)) done.files.emplace_back(failed_step_file);
  write_text(folder.part("summary.json"), done.summary);
  done.files.emplace_back("summary.json");
  return done;
}

}  // namespace ligament::apps
