// SPDX-License-Identifier: Apache-2.0
// Bodies that turn about a fixed point, by Euler's equations at so fine a step that they are exact:
//
//     I ẇ = I w × w + r × Rᵀ f,   Ṙ = R [w]
//
// w, I and the arm r in the axes of the body, f the weight in those of the world.
#pragma once

#include "ligament/math/types.h"

namespace ligament::papers {

struct TurningBody {
  Vec3 moments;  // [kg m²] about the point
  Vec3 w;        // [rad/s]
  Quat R = Quat::Identity();
  Vec3 arm = Vec3::Zero();     // [m] from the point to the centre
  Vec3 weight = Vec3::Zero();  // [N]

  // By Runge and Kutta's method of order four.
  void turn(double time, long steps);
};

}  // namespace ligament::papers
