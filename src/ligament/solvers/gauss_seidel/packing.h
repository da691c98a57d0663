// SPDX-License-Identifier: Apache-2.0
// The two halves of pack(): contacts into batches, and everything else into blocks.
#pragma once

#include <algorithm>
#include <cmath>

#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

// Two numbers that differ by less, relative to what they are made of, count as the same: far above
// the rounding of a Jacobian, far below what a solve resolves.
constexpr double same = 1e-12;

// A⁻¹ of the rotational block of a body.
template <class Real>
auto inverse_of(const InertiaOf<Real>& inertia) {
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  return Eigen::Map<const Matrix, 0, Eigen::OuterStride<4>>(inertia.columns[0]);
}

// Row blocks of the form [GS.5], in batches, with the targets b; their rows get a position. Bodies
// must be packed.
template <class Real>
void pack_contacts(const StepProblem& problem, const VecX& b, PackedContacts<Real>& out);

// All row blocks whose rows have no position yet.
void pack_blocks(const StepProblem& problem, PackedProblem& out);

}  // namespace ligament::gauss_seidel
