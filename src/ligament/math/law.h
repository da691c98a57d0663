// SPDX-License-Identifier: Apache-2.0
// K_i, the law of one row block of a step problem: the set that its impulses must lie in.  [WA.2]
//
//     λ ∈ K   and   ⟨ w, y − λ ⟩ ≥ 0 for all y ∈ K,     w = G u + Σ λ − b.
#pragma once

#include <variant>

#include "ligament/math/types.h"

namespace ligament {

// K = ℝᵐ: w = 0. Joint, rigid link, stiff spring, damper, motor without a limit.
struct Equality {};

// K = {λ ≥ 0} in each row: 0 ≤ λ ⟂ w ≥ 0. Frictionless contact, joint limit, rope.
struct Unilateral {};

// K = {lower ≤ λ ≤ upper} in each row [N s]. Motor with a force limit, box friction.
struct Box {
  double lower = 0.0;
  double upper = 0.0;
};

// K = {‖λ‖ ≤ radius} over the rows of the block [N s]. Friction with a given bound.
struct Disc {
  double radius = 0.0;
};

// K = {‖λ_t‖ ≤ mu λ_n}, the first row normal, the others tangential. Coulomb friction.
struct Cone {
  double mu = 0.0;
};

using Law = std::variant<Equality, Unilateral, Box, Disc, Cone>;

const char* name_of(const Law& law);

// λ ← the point of K nearest to λ.
void project(const Law& law, Eigen::Ref<VecX> lambda);

}  // namespace ligament
