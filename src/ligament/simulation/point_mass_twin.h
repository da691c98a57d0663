// SPDX-License-Identifier: Apache-2.0
// A machine of rigid bodies as one of point masses and distances, which moves in the same way.
//
// Every body becomes the points of make_point_masses, with masses where its joints hold it. A ball
// joint makes one mass of two points, a hinge two of four, a fixed joint three of six; what is tied
// to the world hangs there by ball joints; distances, ropes and springs tie masses. Points of a
// body are tied by distances, as many as say something new.
#pragma once

#include <stdexcept>
#include <vector>

#include "ligament/model/model.h"

namespace ligament {

// What has no twin, and whose it is.
class TwinError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class TwinDistances : unsigned char { independent, all };

struct TwinOptions {
  double fraction = 0.5;  // of the mass that can be put at joints, 0 … 1
  TwinDistances distances = TwinDistances::independent;
};

struct TwinPoint {
  BodyId particle{};
  Vec3 x = Vec3::Zero();  // [m] from the centre of the body, in its axes
};

struct PointMassTwin {
  Model model;
  std::vector<std::vector<TwinPoint>> points;  // by body of the machine
};

// In the pose and with the velocities of the state, whose joints must be closed.
PointMassTwin make_point_mass_twin(const Model& model, const State& state,
                                   const TwinOptions& options = {});

}  // namespace ligament
