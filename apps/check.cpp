// SPDX-License-Identifier: Apache-2.0
// ligament check SCENE: says what is redundant, in conflict or beyond the time step, what a run
// should show and which step to take, and simulates nothing.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/overrides.h"
#include "apps/start.h"
#include "ligament/io/diagnosis_json.h"
#include "ligament/io/scene.h"
#include "ligament/simulation/diagnosis.h"

namespace ligament::apps {
namespace {

// Beside 0 for a machine that nothing is said against.
constexpr int warnings_found = 1, errors_found = 2;

struct CheckArguments {
  std::string scene;
  std::vector<std::string> set;
  bool json = false;
};

int check_scene(const CheckArguments& arguments) {
  const Scene scene = read_scene(arguments.scene, parse_overrides(arguments.set));
  print_warnings(scene);
  const Diagnosis diagnosis = diagnose(scene.model, scene.stepper);
  if (arguments.json)
    fmt::print("{}", make_diagnosis_json(scene.name, diagnosis));
  else
    fmt::print("scene         {}\n{}", scene.name, diagnosis.text());
  if (diagnosis.has(Severity::error)) return errors_found;
  return diagnosis.has(Severity::warning) ? warnings_found : ok;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* check = app.add_subcommand(
      "check",
      "Say before a run what is redundant, in conflict or beyond the step, and what to expect");
  auto arguments = std::make_shared<CheckArguments>();
  check->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  add_set_option(*check, arguments->set);
  check->add_flag("--json", arguments->json, "Print JSON instead of a text");
  check->callback([arguments, &exit_code] { exit_code = check_scene(*arguments); });
}

}  // namespace ligament::apps
