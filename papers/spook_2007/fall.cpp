// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/fall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ligament::papers {
namespace {

// E₀ − E_min of a ladder of equal masses of 10 kg that starts at rest.
double energy_range(const Model& model, int cells) {
  const double n = cells, lowest = -100.0 * (n * n + n + 0.5 * (n + 1.0) * (n + 1.0));
  return compute_energy(model, model.initial_state()).total() - lowest;
}

}  // namespace

Scene read_ladder(int cells, std::vector<Override> overrides) {
  overrides.push_back(set("N", cells));
  return read_paper_scene("spook_2007/ladder.json", overrides);
}

double Fall::energy_at(double time) const {
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= time - 1e-9) return energy[i];
  return std::nan("");
}

Fall let_fall(const Scene& scene, int cells, State state, long steps, std::vector<Observer> more) {
  const Model& model = scene.model;
  const double D = energy_range(model, cells), start = compute_energy(model, state).total();
  Fall fall;
  more.push_back([&](const Sample& sample) {
    fall.t.push_back(sample.state.t);
    fall.energy.push_back(1.0 + (sample.energy.total() - start) / D);
    for (const Body& body : model.bodies())
      if (body.v_offset >= 0)
        fall.max_speed = std::max(fall.max_speed, sample.state.v.segment<3>(body.v_offset).norm());
    const double squares = sample.report ? sample.report->violation.sum_squares : 0.0;
    fall.rms.push_back(std::sqrt(squares / plane_rows(cells)));
  });
  const RunReport report =
      run(model, scene.stepper, state, {.steps = steps, .observers = std::move(more)});
  fall.completed = report.status == RunStatus::completed;
  for (const double value : fall.rms) fall.mean_rms += value;
  fall.mean_rms /= static_cast<double>(std::max<long>(report.steps, 1));
  fall.max_rms = *std::ranges::max_element(fall.rms);
  fall.energy_rise = *std::ranges::max_element(fall.energy) - 1.0;
  double least = fall.energy.front();
  for (const double value : fall.energy) {
    least = std::min(least, value);
    fall.rebound = std::max(fall.rebound, value - least);
  }
  return fall;
}

void disturb(const Model& model, Chance& chance, State& state) {
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const double x = chance.around_zero(), z = chance.around_zero(), turn = chance.around_zero();
    set_velocity(model, {i}, 1e-3 * Vec3(x, 0, z), 1e-3 * Vec3(0, turn, 0), state);
  }
}

WorstFall find_worst_fall(int cells, double time, int starts,
                          const std::vector<Override>& overrides) {
  const Scene scene = read_ladder(cells, overrides);
  const long steps = std::lround(time / step_size(scene.stepper));
  Chance chance(7);
  WorstFall worst{.starts = starts};
  std::vector<double> peaks, means;
  for (int i = 0; i < starts; ++i) {
    State state = scene.model.initial_state();
    disturb(scene.model, chance, state);
    const Fall fall = let_fall(scene, cells, std::move(state), steps);
    worst.energy_rise = std::max(worst.energy_rise, fall.energy_rise);
    worst.mean_rms = std::max(worst.mean_rms, fall.mean_rms);
    worst.max_rms = std::max(worst.max_rms, fall.max_rms);
    worst.rebound = std::max(worst.rebound, fall.rebound);
    worst.completed += fall.completed ? 1 : 0;
    peaks.push_back(fall.max_rms);
    means.push_back(fall.mean_rms);
  }
  for (const double mean : means) worst.average += mean / starts;
  for (const double mean : means) worst.spread += std::pow(mean - worst.average, 2);
  worst.spread = std::sqrt(worst.spread / std::max(starts - 1, 1));
  std::ranges::sort(peaks);
  worst.usual_max_rms = peaks[peaks.size() / 2];
  return worst;
}

}  // namespace ligament::papers
