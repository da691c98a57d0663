// SPDX-License-Identifier: Apache-2.0
// What Newton's method makes of a law: the linear one that touches it at an iterate.
//
// Every law says λ = P(λ − w/s) for any s > 0, P the projection onto K; of Coulomb's law, that the
// normal impulse is λ_n = max(0, z_n) and the tangential one the point of the disc of radius μ λ_n
// nearest to z_t, z = λ − w/s. With J = dP/dz at the iterate that is, for the next one,
//
//     J w + s (1 − J) λ = s (P(z) − J z)                                                    [NE.1]
//
// which is a linear law of the kind that Direct condenses [DI.3]. For Coulomb's law the states are
//
//     open    z_n ≤ 0:                λ = 0
//     stick   ‖z_t‖ ≤ μ z_n:          w = 0
//     slip    else, d = z_t/‖z_t‖:    w_n = 0,  λ_t·d = μ λ_n,
//                                     w_t·e + s (1 − ρ)/ρ λ_t·e = 0 for e ⟂ d,  ρ = μ z_n/‖z_t‖
//                                                                                           [NE.2]
// A sliding contact keeps its direction d and turns it by what moves across: there it is as if it
// had the compliance s (1 − ρ)/ρ, which is the slip speed over the friction force.
//
// Where normal and tangential rows have an s of their own, as in the primal method where s = Σ, P
// is the projection in the norm of s, and [NE.1] is written for √s λ and w/√s.
#pragma once

#include "ligament/solvers/direct/condensed.h"

namespace ligament::newton {

// Fills rows.A, rows.C and rows.c for the iterate λ, w = G u + Σ λ − b. s > 0 of every row; those
// of a disc share one, and so do the tangential ones of a cone. Of Coulomb's law all do.
void linearize(const StepProblem& problem, const VecX& lambda, const VecX& w, const VecX& s,
               direct::CondensedRows& rows);

}  // namespace ligament::newton
