// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "support/contact_scenes.h"

namespace ligament::scenes {

// A plate on an incline at a share of what friction holds, with blocks on it: one large island in
// which nothing moves.
struct LadenPlateOptions {
  int side = 23;                 // blocks in each direction
  double share_of_limit = 0.95;  // tan(slope)/μ
  Material contact = surface(0.5);
};

// "plate" and "block 0/0", …, each 0.2 m wide.
inline Model make_laden_plate(const LadenPlateOptions& options = {}) {
  ModelBuilder b{};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  const Quat axes =
      turn(std::atan(options.share_of_limit * options.contact.friction), Vec3::UnitY());
  add_incline(b, axes, material);
  const double half = 0.1, pitch = 2.2 * half, middle = 0.5 * (options.side - 1);
  const auto add = [&](const std::string& name, const Vec3& size, const Vec3& place) {
    const BodyId body = b.add_body({.name = name,
                                    .mass = box_of_mass(size, 8000.0 * size.prod()),
                                    .position = axes * place,
                                    .orientation = axes});
    b.add_shape({.name = name, .body = body, .geometry = BoxShape{size}, .material = material});
  };
  const double reach = pitch * (middle + 1.0);
  add("plate", {reach, reach, half}, {0, 0, half});
  for (int i = 0; i < options.side; ++i)
    for (int j = 0; j < options.side; ++j)
      add("block " + std::to_string(i) + "/" + std::to_string(j), Vec3::Constant(half),
          {pitch * (i - middle), pitch * (j - middle), 3.0 * half});
  return std::move(b).build();
}

}  // namespace ligament::scenes
