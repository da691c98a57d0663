// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/coulomb_error.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

// A slip that a millionth of the friction would stop is none.
constexpr double no_slip = 1e-6;
// At the bound, up to rounding.
constexpr double nearly = 1.0 - 1e-9;

}  // namespace

CoulombError compute_coulomb_error(const ContactRows& rows, const StepSolution& solution,
                                   const VecX& misses, const VecX& mobility, double h) {
  CoulombError error;
  const int n = rows.normal_row;
  const double press = solution.lambda(n), w_n = -misses(n), s_n = mobility(n);
  error.press_speed = std::min(w_n, s_n * press);
  error.press_force = error.press_speed / (s_n * h);
  if (rows.friction < 0) return error;

  const Eigen::Vector2d friction = solution.lambda.segment<2>(rows.friction_row);
  const Eigen::Vector2d w = -misses.segment<2>(rows.friction_row);
  const double s = mobility.segment<2>(rows.friction_row).maxCoeff();
  const double bound = rows.material->friction * std::max(press, 0.0);
  Eigen::Vector2d lawful = friction - w / s;
  const double wanted = lawful.norm();
  if (wanted > bound) lawful *= bound / wanted;
  const double strength = friction.norm(), slip = w.norm();
  error.force = (lawful - friction).norm() / h;
  error.excess = (strength - lawful.norm()) / h;
  const bool slides = strength >= nearly * bound && slip > no_slip * s * bound;
  if (!slides || strength == 0.0) return error;
  error.slip = slip;
  error.angle = std::acos(std::clamp(-w.dot(friction) / (slip * strength), -1.0, 1.0));
  return error;
}

}  // namespace ligament
