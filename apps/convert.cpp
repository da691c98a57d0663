// SPDX-License-Identifier: Apache-2.0
// ligament convert SCENE --to point-masses: writes a scene that moves in the same way, made of
// other things.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/overrides.h"
#include "apps/start.h"
#include "ligament/io/results.h"
#include "ligament/io/scene.h"
#include "ligament/io/scene_text.h"
#include "ligament/simulation/point_mass_twin.h"

namespace ligament::apps {
namespace {

struct ConvertArguments {
  std::string scene;
  std::string to;
  std::string out;
  std::vector<std::string> set;
  double fraction = 0.5;
  bool all_distances = false;
};

int convert_scene(const ConvertArguments& arguments) {
  if (arguments.to != "point-masses")
    throw InputError(fmt::format("--to {}: scenes can be converted to point-masses", arguments.to));
  if (!(arguments.fraction > 0.0 && arguments.fraction < 1.0))
    throw InputError(
        fmt::format("--fraction {:g}: it must be between 0 and 1", arguments.fraction));
  const Scene scene = read_scene(arguments.scene, parse_overrides(arguments.set));
  print_warnings(scene);
  const State start = make_start(scene, arguments.scene);
  const TwinOptions options{
      .fraction = arguments.fraction,
      .distances = arguments.all_distances ? TwinDistances::all : TwinDistances::independent};
  std::string text;
  try {
    const PointMassTwin twin = make_point_mass_twin(scene.model, start, options);
    text = make_scene_text({.model = twin.model,
                            .name = scene.name + ", point masses",
                            .description = "Made by `ligament convert --to point-masses`.",
                            .h = step_size(scene.stepper),
                            .steps = scene.steps});
    if (!arguments.out.empty())
      fmt::print("{}: {} point masses, {} joints\n", arguments.out, twin.model.moving_bodies(),
                 twin.model.joints().size());
  } catch (const TwinError& error) {
    throw InputError(fmt::format("{}: {}", arguments.scene, error.what()));
  }
  if (arguments.out.empty())
    fmt::print("{}", text);
  else
    write_text(arguments.out, text);
  return ok;
}

}  // namespace

void add_convert_command(CLI::App& app, int& exit_code) {
  CLI::App* convert = app.add_subcommand("convert", "Write a scene as one made of other things");
  auto arguments = std::make_shared<ConvertArguments>();
  convert->add_option("SCENE", arguments->scene, "The scene file (JSON, see docs/scene.md)")
      ->required();
  convert->add_option("--to", arguments->to, "What it is to be made of: point-masses")
      ->type_name("WHAT")
      ->required();
  convert->add_option("--out", arguments->out, "The file to write (default: standard output)")
      ->type_name("FILE");
  convert->add_option("--fraction", arguments->fraction,
                      "Share of the mass at joints, of what can be there, 0 … 1 (default 0.5)");
  convert->add_flag("--all-distances", arguments->all_distances,
                    "Tie all pairs of points of a body, and not only as many as say something new");
  add_set_option(*convert, arguments->set);
  convert->callback([arguments, &exit_code] { exit_code = convert_scene(*arguments); });
}

}  // namespace ligament::apps
