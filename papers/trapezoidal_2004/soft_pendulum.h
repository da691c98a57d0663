// SPDX-License-Identifier: Apache-2.0
// The machine of section 9: a pendulum of two links, the lower one a spring, its bob on a rough
// wall.
#pragma once

#include "ligament/ligament.h"
#include "papers/scenes.h"

namespace ligament::papers::trapezoidal {

struct SoftPendulum {
  double gamma = 100.0, delta = 0.0, stretch = 0.0;  // of the lower link
  double friction = 0.3;
  double gravity = 9.8;                       // presses the bob on the wall
  double x = 1.0, y = -2.0;                   // [m] of the first bob, and of the second
  Vec3 v1 = Vec3::Zero(), v2 = Vec3::Zero();  // v2 along the wall
  bool rigid_link = false;
};

inline Scene read_soft_pendulum(const SoftPendulum& o) {
  return read_paper_scene("trapezoidal_2004/soft_pendulum.json",
                          {set("gamma", o.gamma), set("delta", o.delta), set("stretch", o.stretch),
                           set("mu", o.friction), set("g", o.gravity), set("x", o.x), set("y", o.y),
                           set("vx1", o.v1.x()), set("vy1", o.v1.y()), set("vz1", o.v1.z()),
                           set("vy2", o.v2.y()), set("vz2", o.v2.z()), set("rigid", o.rigid_link)});
}

}  // namespace ligament::papers::trapezoidal
