// SPDX-License-Identifier: Apache-2.0
// A ball that falls from a height and gives back e of its speed at each bounce: between bounces
// free fall, so that speeds fall as eᵏ, heights as e²ᵏ, and all is over after a finite time.
#pragma once

#include <cmath>

namespace ligament::analytic {

struct Bounces {
  double gravity = 9.81, height = 1.0, e = 0.8;

  double fall_time() const { return std::sqrt(2.0 * height / gravity); }
  // Of bounce k = 1, 2, …: t₀ + 2 t₀ (e + … + eᵏ⁻¹).
  double time(int k) const {
    if (e == 1.0) return fall_time() * (2.0 * k - 1.0);
    return fall_time() * (1.0 + 2.0 * e * (1.0 - std::pow(e, k - 1)) / (1.0 - e));
  }
  double speed_after(int k) const { return std::pow(e, k) * gravity * fall_time(); }
  double height_after(int k) const { return std::pow(e, 2 * k) * height; }
  double end() const { return fall_time() * (1.0 + e) / (1.0 - e); }
};

}  // namespace ligament::analytic
