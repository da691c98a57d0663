// SPDX-License-Identifier: Apache-2.0
// K_i, the law of one row block of a step problem: the set that its impulses must lie in.  [WA.2]
//
//     λ ∈ K   and   ⟨ w, y − λ ⟩ ≥ 0 for all y ∈ K,     w = G u + Σ λ − b.
//
// Two laws reach further. In Coulomb's the normal w has a term more [WA.5]; and the bound of a disc
// or a box may be μ times the impulse of another row, the normal one of the same contact [WA.6].
#pragma once

#include <variant>

#include "ligament/math/types.h"

namespace ligament {

// K = ℝᵐ: w = 0. Joint, rigid link, stiff spring, damper, motor without a limit.
struct Equality {};

// K = {λ ≥ 0} in each row: 0 ≤ λ ⟂ w ≥ 0. Frictionless contact, joint limit, rope.
struct Unilateral {};

// K = {lower ≤ λ ≤ upper} in each row [N s]. Motor with a force limit, box friction.
// With normal ≥ 0 the bounds are ∓mu times the impulse of that row.                       [WA.6]
struct Box {
  double lower = 0.0;
  double upper = 0.0;
  int normal = -1;
  double mu = 0.0;
};

// K = {‖λ‖ ≤ radius} over the rows of the block [N s]. Friction with a given bound, rolling.
// With normal ≥ 0 the radius is mu times the impulse of that row.                         [WA.6]
struct Disc {
  double radius = 0.0;
  int normal = -1;
  double mu = 0.0;
};

// K = {‖λ_t‖ ≤ mu λ_n}, the first row normal, the others tangential: associated friction, the
// convex relative of Coulomb's law. What slides is lifted, w_n = mu ‖w_t‖.
struct Cone {
  double mu = 0.0;
};

// The same K with w̃ = (w_n + mu ‖w_t‖, w_t) in place of w (De Saxcé): Coulomb's law. It stays down
// when it slides.                                                                         [WA.5]
struct Coulomb {
  double mu = 0.0;
};

using Law = std::variant<Equality, Unilateral, Box, Disc, Cone, Coulomb>;

const char* name_of(const Law& law);

// The row whose impulse bounds this law, −1 if there is none.
int normal_row_of(const Law& law);

// The law with the bounds that the impulses at hand give it: the same law if it has its own. [WA.6]
Law bounded_by(const VecX& lambda, const Law& law);

// λ ← the point of K nearest to λ.
void project(const Law& law, Eigen::Ref<Eigen::VectorXd> lambda);

}  // namespace ligament
