// SPDX-License-Identifier: Apache-2.0
// The heavy top of the scene, let go: how it precesses, and what it loses.
#pragma once

#include <initializer_list>
#include <vector>

#include "ligament/io/scene.h"
#include "papers/experiment.h"

namespace ligament::papers {

struct Precession {
  std::vector<double> t, angle;                   // [s, rad]
  double vertical = 0.0;                          // largest |L_z/L_z0 − 1| about the tip
  double least = 1.0, most = 1.0;                 // E/E₀
  double last_vertical = 1.0, last_energy = 1.0;  // L_z/L_z0 and E/E₀ at the end
  double violation = 0.0;                         // [m] largest of the joint
};

Precession precess(const std::vector<Override>& overrides);

// The same angle in 10 s by Euler's equations.
double find_exact_precession(const std::vector<Override>& overrides);

// A top of the notes: spin [rad/s] and moments [kg m²] as the scene takes them.
struct NotedTop {
  const char *spin, *Ix, *Iy, *Iz;
  double expected, room;     // [rad] in 10 s, by the method, and how far from it is accepted
  const char* unknown = "";  // what is missing of its setup

  std::vector<Override> overrides() const {
    return {{"spin", spin}, {"Ix", Ix}, {"Iy", Iy}, {"Iz", Iz}};
  }
};

// A claim for each, with the reason of the room.
void add_precessions(std::initializer_list<NotedTop> tops, const std::vector<Override>& overrides,
                     const char* reason, Experiment& e);

}  // namespace ligament::papers
