// SPDX-License-Identifier: Apache-2.0
// One projected step from y to x, over all batches and blocks,
//
//     x_i = P_K(y_i − (D_i/L) w_i(y)),   w(y) = G u(y) + Σ y − b                           [AG.1]
//
// D_i is one number a contact, disc or cone, the inverse of its diagonal in G M⁻¹ Gᵀ + Σ: it keeps
// their shape. Bounds have one a row, equalities the inverse of their block.
#pragma once

#include <vector>

#include "ligament/solvers/gauss_seidel/packed_error.h"

namespace ligament::gradient {

using gauss_seidel::Held;
using gauss_seidel::PackedBody;
using gauss_seidel::PackedProblem;

// Impulses with the velocities that they make.
struct Iterate {
  VecX lambda;
  std::vector<PackedBody> bodies;
};

struct StepSums {
  double length = 0.0;   // (x − y)ᵀ D⁻¹ (x − y) [J]
  double stretch = 0.0;  // (x − y)ᵀ Σ (x − y) [J]
  double uphill = 0.0;   // w(y)ᵀ (x − before) [J]
};

// y is in `packed`; lifts and bounds are held. `before` are the impulses of the last x.
StepSums take_step(const PackedProblem& packed, const Held& held, double L, const VecX& before,
                   Iterate& x);

}  // namespace ligament::gradient
