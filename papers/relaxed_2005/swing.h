// SPDX-License-Identifier: Apache-2.0
// A pendulum as it swings: what the experiments of section 6.1 look at.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/baselines/penalty_pendulum.h"
#include "papers/scenes.h"

namespace ligament::papers {

struct Swing {
  std::vector<double> t, x, y, energy, violation;  // [s, m, m, J, m], violation |Φ| = ||x| − 1|

  template <class Position>
  void add(double time, const Position& position, double E) {
    t.push_back(time);
    x.push_back(position(0));
    y.push_back(position(1));
    energy.push_back(E);
    violation.push_back(std::abs(std::hypot(position(0), position(1)) - 1.0));
  }

  // When it first was below the pivot [s], infinite: never.
  double bottom_time() const {
    for (std::size_t i = 0; i < t.size(); ++i)
      if (x[i] <= 0.0) return t[i];
    return std::numeric_limits<double>::infinity();
  }
  double energy_at(double time) const {
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] >= time - 1e-9) return energy[i];
    return std::nan("");
  }
  double largest_violation() const { return *std::ranges::max_element(violation); }
  double rms_violation() const {
    double sum = 0.0;
    for (const double value : violation) sum += value * value;
    return std::sqrt(sum / static_cast<double>(violation.size()));
  }
  double least_energy() const { return *std::ranges::min_element(energy); }
  double largest_energy() const { return *std::ranges::max_element(energy); }
};

// The pendulum of the scene. Ends early if a step fails.
Swing swing_scene(const std::vector<Override>& overrides);

// The same by exact SHAKE, written out, to rounding, h = 1/60 s for 20 s.
Swing swing_shake();

// The same by linearly implicit Euler on a penalty, h = 1/60 s for 20 s.
Swing swing_penalty(double compliance, GeometricStiffness geometric);

}  // namespace ligament::papers
