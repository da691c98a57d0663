// SPDX-License-Identifier: Apache-2.0
// Sweeps of two rods by (2.6) and (2.7), as printed and as corrected, without the library.
#pragma once

namespace ligament::papers::impulse {

// Two rods at right angles, of lengths L and 0.8 L, masses 1 and 2, velocities (1, 0, 0) and
// (0, 1, 0): sweeps of (2.7) until it is satisfied to 1e-12; −1 if it never is.
enum class VelocityFormula { printed, corrected };
int count_sweeps(double L, VelocityFormula formula);

// A double pendulum that stands, 0.3 rad aside, and falls for 1 s by sweeps of (2.6), until their
// test finds nothing to do: how much the rods are too short, and too long, at the end of any step.
enum class PositionTest { printed, absolute };
struct Misfit {
  double too_short = 0.0, too_long = 0.0;  // [m]
};
Misfit swing_by_sweeps(PositionTest test);

}  // namespace ligament::papers::impulse
