// SPDX-License-Identifier: Apache-2.0
// G: a sparse matrix of block rows. A row block (a joint, a contact) has 1 to 6 rows and touches
// one or two bodies, a few more for gears; each touch is an entry, a dense block of rows × (3 or 6)
// numbers.
//
// Values are one contiguous array, entry after entry in the order of the row blocks, each entry
// stored by columns. The structure is made once per topology; a step rewrites values only.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "ligament/math/block_diagonal.h"
#include "ligament/math/types.h"

namespace ligament {

constexpr int max_block_rows = 6;

struct RowBlock {
  int first_row = 0;
  int rows = 0;  // 1 … 6
  int first_entry = 0;
  int entries = 0;
};

struct BlockEntry {
  int body = 0;     // index of the block of M
  int column = 0;   // its first column
  int columns = 0;  // 3 or 6
  int values = 0;   // offset of the rows × columns values
};

struct BlockRows {
  std::vector<RowBlock> blocks;
  std::vector<BlockEntry> entries;
  std::vector<double> values;
  int rows = 0;
  int columns = 0;

  // Appends a row block that touches the given blocks of M; its values are zero.
  int add_block(int row_count, std::span<const int> bodies, const BlockDiagonal& M);

  // Makes the last row block touch one block of M more; returns its values, which are zero.
  double* extend_last_block(int body, const BlockDiagonal& M);
  // Takes away all row blocks from this one on. Keeps the memory.
  void truncate(int block_count);

  double* entry_values(const BlockEntry& entry) { return values.data() + entry.values; }
  const double* entry_values(const BlockEntry& entry) const { return values.data() + entry.values; }
  std::span<const BlockEntry> entries_of(const RowBlock& block) const {
    return {entries.data() + block.first_entry, static_cast<std::size_t>(block.entries)};
  }
};

// The row block that a row is in.
int block_of(const BlockRows& G, int row);

// out = G u.
void multiply(const BlockRows& G, const VecX& u, VecX& out);
// out = Gᵀ λ.
void multiply_transposed(const BlockRows& G, const VecX& lambda, VecX& out);

MatX make_dense(const BlockRows& G);

// Whether two matrices have the same blocks in the same places.
bool same_structure(const BlockRows& A, const BlockRows& B);

}  // namespace ligament
