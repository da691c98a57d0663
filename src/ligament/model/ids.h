// SPDX-License-Identifier: Apache-2.0
// Typed handles: an id of a body cannot be passed for one of a joint.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ligament {

template <class Tag>
struct Id {
  std::uint32_t value = 0;
  std::size_t index() const { return value; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;
using ControlId = Id<struct ControlTag>;
using LoadId = Id<struct LoadTag>;
using ShapeId = Id<struct ShapeTag>;
using MaterialId = Id<struct MaterialTag>;

// The ground: a fixed body at the origin that every model has. The default of every body id.
constexpr BodyId world{};

}  // namespace ligament
