// SPDX-License-Identifier: Apache-2.0
// Spheres and boxes that move as told, the same for every program that looks for their contacts.
//
// A pose depends on the scene, the body and the step alone: x(k) = x₀ + k v + jiggle·noise(k),
// turned by k times the spin, folded back at the walls if there are any. Numbers come from a
// generator of our own, so that a scene is the same on every machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ligament/math/types.h"

namespace ligament::bench {

struct Item {
  bool is_sphere = true;
  bool moves = true;
  Vec3 half = Vec3::Constant(0.1);  // [m] half edges; spheres: the radius, three times
  Vec3 start = Vec3::Zero();        // [m]
  Vec3 velocity = Vec3::Zero();     // [m] a step
  Vec3 spin = Vec3::Zero();         // [rad] a step
  double jiggle = 0.0;              // [m] largest displacement along each axis
};

struct Scene {
  std::string name;
  std::vector<Item> items;
  std::optional<double> wall;  // [m] bodies fly to and fro within ± this in x, y and z

  std::vector<Frame> poses;      // at the step of the last move_to()
  std::vector<Vec3> velocities;  // [m] a step, there

  void move_to(int step);
};

// grid    spheres and boxes in turn on a cubic grid, 1 % of their size apart, drifting slowly
// pile    spheres on a jittered lattice, each touching about six; jiggling by 1 % of the radius,
//         numbered in random order
// giant   a pile about the foot of a sphere of 10 m on a ground of 200 m, with dust down to 1 mm
// static  a floor of fixed boxes and 100 spheres that roll over it
// shower  spheres and boxes that fly by half of their size a step, a tenth of the space filled
const std::vector<std::string>& scene_names();

// A scene of about so many bodies, at step 0. The name must be one of scene_names().
Scene make_scene(const std::string& name, int bodies);

}  // namespace ligament::bench
