// SPDX-License-Identifier: Apache-2.0
// ligament advise SCENE: tries methods and steps, and says which meets an accuracy at least cost.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/interrupt.h"
#include "apps/overrides.h"
#include "apps/progress.h"
#include "apps/start.h"
#include "ligament/io/scene.h"
#include "ligament/simulation/advice.h"
#include "ligament/simulation/diagnosis.h"
#include "ligament/version.h"

namespace ligament::apps {
namespace {

using Json = nlohmann::ordered_json;

struct AdviseArguments {
  std::string scene;
  std::vector<std::string> set;
  double tolerance = 1e-3;
  double duration = 0.0;  // 0: that of the scene
  double budget = 60.0;
  bool json = false;
};

// A method, and how a scene asks for it.
struct Method {
  const char* name;
  const char* options;  // of the stepper, beside h; null: as the scene has it
  bool staggered = false;
  bool for_contacts = false;  // makes a difference with contacts, limits or bounds only
};

constexpr Method methods[] = {
    {"as the scene has it", nullptr},
    {"spook", R"({"type": "spook"})"},
    {"spook, staggered start", R"({"type": "spook"})", true},
    {"spook, half a step of damping", R"({"type": "spook", "damping_steps": 0.5})"},
    {"spook, gauss_seidel", R"({"type": "spook", "solver": "gauss_seidel"})", false, true},
    {"relaxed", R"({"type": "relaxed"})"},
    {"regularized_vi", R"({"type": "regularized_vi"})"},
    {"trapezoidal", R"({"type": "trapezoidal"})"},
    {"impulse", R"({"type": "impulse"})"},
    {"impulse, order 4", R"({"type": "impulse", "higher_order": "suzuki_4"})"},
    {"taylor", R"({"type": "taylor"})"},
};

// What was found, and what it is about.
struct Found {
  const Scene& scene;
  const AdviseArguments& arguments;
  std::vector<const Method*> methods;
  Advice advice;
  double sag = 0.0;  // [m, rad] of the joints by their compliance, which references do not have
};

std::string quote(const std::string& text) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// The command that runs the scene like this trial.
std::string make_command(const Found& found, const Trial& trial) {
  const Method& method = *found.methods[trial.candidate];
  std::string command = "ligament run " + quote(found.arguments.scene);
  for (const std::string& set : found.arguments.set) command += " --set " + quote(set);
  if (method.options) {
    Json stepper = Json::parse(method.options);
    stepper["h"] = trial.h;
    command += " --set " + quote("stepper=" + stepper.dump());
  } else {
    command += fmt::format(" --set h={}", trial.h);
  }
  if (method.options && method.staggered != found.scene.staggered)
    command += method.staggered ? " --set staggered=true" : " --set staggered=false";
  if (found.arguments.duration > 0.0)
    command += fmt::format(" --duration {}", found.arguments.duration);
  return command;
}

const char* name_of_status(AdviceStatus status) {
  constexpr const char* names[] = {"found", "none", "no reference", "interrupted"};
  return names[static_cast<std::size_t>(status)];
}

bool sag_matters(const Found& found) {
  return found.sag > 0.1 * found.arguments.tolerance * found.advice.scale;
}

// Trials that are far off are left out, but for the last of a method.
void print_table(const Found& found) {
  constexpr double far_off = 10.0;  // tolerances
  std::size_t width = 6;
  for (const Method* method : found.methods)
    width = std::max(width, std::string(method->name).size());
  fmt::print("\n   {:<{}}  {:<14}  {:>10}  {:>9}  {:>12}  {:>13}\n", "method", width, "solver",
             "step [s]", "error", "time [cpu s]", "multiply-adds");
  for (std::size_t i = 0; i < found.advice.trials.size(); ++i) {
    const Trial& trial = found.advice.trials[i];
    const Method& method = *found.methods[trial.candidate];
    const bool marked = found.advice.recommended == i;
    const bool last = i + 1 == found.advice.trials.size() ||
                      found.advice.trials[i + 1].candidate != trial.candidate;
    if (!last && !(trial.error < far_off * found.arguments.tolerance)) continue;
    const std::string options = method.options ? method.options : "";
    const char* solver = !method.options ? name_of(solver_of(found.scene.stepper))
                         : options.find("gauss_seidel") != std::string::npos ? "gauss_seidel"
                                                                             : "automatic";
    const std::string error = trial.failure.empty() ? fmt::format("{:.2e}", trial.error) : "failed";
    fmt::print("{} {:<{}}  {:<14}  {:>10.4g}  {:>9}  {:>12.3g}  {:>13.3g}\n", marked ? "=>" : "  ",
               method.name, width, solver, trial.h, error, trial.cpu_seconds, trial.solver_work);
  }
  for (std::size_t i = 0; i < found.methods.size(); ++i)
    if (i < found.advice.unfit.size() && !found.advice.unfit[i].empty())
      fmt::print("   {:<{}}  not tried: {}\n", found.methods[i]->name, width,
                 found.advice.unfit[i]);
  fmt::print("\n");
}

void print_reference(const Found& found, double duration) {
  const Advice& advice = found.advice;
  fmt::print(
      "accuracy      positions within {:g} of {} ({:.3g} m, root mean square)\n",
      found.arguments.tolerance,
      advice.moves ? "how far the bodies move" : "the size of the machine, which hardly moves",
      advice.scale);
  fmt::print("reference     {}, with steps of {:.3g} s; {} agrees with it to {:.1e} of that\n",
             advice.reference, advice.reference_h, advice.other_reference, advice.reference_error);
  if (!advice.reference_failure.empty())
    fmt::print(
        "note          the reference ends early, errors are measured up to t = {:.3g} s: {}\n",
        advice.time, advice.reference_failure);
  else if (advice.time < duration)
    fmt::print(
        "note          the references agree until t = {:.3g} s of {:.3g} s and not after: the "
        "motion is "
        "chaotic, too rough or needs finer steps than the budget allows. Errors are measured up to "
        "there\n",
        advice.time, duration);
  if (sag_matters(found))
    fmt::print(
        "note          joints give way by up to {:.2g} m or rad under the load of the start, by "
        "their compliance. The references have rigid joints: errors of the other methods include "
        "it\n",
        found.sag);
}

void print_text(const Found& found, double duration) {
  const Advice& advice = found.advice;
  fmt::print("scene         {}\n", found.scene.name);
  if (advice.status == AdviceStatus::no_reference) {
    fmt::print(
        "no advice     {} and {} do not agree to a tenth of the tolerance, even for the first "
        "{:.3g} s: the motion is chaotic or too rough, or the budget of {:g} s too small. Ask for "
        "less accuracy, a shorter --duration or a larger --budget\n",
        advice.reference, advice.other_reference, duration / 16, found.arguments.budget);
    return;
  }
  if (advice.scale > 0.0) print_reference(found, duration);
  print_table(found);
  if (advice.recommended)
    fmt::print("use           {}\n", make_command(found, advice.trials[*advice.recommended]));
  else if (advice.status == AdviceStatus::none)
    fmt::print(
        "no advice     no method reached the tolerance within the budget of {:g} s: ask for less "
        "accuracy, a shorter --duration or a larger --budget\n",
        found.arguments.budget);
}

Json make_json(const Found& found, double duration) {
  const Advice& advice = found.advice;
  Json trials = Json::array();
  for (std::size_t i = 0; i < advice.trials.size(); ++i) {
    const Trial& trial = advice.trials[i];
    trials.push_back({{"method", found.methods[trial.candidate]->name},
                      {"h", trial.h},
                      {"error", trial.failure.empty() ? Json(trial.error) : Json()},
                      {"failure", trial.failure.empty() ? Json() : Json(trial.failure)},
                      {"cpu_seconds", trial.cpu_seconds},
                      {"solver_work", trial.solver_work},
                      {"steps", trial.steps},
                      {"meets", trial.meets(found.arguments.tolerance)},
                      {"recommended", advice.recommended == i},
                      {"command", make_command(found, trial)}});
  }
  Json unfit = Json::array();
  for (std::size_t i = 0; i < advice.unfit.size(); ++i)
    if (!advice.unfit[i].empty())
      unfit.push_back({{"method", found.methods[i]->name}, {"why", advice.unfit[i]}});
  return {
      {"ligament", version_string},
      {"scene", found.scene.name},
      {"status", name_of_status(advice.status)},
      {"tolerance", found.arguments.tolerance},
      {"duration", duration},
      {"time", advice.time},
      {"scale", advice.scale},
      {"reference",
       {{"methods", {advice.reference, advice.other_reference}},
        {"h", advice.reference_h},
        {"agree", advice.reference_error}}},
      {"sag", found.sag},
      {"trials", trials},
      {"unfit", unfit},
      {"command", advice.recommended ? Json(make_command(found, advice.trials[*advice.recommended]))
                                     : Json()}};
}

std::vector<Candidate> make_candidates(Found& found) {
  const Model& model = found.scene.model;
  const bool bounded = !model.shapes().empty() || !model.controls().empty();
  std::vector<Candidate> candidates;
  for (const Method& method : methods) {
    if (method.for_contacts && !bounded) continue;
    found.methods.push_back(&method);
    candidates.push_back(
        {.name = method.name,
         .stepper = method.options ? make_stepper(method.options) : found.scene.stepper,
         .staggered = method.options ? method.staggered : found.scene.staggered});
  }
  return candidates;
}

int advise_scene(const AdviseArguments& arguments) {
  const Scene scene = read_scene(arguments.scene, parse_overrides(arguments.set));
  print_warnings(scene);
  const State start = make_start(scene, arguments.scene);
  const double asked = static_cast<double>(scene.steps) * step_size(scene.stepper);
  AdviceOptions options{.tolerance = arguments.tolerance,
                        .duration = arguments.duration > 0.0 ? arguments.duration : asked,
                        .budget = arguments.budget};
  Found found{.scene = scene, .arguments = arguments};
  const std::vector<Candidate> candidates = make_candidates(found);
  catch_interrupts();
  StatusLine status;
  options.should_stop = [] { return interrupt_signal() != 0; };
  options.progress = [&](const std::string& what) { status.show(what); };
  try {
    found.advice = advise(scene.model, start, candidates, options);
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("{}: {}", arguments.scene, error.what()));
  }
  status.wipe();
  found.sag = diagnose(scene.model, Spook{}).outlook.sag.value;
  if (arguments.json)
    fmt::print(
        "{}\n",
        make_json(found, options.duration).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_text(found, options.duration);
  if (found.advice.status == AdviceStatus::interrupted) return 128 + interrupt_signal();
  return found.advice.status == AdviceStatus::found ? ok : failed;
}

}  // namespace

void add_advise_command(CLI::App& app, int& exit_code) {
  CLI::App* advise = app.add_subcommand(
      "advise", "Find the method and the step that meet an accuracy at least cost, by trial runs");
  auto arguments = std::make_shared<AdviseArguments>();
  advise->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  add_set_option(*advise, arguments->set);
  advise
      ->add_option("--tolerance", arguments->tolerance,
                   "Error of positions, relative to how far the bodies move (default 1e-3)")
      ->type_name("E")
      ->check(CLI::Range(1e-12, 0.5));
  advise->add_option("--duration", arguments->duration, "Simulated time [s] (default: the scene's)")
      ->type_name("T")
      ->check(CLI::PositiveNumber);
  advise->add_option("--budget", arguments->budget, "Time for all trials [s] (default 60)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  advise->add_flag("--json", arguments->json, "Print JSON instead of a text");
  advise->callback([arguments, &exit_code] { exit_code = advise_scene(*arguments); });
}

}  // namespace ligament::apps
