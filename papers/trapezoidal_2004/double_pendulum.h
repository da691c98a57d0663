// SPDX-License-Identifier: Apache-2.0
// The double pendulum of section 10.1, run and measured. Golden numbers are those of an
// event-driven solution in angles by a method of high order, made without this library.
#pragma once

#include <array>
#include <vector>

#include "ligament/ligament.h"

namespace ligament::papers::trapezoidal {

struct Swing {
  Eigen::Vector4d q, v;  // x₁, y₁, x₂, y₂ at the end and their rates
  std::vector<ImpactRecord> impacts;
  long steps = 0, solves = 0;
  double energy_change = 0.0;  // [J] largest between impacts
  double g1 = 0.0, g2 = 0.0;   // [m²] x₁² + y₁² − 1, and the same of the lower rod
  double stretching = 0.0;     // [m²/s] largest |ġ| at the end of a step
  std::vector<double> t, x1, x2, energy;  // over time
};

struct DoublePendulum {
  Model model;
  Trapezoidal method;  // with the settings of the paper

  // A stiff spring beside it, at rest, does nothing but make steps after hits damped ones.
  explicit DoublePendulum(double gravity = 9.8, bool beside_stiff_spring = false);
  Swing swing(const Trapezoidal& by) const;
  Trapezoidal with_step(double h) const;               // variant H, the paper's
  Trapezoidal with_solved_collisions(double h) const;  // variant R
};

struct Hit {
  double t;  // [s]
  int bob;
  double before, after;  // [m/s] normal
  double energy;         // [J] after
};
inline constexpr std::array<Hit, 5> golden_hits{
    {{0.545508051, 1, -1.984493531, 0.198449353, -20.37779008},
     {0.707932700, 2, -4.013683456, 0.401368346, -28.49305492},
     {1.284726646, 1, -0.679614454, 0.067961445, -28.74845955},
     {2.097739455, 2, -0.489951770, 0.048995177, -28.86742831},
     {2.131640284, 1, -1.030536788, 0.103053679, -29.39312305}}};

inline Eigen::Vector4d golden_end() {
  return {0.021962117695, -0.999758803605, 0.023769486774, -1.999757170312};
}

}  // namespace ligament::papers::trapezoidal
