// SPDX-License-Identifier: Apache-2.0
// ligament run SCENE: simulates a scene and writes a results folder.

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/interrupt.h"
#include "apps/overrides.h"
#include "apps/progress.h"
#include "apps/start.h"
#include "ligament/io/results.h"
#include "ligament/io/scene.h"
#include "ligament/problem/dump.h"
#include "ligament/simulation/run.h"

namespace ligament::apps {
namespace {

struct RunArguments {
  std::string scene;
  std::string out;
  std::string stepper;
  std::string duration;
  std::string steps;
  std::vector<std::string> set;
  std::pair<long, std::string> dump{0, ""};  // step and file; no file: no dump
  bool json = false;
  bool quiet = false;
};

std::vector<Override> collect_overrides(const RunArguments& arguments) {
  std::vector<Override> overrides = parse_overrides(arguments.set);
  const auto add = [&](const char* option, const char* key, const std::string& value) {
    if (value.empty()) return;
    overrides.push_back({key, value, fmt::format("{} {}", option, value)});
  };
  add("--stepper", "stepper.type", arguments.stepper);
  add("--duration", "run.duration", arguments.duration);
  add("--steps", "run.steps", arguments.steps);
  return overrides;
}

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

struct Simulated {
  RunReport report;
  State last;
};

Simulated simulate(const Scene& scene, const RunArguments& arguments, State state,
                   TrajectoryWriter& trajectory) {
  Progress progress(scene.steps,
                    arguments.quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
  const long dump_step = arguments.dump.first;
  const std::string& dump_file = arguments.dump.second;
  RunOptions options{.steps = scene.steps, .staggered_start = scene.staggered};
  std::string open_start;
  options.observers.emplace_back([&](const Sample& sample) {
    trajectory.record(sample);
    progress.show(sample.step, sample.state.t);
    if (sample.step == 1) open_start = describe_open_start(sample);
    if (!dump_file.empty() && sample.step == dump_step - 1)
      dump_next_step(scene, sample.state, dump_file);
  });
  options.should_stop = [&] { return interrupt_signal() != 0 || trajectory.failed(); };
  RunReport report = run(scene.model, scene.stepper, state, options);
  if (!open_start.empty()) report.warnings.insert(report.warnings.begin(), open_start);
  return {std::move(report), std::move(state)};
}

void check_dump_step(const RunArguments& arguments, const Scene& scene) {
  const auto& [step, file] = arguments.dump;
  if (!file.empty() && (step < 1 || step > scene.steps))
    throw InputError(
        fmt::format("--dump-step {}: the run has the steps 1 … {}", step, scene.steps));
}

int exit_code_of(const RunReport& report) {
  if (report.status == RunStatus::completed) return ok;
  if (report.status == RunStatus::interrupted) return 128 + interrupt_signal();
  return failed;
}

int run_scene(const RunArguments& arguments) {
  const Scene scene = read_scene(arguments.scene, collect_overrides(arguments));
  check_dump_step(arguments, scene);
  if (!arguments.quiet) print_warnings(scene);
  State start = make_start(scene, arguments.scene);
  const std::filesystem::path stem = std::filesystem::path(arguments.scene).stem();
  const std::filesystem::path out =
      arguments.out.empty() ? "results" / stem : std::filesystem::path(arguments.out);

  catch_interrupts();
  ResultsFolder folder(out);
  TrajectoryWriter trajectory(folder.part("trajectory.csv"), scene);
  const Simulated done = simulate(scene, arguments, std::move(start), trajectory);
  trajectory.finish(done.last, done.report.steps);
  const std::string summary = make_summary({.scene = scene,
                                            .file = arguments.scene,
                                            .report = done.report,
                                            .trajectory_rows = trajectory.rows()});
  write_text(folder.part("summary.json"), summary);
  folder.publish({"trajectory.csv", "summary.json"});

  if (arguments.json)
    fmt::print("{}", summary);
  else if (!arguments.quiet)
    fmt::print("scene         {}\n{}results       {}: summary.json, trajectory.csv ({} rows)\n",
               scene.name, done.report.full(), out.string(), trajectory.rows());
  if (!arguments.dump.second.empty() && done.report.steps < arguments.dump.first - 1)
    fmt::print(stderr, "ligament: step {} was not reached: no dump\n", arguments.dump.first);
  if (!done.report.failure.empty()) fmt::print(stderr, "ligament: {}\n", done.report.failure);
  return exit_code_of(done.report);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene and write a results folder");
  auto arguments = std::make_shared<RunArguments>();
  run->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  run->add_option("--out", arguments->out, "Folder for the results (default: results/SCENE)")
      ->type_name("DIR");
  run->add_option("--stepper", arguments->stepper, "The time stepper: spook or relaxed")
      ->type_name("NAME");
  add_set_option(*run, arguments->set);
  auto* duration = run->add_option("--duration", arguments->duration, "Simulated time [s]");
  duration->type_name("T");
  run->add_option("--steps", arguments->steps, "Number of steps")
      ->type_name("N")
      ->excludes(duration);
  run->add_option("--dump-step", arguments->dump,
                  "Write the problem of step K (1, 2, …) to FILE, for `ligament solve`")
      ->type_name("K FILE");
  run->add_flag("--json", arguments->json, "Print summary.json instead of a text");
  run->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  run->callback([arguments, &exit_code] { exit_code = run_scene(*arguments); });
}

}  // namespace ligament::apps
