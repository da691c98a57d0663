// SPDX-License-Identifier: Apache-2.0
// How far a contact is from Coulomb's law, told in newtons, degrees and metres per second.
//
// The law says that surfaces which press do not approach, that friction stays within μ times the
// normal force, and that it is at that bound and against the slip where there is slip. With the
// speeds w of the rows beyond their targets and s what a unit impulse moves, Coulomb's law gives
// the friction
//
//     λ_t* = P(λ_t − w_t/s),   P the projection onto ‖λ_t‖ ≤ μ λ_n                           [ER.8]
//
// of which λ_t differs in size and in direction. All is measured against this law, whatever law the
// rows of the contact have.
#pragma once

#include "ligament/constraints/contact_rows.h"
#include "ligament/problem/residual.h"

namespace ligament {

struct CoulombError {
  double force = 0.0;   // [N] ‖λ_t* − λ_t‖/h: by which friction is wrong
  double excess = 0.0;  // [N] (‖λ_t‖ − ‖λ_t*‖)/h: too strong, or too weak if < 0
  double angle = 0.0;   // [rad] between friction and what is against the slip, 0 where it sticks
  double slip = 0.0;    // [m/s] ‖w_t‖ of a contact that slides
  // Complementarity of the normal row, min(w_n, s λ_n): by how much it approaches (< 0), or presses
  // though it parts.
  double press_speed = 0.0;  // [m/s]
  double press_force = 0.0;  // [N] the same by s
};

// Of the contact with these rows, in a problem solved for a step of length h. `mobility` are the
// diagonal entries of G M⁻¹ Gᵀ + Σ.
CoulombError compute_coulomb_error(const ContactRows& rows, const StepSolution& solution,
                                   const VecX& misses, const VecX& mobility, double h);

// Its force [N] alone, to find the worst of many contacts.
double compute_friction_error(const ContactRows& rows, const StepSolution& solution,
                              const VecX& misses, const VecX& mobility, double h);

}  // namespace ligament
