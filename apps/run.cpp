// SPDX-License-Identifier: Apache-2.0
// ligament run SCENE: simulates a scene and writes a results folder.

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/compare.h"
#include "apps/interrupt.h"
#include "apps/overrides.h"
#include "apps/page.h"
#include "apps/simulate.h"
#include "apps/start.h"
#include "ligament/io/replay/replay.h"

namespace ligament::apps {
namespace {

struct RunArguments {
  std::string scene;
  std::string out;
  std::string stepper;
  std::string duration;
  std::string steps;
  std::string compare;
  std::vector<std::string> set;
  std::pair<long, std::string> dump{0, ""};  // step and file; no file: no dump
  bool json = false;
  bool quiet = false;
  bool no_replay = false;

  bool wants_replay() const { return !no_replay && !page().empty(); }
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

SimulateOptions make_options(const RunArguments& arguments) {
  return {.file = arguments.scene,
          .dump = arguments.dump,
          .quiet = arguments.quiet,
          .record = arguments.wants_replay()};
}

std::filesystem::path choose_folder(const RunArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  return "results" / std::filesystem::path(arguments.scene).stem();
}

// What went wrong, and where the problem of the step is that did.
void print_failure(const RunReport& report, const std::filesystem::path& folder,
                   const std::string& whose) {
  if (report.failure.empty()) return;
  fmt::print(stderr, "ligament: {}{}\n", whose, report.failure);
  if (!report.bad_step) return;
  const StepProblem& problem = report.bad_step->problem;
  const bool finite = problem.p.allFinite() && problem.b.allFinite();
  fmt::print(stderr, "ligament: the problem of step {} is in {}: {}a report of this can carry it\n",
             report.bad_step->step, (folder / failed_step_file).string(),
             finite ? "`ligament solve` solves it again, with any solver, and "
                    : "it has numbers that are none, and ");
}

int run_scene(const RunArguments& arguments) {
  const Scene scene = read_scene(arguments.scene, collect_overrides(arguments));
  check_dump_step(arguments, scene);
  if (!arguments.quiet) print_warnings(scene);
  State start = make_start(scene, arguments.scene);

  catch_interrupts();
  ResultsFolder folder(choose_folder(arguments));
  const Simulated done = simulate(scene, make_options(arguments), std::move(start), folder);
  std::vector<std::string> files = done.files;
  if (done.recorder) {
    const ReplayRun run{.recorder = *done.recorder, .report = done.report};
    write_text(folder.part("replay.html"), make_replay(page(), {&run, 1}));
    files.insert(files.end() - 1, "replay.html");  // the summary is the last
  }
  folder.publish(files);

  if (arguments.json)
    fmt::print("{}", done.summary);
  else if (!arguments.quiet)
    fmt::print("scene         {}\n{}results       {}: {} ({} rows)\n", scene.name,
               done.report.full(), folder.path().string(), fmt::join(files, ", "), done.rows);
  if (!arguments.dump.second.empty() && done.report.steps < arguments.dump.first - 1)
    fmt::print(stderr, "ligament: step {} was not reached: no dump\n", arguments.dump.first);
  print_failure(done.report, folder.path(), "");
  return exit_code_of(done.report);
}

// Runs that are compared, each with what it is a run of.
struct Compared {
  Variation variation;
  Scene scene;
  State start;
  Simulated done{};
};

std::deque<Compared> read_comparison(const RunArguments& arguments) {
  std::deque<Compared> runs;  // a deque: recorders keep references to the scenes
  for (Variation& variation : parse_comparison(arguments.compare)) {
    std::vector<Override> overrides = collect_overrides(arguments);
    overrides.push_back(variation.override);
    Scene scene = read_scene(arguments.scene, overrides);
    State start = make_start(scene, arguments.scene);
    runs.push_back({std::move(variation), std::move(scene), std::move(start)});
  }
  return runs;
}

void print_comparison(const std::deque<Compared>& runs) {
  std::size_t width = 4;
  for (const Compared& run : runs) width = std::max(width, run.variation.label.size());
  fmt::print("{:<{}}  {:>13}  {:>13}  {:>12}  {:>12}  {:>12}  {:>9}  {}\n", "run", width,
             "energy [J]", "change [J]", "error max", "error rms", "overlap [m]", "cpu [s]",
             "status");
  for (const Compared& run : runs) {
    const RunReport& report = run.done.report;
    fmt::print("{:<{}}  {:>13.6g}  {:>13.4g}  {:>12.3g}  {:>12.3g}  {:>12.3g}  {:>9.3g}  {}\n",
               run.variation.label, width, report.energy.final,
               report.energy.final - report.energy.initial, report.violation_max,
               report.violation_rms, report.penetration_max, report.cpu_seconds,
               name_of(report.status));
  }
}

void print_summaries(const std::deque<Compared>& runs) {
  std::vector<std::string> summaries;
  for (const Compared& run : runs)
    summaries.push_back(run.done.summary.substr(0, run.done.summary.find_last_not_of('\n') + 1));
  fmt::print("[{}]\n", fmt::join(summaries, ",\n"));
}

// All scenes are read before the first one runs. Each run has a folder of its own, and the page
// shows them together.
int compare_runs(const RunArguments& arguments) {
  std::deque<Compared> runs = read_comparison(arguments);
  if (!arguments.quiet) print_warnings(runs.front().scene);
  catch_interrupts();
  ResultsFolder folder(choose_folder(arguments));
  int code = ok;
  std::size_t count = 0;
  while (count < runs.size() && interrupt_signal() == 0) {
    Compared& run = runs[count++];
    ResultsFolder own(folder.path() / run.variation.folder);
    run.done = simulate(run.scene, make_options(arguments), std::move(run.start), own);
    own.publish(run.done.files);
    print_failure(run.done.report, own.path(), run.variation.label + ": ");
    code = std::max(code, exit_code_of(run.done.report));
  }
  while (runs.size() > count) runs.pop_back();
  if (arguments.wants_replay()) {
    std::vector<ReplayRun> shown;
    for (Compared& run : runs)
      shown.push_back({.recorder = *run.done.recorder,
                       .report = run.done.report,
                       .label = run.variation.label});
    write_text(folder.part("replay.html"), make_replay(page(), shown));
    folder.publish({"replay.html"});
  }
  if (arguments.json)
    print_summaries(runs);
  else if (!arguments.quiet) {
    fmt::print("scene         {}\n", runs.front().scene.name);
    print_comparison(runs);
    fmt::print("results       {}: {}a folder for each run\n", folder.path().string(),
               arguments.wants_replay() ? "replay.html, " : "");
  }
  return code;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene and write a results folder");
  auto arguments = std::make_shared<RunArguments>();
  run->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  run->add_option("--out", arguments->out, "Folder for the results (default: results/SCENE)")
      ->type_name("DIR");
  run->add_option("--stepper", arguments->stepper,
                  "The time stepper: spook, relaxed, trapezoidal, impulse, …")
      ->type_name("NAME");
  add_set_option(*run, arguments->set);
  auto* duration = run->add_option("--duration", arguments->duration, "Simulated time [s]");
  duration->type_name("T");
  run->add_option("--steps", arguments->steps, "Number of steps")
      ->type_name("N")
      ->excludes(duration);
  auto* dump =
      run->add_option("--dump-step", arguments->dump,
                      "Write the problem of step K (1, 2, …) to FILE, for `ligament solve`");
  dump->type_name("K FILE");
  run->add_option("--compare", arguments->compare,
                  "One run a value, together in one replay: stepper=spook,relaxed")
      ->type_name("KEY=VALUE,VALUE")
      ->excludes(dump);
  run->add_flag("--no-replay", arguments->no_replay, "Write no replay.html");
  run->add_flag("--json", arguments->json, "Print summary.json instead of a text");
  run->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  run->callback([arguments, &exit_code] {
    exit_code = arguments->compare.empty() ? run_scene(*arguments) : compare_runs(*arguments);
  });
}

}  // namespace ligament::apps
