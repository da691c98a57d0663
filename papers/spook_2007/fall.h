// SPDX-License-Identifier: Apache-2.0
// How a ladder falls: what the experiments of section 6 look at.
#pragma once

#include "ligament/simulation/run.h"
#include "papers/chance.h"
#include "papers/scenes.h"

namespace ligament::papers {

// The ladder of the scene, of so many cells.
Scene read_ladder(int cells, std::vector<Override> overrides = {});

// Rows of the plane of motion: two a joint and one a rod. The third direction is zero throughout.
constexpr int plane_rows(int cells) { return 2 * (4 * cells + 1) + 3 * cells + 1; }
constexpr int plane_columns(int cells) { return 4 * (3 * cells + 1); }

struct Fall {
  std::vector<double> t, energy, rms;  // [s]; (E − E_min)/D; rms of g over the rows of the plane
  double mean_rms = 0.0, max_rms = 0.0;
  double energy_rise = 0.0;  // largest (E − E₀)/D
  double rebound = 0.0;      // … above what was the least before
  double max_speed = 0.0;    // [m/s] of a centre
  bool completed = true;

  // The energy at a time, NaN if the run did not get there.
  double energy_at(double time) const;
};

// Lets it fall from a state. D = E₀ − E_min is the energy between the start and all rods hanging,
// with all masses equal; more observers may look on.
Fall let_fall(const Scene& scene, int cells, State state, long steps,
              std::vector<Observer> more = {});

// Small random velocities in the plane, 1e-3 m/s and rad/s: another start of the same fall.
void disturb(const Model& model, Chance& chance, State& state);

// The worst of several disturbed starts, for a time [s]: what is beyond the first whiplash is
// chaotic, and bounds are all that can be compared.
struct WorstFall {
  double energy_rise = 0.0, mean_rms = 0.0, max_rms = 0.0, rebound = 0.0;
  double usual_max_rms = 0.0;  // the median of the starts: one whip may be far above the others
  double average = 0.0, spread = 0.0;  // of the mean rms of the starts, with its standard deviation
  int completed = 0, starts = 0;
};
WorstFall find_worst_fall(int cells, double time, int starts,
                          const std::vector<Override>& overrides = {});

}  // namespace ligament::papers
