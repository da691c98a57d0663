// SPDX-License-Identifier: Apache-2.0
// The heavy top of the scene, let go: how it precesses, and what it loses.
#pragma once

#include <vector>

#include "ligament/io/scene.h"

namespace ligament::papers {

struct Precession {
  std::vector<double> t, angle;                   // [s, rad]
  double vertical = 0.0;                          // largest |L_z/L_z0 − 1| about the tip
  double least = 1.0, most = 1.0;                 // E/E₀
  double last_vertical = 1.0, last_energy = 1.0;  // L_z/L_z0 and E/E₀ at the end
};

Precession precess(const std::vector<Override>& overrides);

}  // namespace ligament::papers
