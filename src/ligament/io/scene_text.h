// SPDX-License-Identifier: Apache-2.0
// Writes a machine of particles as a scene file: what `ligament convert --to point-masses` makes.
#pragma once

#include <string>

#include "ligament/model/model.h"

namespace ligament {

struct SceneText {
  const Model& model;  // particles, tied by ball joints to the world, distances, ropes and springs
  std::string name;
  std::string description;
  double h = 1.0 / 60.0;  // [s] of the impulse stepper
  long steps = 0;
};

// The text of the scene, which reads back to the same machine to the last bit. Throws
// std::invalid_argument, naming it, for what is none of these.
std::string make_scene_text(const SceneText& scene);

}  // namespace ligament
