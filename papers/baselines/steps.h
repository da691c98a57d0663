// SPDX-License-Identifier: Apache-2.0
// The methods that the papers compare with, and theirs in its simplest form.
#pragma once

#include "papers/baselines/quadratic_system.h"

namespace ligament::papers {

struct PlanarMotion {
  VecX q, v;
  VecX q_before{};  // one step ago
};

// The system at its start, with velocities.
PlanarMotion start_motion(const QuadraticSystem& system, const VecX& v, double h);

// Each takes a step of length h. False if its equations have no solution that it could find.

// SHAKE: M (v⁺ − v) = h f + G(q)ᵀ y with y such that g(q + h v⁺) = 0, by Newton's method to
// `tolerance`.
bool step_shake(const QuadraticSystem& system, double h, PlanarMotion& motion,
                double tolerance = 1e-10);

// Runge and Kutta's method of order four on accelerations with g̈ + 2 α ġ + α² g = 0 (Baumgarte).
bool step_runge_kutta(const QuadraticSystem& system, double h, double alpha, PlanarMotion& motion);

// Rows of the 2007 paper: ε [m/N] and θ = τ/h.
struct SpookRows {
  double compliance = 1e-8;
  double theta = 2.0;
};

// SPOOK, one linear system with G(q) on both sides.
bool step_spook(const QuadraticSystem& system, double h, const SpookRows& rows,
                PlanarMotion& motion);

// What the damper of the equations is on, before they are made linear.
enum class Damper : unsigned char {
  end,         // G(q⁺)(q⁺ − q), as eq. 26 has it
  difference,  // g(q⁺) − g(q)
  start        // G(q)(q⁺ − q)
};

struct NewtonRows {
  SpookRows rows{};
  Damper damper = Damper::end;
  int iterations = 5;
};

// The equations before they are made linear, with g at the end of the step, by so many iterations
// of Newton's method or fewer, converged or not.
bool step_spook_by_newton(const QuadraticSystem& system, double h, const NewtonRows& rows,
                          PlanarMotion& motion);

}  // namespace ligament::papers
