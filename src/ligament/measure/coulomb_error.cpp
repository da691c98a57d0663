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

// The friction of a contact and what Coulomb's law makes of it.                            [ER.8]
struct ContactFriction {
  Eigen::Vector2d is, lawful;  // [N s] λ_t, λ_t*
  Eigen::Vector2d w;           // [m/s]
  double s, bound;             // mobility, μ λ_n

  ContactFriction(const ContactRows& rows, const StepSolution& solution, const VecX& misses,
                  const VecX& mobility)
      : is(solution.lambda.segment<2>(rows.friction_row)),
        w(-misses.segment<2>(rows.friction_row)),
        s(mobility.segment<2>(rows.friction_row).maxCoeff()),
        bound(rows.material->friction * std::max(solution.lambda(rows.normal_row), 0.0)) {
    lawful = is - w / s;
    const double wanted = lawful.norm();
    if (wanted > bound) lawful *= bound / wanted;
  }
  double error() const { return (lawful - is).norm(); }
};

}  // namespace

double compute_friction_error(const ContactRows& rows, const StepSolution& solution,
                              const VecX& misses, const VecX& mobility, double h) {
  return rows.friction < 0 ? 0.0 : ContactFriction(rows, solution, misses, mobility).error() / h;
}

CoulombError compute_coulomb_error(const ContactRows& rows, const StepSolution& solution,
                                   const VecX& misses, const VecX& mobility, double h) {
  CoulombError error;
  const int n = rows.normal_row;
  const double press = solution.lambda(n), w_n = -misses(n), s_n = mobility(n);
  error.press_speed = std::min(w_n, s_n * press);
  error.press_force = error.press_speed / (s_n * h);
  if (rows.friction < 0) return error;

  const ContactFriction friction(rows, solution, misses, mobility);
  const double strength = friction.is.norm(), slip = friction.w.norm();
  error.force = friction.error() / h;
  error.excess = (strength - friction.lawful.norm()) / h;
  const bool slides =
      strength >= nearly * friction.bound && slip > no_slip * friction.s * friction.bound;
  if (!slides || strength == 0.0) return error;
  error.slip = slip;
  error.angle = std::acos(std::clamp(-friction.w.dot(friction.is) / (slip * strength), -1.0, 1.0));
  return error;
}

}  // namespace ligament
