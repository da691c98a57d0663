// SPDX-License-Identifier: Apache-2.0
// ligament check SCENE: says what is redundant, in conflict or beyond the time step, and simulates
// nothing.

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
  return diagnosis.ok() ? ok : failed;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* check = app.add_subcommand(
      "check", "Report degrees of freedom, redundant rows, conflicts and what h cannot resolve");
  auto arguments = std::make_shared<CheckArguments>();
  check->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  add_set_option(*check, arguments->set);
  check->add_flag("--json", arguments->json, "Print JSON instead of a text");
  check->callback([arguments, &exit_code] { exit_code = check_scene(*arguments); });
}

}  // namespace ligament::apps
