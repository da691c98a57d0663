// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/precession.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ligament/ligament.h"
#include "papers/scenes.h"

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

void add_precessions(std::initializer_list<NotedTop> tops, const std::vector<Override>& overrides,
                     Experiment& e) {
  for (const NotedTop& top : tops) {
    std::vector<Override> all{{"spin", top.spin}, {"Ix", top.Ix}, {"Iy", top.Iy}, {"Iz", top.Iz}};
    all.insert(all.end(), overrides.begin(), overrides.end());
    e.claims.push_back(
        {.text = fmt::format("Precession at {} rad/s, moments {}, {}, {}; by Lagrange {} rad",
                             top.spin, top.Ix, top.Iy, top.Iz, top.exact),
         .source = "section 4",
         .unit = "rad",
         .expected = top.expected,
         .measured = precess(all).angle.back(),
         .tolerance = within(top.expected, 2e-3),
         .reason = "the same method: digits, and 1e-3 of the compliance that the engine adds",
         .unknown = top.unknown});
  }
}

}  // namespace ligament::papers
