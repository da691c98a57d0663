// SPDX-License-Identifier: Apache-2.0
// What a contact carries from one step to the next: where it sticks, and how hard it pressed.
#pragma once

#include <cstdint>

#include "ligament/math/types.h"
#include "ligament/model/ids.h"

namespace ligament {

struct ContactMemory {
  ShapeId shape_a{}, shape_b{};
  std::uint64_t feature = 0;  // as of the contact
  // How far the springs of friction are stretched: slip would have to go back by this [m], turning
  // by that [rad]. World axes.                                                            [CT.3]
  Vec3 stretch = Vec3::Zero();
  Vec3 turn = Vec3::Zero();
  Vec3 point = Vec3::Zero();  // where it touched at the start of the step that led here [m]  [CT.6]
  // Of the last step, on body b, world axes [N s, N m s]: the first guess of the next one.
  Vec3 impulse = Vec3::Zero();
  Vec3 turning_impulse = Vec3::Zero();
};

}  // namespace ligament
