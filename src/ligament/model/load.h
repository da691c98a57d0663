// SPDX-License-Identifier: Apache-2.0
// Forces on bodies and motions of fixed bodies, given as functions of time.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "ligament/math/time_function.h"
#include "ligament/math/types.h"
#include "ligament/model/ids.h"

namespace ligament {

// A force and a torque on a body, functions of time.
struct Load {
  std::string name{};
  BodyId body{};
  bool in_body_axes = false;             // otherwise in world axes
  std::optional<Vec3> point{};           // [m] in body coordinates; unset: the centre
  std::array<TimeFunction, 3> force{};   // [N]
  std::array<TimeFunction, 3> torque{};  // [N m] rigid bodies only
};

// The pose of a fixed body that moves as it is told, at a time [s].
using PoseFunction = std::function<Frame(double)>;

}  // namespace ligament
