// SPDX-License-Identifier: Apache-2.0
// What rows carry at the start: the forces that hold joints, and contacts that touch, in a pose
// with its velocities, before anything is simulated.
//
//     M a − Gᵀ f = F(q, v),   G a + v·(∂²g/∂q²) v = 0 in joints,   Coulomb's law in contacts [CK.1]
//
// Where rows depend on each other, f is the solution of least Σ ε f²: springs in parallel share a
// load by their stiffness. It is the limit of the repeated relaxed solve
//
//     G M⁻¹ Gᵀ f + s ε (f − f_before) = what the rows ask for,    any s > 0.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

// What springs and servos do.
enum class Springs : unsigned char {
  settled,     // hold as joints do, for they have given way as far as their load makes them
  as_they_are  // exert what they do in the pose at hand
};

struct StartLoads {
  SolveReport report;
  VecX force;       // (rows of joints, then of contacts) [N, N m]; 0 in rows that take no part
  VecX compliance;  // (as force) the compliance that holonomic rows have in a run, 0 in others

  bool ok() const { return report.ok(); }
};

// The workspace gets the rows at the pose and the contacts that touch there.
StartLoads compute_start_loads(const Model& model, const Stepper& stepper, const State& state,
                               Springs springs, Workspace& work);

// The diagonal of the box around the centres of the bodies and the points of the joints [m].
double compute_extent(const Model& model, const State& state);

// v·(∂²g/∂q²) v of the rows, prescribed motions included: what g accelerates by if no velocity
// changes.
VecX compute_curvature(const Model& model, const State& state);

}  // namespace ligament
