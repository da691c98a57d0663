// SPDX-License-Identifier: Apache-2.0
// The carts of section 10.2, run and measured.
#pragma once

#include <vector>

#include "ligament/ligament.h"
#include "papers/experiment.h"

namespace ligament::papers::trapezoidal {

struct Carts {
  double gamma = 100.0, delta = 10.0;  // [N/m], [N s/m]
  double x1 = 0.1, x2 = 5.1, v = -2.0, v2 = -2.0;
  bool linked = false, held = false;  // a rigid link in place of the damper, of the spring
  bool on_floor = false;              // that carries them, instead of a given load; no stopper
  double t_end = 4.0;
};

struct Ride {
  double stretch = 0.0;         // [m] largest |x₂ − x₁ − 5|
  double swing = 0.0;           // [m] largest |x₁ − 0.2|
  double growth = 0.0;          // [J] of energy over a step, largest
  double lowest = 1e300;        // [m] x₁
  long impacts = 0, stops = 0;  // stops and turns of sliding
  double v1 = 0.0, v2 = 0.0;    // [m/s] at the end
  std::vector<double> t, x1, x2, energy;
};

Ride ride(const Carts& carts, const Trapezoidal& method);

// What no ride may do: gain energy in a step or over its start, or pass the stopper.
struct Bounds {
  double growth = 0.0, lowest = 1e300;

  void add(const Ride& ride);
  void claim(Experiment& out) const;
};

// θ = ½ always, a cubic for collisions, closed contacts active: section 10.2.
Trapezoidal as_in_the_paper(double h = 0.01);
// Steps after hits with θ = 1 where something is stiff, collisions and ends of sliding solved for.
Trapezoidal as_recommended(double h = 0.01);

}  // namespace ligament::papers::trapezoidal
