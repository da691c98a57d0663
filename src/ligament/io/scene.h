// SPDX-License-Identifier: Apache-2.0
// A scene: what to simulate, by which method, for how long. Read from a JSON file with comments;
// the format is described in docs/scene.md and, for machines, in docs/scene.schema.json.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ligament/model/model.h"
#include "ligament/steppers/stepper.h"

namespace ligament {

// What is wrong with a scene, in one line: the file, the place in it (a path in the document, or
// line and column where the text is no JSON at all), the culprit and what would be right.
//     arm.json: bodies[2].mass: body "elbow": mass is -1: it must be > 0
class SceneError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a body without shapes looks like: the solid that its mass comes from, about its centre.
struct Look {
  BodyId body{};
  Geometry geometry = SphereShape{};
};

struct Scene {
  std::string name;  // of the scene, or of its file
  std::string description;
  Model model;
  Stepper stepper;
  bool assemble = false;              // whether the start is to be brought together, by assemble()
  long steps = 0;                     // ≥ 0; a duration is rounded to whole steps
  bool staggered = false;             // RunOptions::staggered_start
  int every = 1;                      // the trajectory has every `every`-th step, ≥ 1
  std::vector<JointId> joints;        // whose coordinates and forces it has
  std::vector<ControlId> controls;    // whose forces and values it has
  std::vector<Look> looks;            // of the solids
  std::vector<std::string> warnings;  // about meshes, each naming its body and shape
};

// A value that replaces one of the file, as in `--set stepper.h=1e-3`.
//
// The key is a path such as stepper.h, variables.N or gravity. A key of the objects stepper, run
// and output, or the name of a variable, may stand alone: h, solver.refinements, duration, every, N
// (in this order, if two have the same name). The value is JSON or, if it is not, a string: 1/60.
struct Override {
  std::string key;
  std::string value;
  std::string option{};  // how it was given, for messages; empty: "--set key=value"
};

// Reads a scene and checks all of it. Throws SceneError, and nothing else but std::bad_alloc.
Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

// The same for the text of a scene file. Files that it names are looked for beside `name`.
Scene read_scene_text(std::string_view text, const std::filesystem::path& name,
                      const std::vector<Override>& overrides = {});

// The stepper of a JSON text such as {"type": "spook", "h": "1/60"}, as a scene has it. Throws
// SceneError.
Stepper make_stepper(std::string_view json);

// The solver with this name and default options. Throws SceneError with the names that there are.
Solver make_solver(std::string_view name);

}  // namespace ligament
