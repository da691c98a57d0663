// SPDX-License-Identifier: Apache-2.0
// Mechanisms as equations of motion, integrated without the library: accelerations and multipliers
// from M a = f + Jᵀ λ, J a = −J̇ v by dense least squares, and the classical Runge–Kutta method,
// with steps so small that its error is below the last digit that the tests look at.
#pragma once

#include <vector>

#include "ligament/ligament.h"

namespace ligament::reference {

struct Part {
  double mass = 1.0;
  Vec3 box = Vec3::Zero();  // edge lengths of a solid box; zero: a particle
  Vec3 x = Vec3::Zero();
  Quat e = Quat::Identity();
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();

  bool is_particle() const { return box.isZero(); }
};

// Ties the point of part a to the point of part b, both given in the world at the start; −1 is the
// world. A hinge ties the axis too.
struct Tie {
  enum class Kind { distance, ball, hinge } kind = Kind::distance;
  int a = -1, b = -1;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
};

struct System {
  Vec3 gravity{0, -9.81, 0};
  std::vector<Part> parts;
  std::vector<Tie> ties;
};

// Velocities that obey the ties, by the smallest change in the metric of the masses.
void correct_velocities(System& system);

// The parts after the time T, by `steps` steps of Runge and Kutta.
std::vector<Part> integrate(const System& system, double T, int steps = 8000);

// The same mechanism for the library: body i + 1 is part i. State 0 has the velocities of the
// system.
Model make_model(const System& system);

// √ Σ |x − x_ref|² over the parts, with the rotation matrices of rigid ones.
double position_error(const Model& model, const State& state, const std::vector<Part>& reference);
double velocity_error(const Model& model, const State& state, const std::vector<Part>& reference);

}  // namespace ligament::reference
