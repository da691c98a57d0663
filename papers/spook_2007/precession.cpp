// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/precession.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ligament/ligament.h"
#include "papers/scenes.h"
#include "papers/spook_2007/exact_rotation.h"

namespace ligament::papers {

Precession precess(const std::vector<Override>& overrides) {
  const Scene scene = read_paper_scene("spook_2007/top.json", overrides);
  const BodyId top = *scene.model.find_body("top");
  State state = scene.model.initial_state();
  const double E = compute_energy(scene.model, state).total();
  const double Lz = compute_momentum(scene.model, state).angular.z();
  Precession result;
  const auto watch = [&](const Sample& sample) {
    const Vec3 axis = compute_pose(sample.model, sample.state, top).R * Vec3::UnitZ();
    const double azimuth = std::atan2(axis.y(), axis.x());
    const double before = result.angle.empty() ? azimuth : result.angle.back();
    result.t.push_back(sample.state.t);
    result.angle.push_back(before + std::remainder(azimuth - before, 2.0 * std::numbers::pi));
    const double L = compute_momentum(sample.model, sample.state).angular.z();
    result.last_vertical = L / Lz;
    result.last_energy = sample.energy.total() / E;
    result.vertical = std::max(result.vertical, std::abs(result.last_vertical - 1.0));
    result.least = std::min(result.least, result.last_energy);
    result.most = std::max(result.most, result.last_energy);
  };
  result.violation =
      run(scene.model, scene.stepper, state, {.steps = scene.steps, .observers = {watch}})
          .violation_max;
  return result;
}

double find_exact_precession(const std::vector<Override>& overrides) {
  const Scene scene = read_paper_scene("spook_2007/top.json", overrides);
  const State start = scene.model.initial_state();
  const BodyId id = *scene.model.find_body("top");
  const Body& top = scene.model.body(id);
  const Frame pose = compute_pose(scene.model, start, id);
  const Vec3 arm = pose.R.conjugate() * pose.p;  // the tip is at the origin
  TurningBody body{.moments = top.moments,
                   .w = pose.R.conjugate() * compute_angular_velocity(scene.model, start, id),
                   .R = pose.R,
                   .arm = arm,
                   .weight = top.mass * scene.model.gravity()};
  body.moments += top.mass * Vec3(arm.squaredNorm(), arm.squaredNorm(), 0.0);
  // Turns by 0.02 rad a step: the spin is off by some 1e-5 rad at the end.
  const long steps = std::lround(50.0 * body.w.norm() / 60.0) + 1;
  double angle = 0.0, before = 0.0;
  for (int i = 0; i < 600; ++i) {
    body.turn(1.0 / 60, steps);
    const Vec3 axis = body.R * Vec3::UnitZ();
    const double azimuth = std::atan2(axis.y(), axis.x());
    angle += std::remainder(azimuth - before, 2.0 * std::numbers::pi);
    before = azimuth;
  }
  return angle;
}

void add_precessions(std::initializer_list<NotedTop> tops, const std::vector<Override>& overrides,
                     const char* reason, Experiment& e) {
  for (const NotedTop& top : tops) {
    std::vector<Override> all = top.overrides();
    all.insert(all.end(), overrides.begin(), overrides.end());
    e.claims.push_back({.text = fmt::format("Precession at {} rad/s, moments {}, {}, {}", top.spin,
                                            top.Ix, top.Iy, top.Iz),
                        .source = "section 4",
                        .unit = "rad",
                        .expected = top.expected,
                        .measured = precess(all).angle.back(),
                        .tolerance = {top.expected - top.room, top.expected + top.room},
                        .reason = reason,
                        .unknown = top.unknown});
  }
}

}  // namespace ligament::papers
