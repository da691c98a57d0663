// SPDX-License-Identifier: Apache-2.0
// Trajectories at the times of the files, and how far they are from each other.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "adams/cases.h"

namespace ligament::adams {

// Poses every 0.01 s, and what was exerted then.
struct Track {
  std::vector<Vec3> position;  // [m] of the centre
  std::vector<Quat> attitude;
  std::vector<std::vector<JointLoad>> reactions;  // of each reaction of the machine
};

Track read_track(const std::filesystem::path& data, const Case& tested, const Machine& machine);
Track integrate_twin(const Case& tested, const Machine& machine);  // one reaction, or none

// By Spook from a staggered start: positions at tₙ. The impulse of the step from tₙ to tₙ₊₁ leads
// from the velocity at tₙ − h/2 to that at tₙ + h/2, so its mean force is that at tₙ, to second
// order.
Track simulate(const Machine& machine, const Spook& spook);

struct Deviation {
  double position = 0.0;  // [m] largest distance
  double end = 0.0;       // [m] largest angle between the attitudes, times 2 m: at the bar's end
  double force = 0.0;     // [N]
  double torque = 0.0;    // [N m]

  double pose() const { return std::max(position, end); }
};

// Largest over the times up to `until` [s].
Deviation compare_poses(const Track& a, const Track& b, double until = 5.0);
Deviation compare_reactions(const Track& a, const Track& b, std::size_t reaction,
                            double until = 5.0);

// The largest distance between two positions; 2 m, the lever, for a body that stays where it is.
double size_of_motion(const Track& track);

// The largest force and torque of a reaction. Where there is less than a thousandth of the weight
// there is none but rounding, and the weight is the measure (for torques: at a metre).
Deviation size_of_reaction(const Track& track, std::size_t reaction);

}  // namespace ligament::adams
