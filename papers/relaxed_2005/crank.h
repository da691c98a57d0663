// SPDX-License-Identifier: Apache-2.0
// The slider crank of the scene as it turns: what the claims of section 6.2 look at.
#pragma once

#include <vector>

#include "ligament/simulation/run.h"
#include "papers/experiment.h"
#include "papers/scenes.h"

namespace ligament::papers {

constexpr const char* crank_scene = "relaxed_2005/slider_crank.json";

struct CrankTurn {
  std::vector<double> t, load, angle;  // [s, m, rad]
  double error = 0.0;                  // [m] largest |load − 2 cos(angle)|
  double force = 0.0;                  // [N] largest sum of those of all joints
  RunReport report;
  bool finite = true;

  bool passed() const { return report.status == RunStatus::completed; }
};

// How the machine stands in the world.
struct Stand {
  Vec3 at = Vec3::Zero();
  Quat turn = Quat::Identity();
};

CrankTurn turn_crank(std::vector<Override> overrides, const Stand& stand = {},
                     std::vector<Observer> more = {});

// Which compliances pass, by which elimination, and with which errors.
void add_crank_compliances(const Effort& effort, Experiment& e);

}  // namespace ligament::papers
