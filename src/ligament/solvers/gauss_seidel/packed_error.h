// SPDX-License-Identifier: Apache-2.0
// The velocity error [WA.8] of the impulses and velocities of a packed problem: the sums of
// problem/velocity_error.h, over batches and blocks.
#pragma once

#include <algorithm>

#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

// What makes the laws of a packed problem convex: of Coulomb's law the lift μ‖w_t‖ [WA.5] [m/s], or
// the bound μ λ_n [N s] where friction is strong [AG.4], 4 a batch, and 1 a block; and 1 a block of
// the bounds μ λ_n that hang on another row [WA.6].
struct Held {
  VecX batches;
  VecX blocks;
};

// Those of the impulses and velocities as they are.
void update_held(const PackedProblem& packed, Held& out);

// With lifts and bounds as λ makes them, or, if `held` is not null, as they are held.
VelocityError compute_error(const StepProblem& problem, const PackedProblem& packed,
                            const Held* held = nullptr);
// Of velocities that are counted from u.
VelocityError compute_error(const StepProblem& problem, const VecX& u,
                            const PackedContacts<float>& packed);

// The sweep or step after which it is computed next: 1, 2, 4, 8, 16, 32, 48, … It costs as much as
// a sweep.
inline int next_check(int done) {
  constexpr int longest = 16;
  return done + std::clamp(done, 1, longest);
}

}  // namespace ligament::gauss_seidel
