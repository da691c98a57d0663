// SPDX-License-Identifier: Apache-2.0
// Machines of the 2004 paper and others, for tests of the trapezoidal stepper.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "ligament/ligament.h"

namespace ligament::trapezoidal {

// Two bobs of 1 kg on massless links of 1 m, at angles from the downward vertical, in the x–y
// plane; with a wall at x = 0 that gives back a tenth.
struct DoublePendulumOptions {
  double gravity = 9.8;
  bool wall = true;
  double restitution = 0.1;
  double friction = 0.0;
};

inline Model make_double_pendulum(const DoublePendulumOptions& options = {}) {
  const double pi = std::numbers::pi, radius = 0.1;
  ModelBuilder b{{.gravity = {0, -options.gravity, 0}}};
  const Relaxation rigid{.compliance = 0.0};
  const Vec3 one(std::sin(pi / 3), -std::cos(pi / 3), 0);
  const Vec3 two = one + Vec3(std::sin(pi / 5), -std::cos(pi / 5), 0);
  const BodyId first = b.add_body(
      {.name = "first", .kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = one});
  const BodyId second = b.add_body(
      {.name = "second", .kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = two});
  b.add_joint(Distance{.name = "upper", .b = first, .point_a = Vec3(0, 0, 0), .relaxation = rigid});
  b.add_joint(Distance{.name = "lower", .a = first, .b = second, .relaxation = rigid});
  if (options.wall) {
    const MaterialId hard = b.add_material(
        {"hard", {.friction = options.friction, .restitution = options.restitution}});
    b.add_shape(
        {.name = "wall",
         .geometry = HalfSpaceShape{},
         .pose = {.p = {-radius, 0, 0}, .R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())},
         .material = hard});
    for (const BodyId bob : {first, second})
      b.add_shape({.name = bob == first ? "bob 1" : "bob 2",
                   .body = bob,
                   .geometry = SphereShape{radius},
                   .material = hard,
                   .group = 2,
                   .mask = 1});
  }
  return std::move(b).build();
}

// The paper's own setting: no drift control, rows without compliance.
inline Trapezoidal plain(double h) {
  return {.h = h, .compliance_floor = 1.0, .drift = DriftControl::none};
}

// Errors at halved steps: slopes of log₂.
inline std::vector<double> slopes(const std::vector<double>& errors) {
  std::vector<double> out;
  for (std::size_t i = 1; i < errors.size(); ++i)
    out.push_back(std::log2(errors[i - 1] / errors[i]));
  return out;
}

// The slope from the first to the last of errors at halved steps.
inline double mean_slope(const std::vector<double>& errors) {
  return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

}  // namespace ligament::trapezoidal
