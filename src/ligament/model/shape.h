// SPDX-License-Identifier: Apache-2.0
// Shapes on bodies: where they are, what they are made of, and what they may touch. A body may have
// any number of them.
#pragma once

#include <cstdint>
#include <string>

#include "ligament/geometry/geometry.h"
#include "ligament/model/ids.h"

namespace ligament {

struct ShapeSpec {
  std::string name{};
  BodyId body{};
  Geometry geometry = SphereShape{};
  Frame pose{};           // of the geometry's frame in the body's
  MaterialId material{};  // 0: the default material
  // Two shapes can touch if each is in a group that the other's mask has: (group_a & mask_b) and
  // (group_b & mask_a) are not 0.
  std::uint32_t group = 1;
  std::uint32_t mask = ~std::uint32_t{0};
};

struct Shape {
  BodyId body{};
  MaterialId material{};
  std::uint32_t group = 1, mask = ~std::uint32_t{0};
  Frame pose{};  // in the body's axes, from its centre of mass
  Geometry geometry = SphereShape{};
};

}  // namespace ligament
