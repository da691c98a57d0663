// SPDX-License-Identifier: Apache-2.0
// How far a candidate u, λ is from solving a step problem, computed from the problem itself and
// never taken from a solver's word.
//
//     momentum:  r_m = p − (M u − Gᵀ λ)                            [N s]      [WA.3]
//     laws:      r_i = −(λ_i − P_K(λ_i − w_i/s_i)) s_i             [m/s]      [WA.4]
//
// with w = G u + Σ λ − b, P_K the projection onto K_i and s_i the largest diagonal entry of
// G M⁻¹ Gᵀ + Σ in block i. For an equality block r_i = −w_i = (b − G u − Σ λ)_i: the velocity by
// which the row misses its target. For Coulomb's law w̃ stands for w [WA.5], and bounds that hang
// on another row take its impulse [WA.6]. For every law r = 0 exactly when the law holds.
#pragma once

#include "ligament/problem/step_problem.h"

namespace ligament {

struct Residual {
  VecX momentum;                 // r_m (columns) [N s]
  VecX rows;                     // r (rows) [m/s]
  VecX misses;                   // −w (rows) [m/s], whatever the laws
  VecX impulse;                  // Gᵀ λ (columns) [N s], what the constraints give the bodies
  double momentum_max = 0.0;     // max |r_m| [N s]
  double row_max = 0.0;          // max |r| [m/s]
  int worst_row = -1;            // where, −1 if there are no rows
  double injected_energy = 0.0;  // −λᵀ r, the work that the inexact solve adds [J]  [SP.9]
  // How far friction is from Coulomb's law, whatever law the rows have: the largest ‖r‖ with w̃
  // over all contacts with a cone [m/s]
  double friction_error = 0.0;

  VecX mobility;  // (rows) diagonal of G M⁻¹ Gᵀ + Σ, if there are laws that are no equalities
  bool knows_mobility = false;
};

void compute_residual(const StepProblem& problem, const StepSolution& solution, Residual& out);

}  // namespace ligament
