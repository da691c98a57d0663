// SPDX-License-Identifier: Apache-2.0
// Which rows say something new: the rank of G, and the rows that follow from rows before them.
//
// Columns of L⁻¹ Gᵀ, M = L Lᵀ, each scaled to length one, are orthogonalized in the order of the
// rows by sparse QR (SPQR of SuiteSparse, T. Davis 2011). A row of which less than the tolerance is
// left depends on those before it.
// [CH.1]
#pragma once

#include <vector>

#include "ligament/math/block_rows.h"

namespace ligament {

struct RowRank {
  int rank = 0;
  std::vector<int> dependent;  // rows, in their order
};

// Looks at the rows whose `wanted` is true. The tolerance lies between what the rounding and the
// leftover gaps of an assembled pose tilt rows by (1e-9) and what tells rows of real machines
// apart.
RowRank compute_rank(const BlockDiagonal& M, const BlockRows& G, const std::vector<bool>& wanted,
                     double tolerance = 1e-7);

}  // namespace ligament
