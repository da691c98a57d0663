// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/block_rows.h"

#include <Eigen/LU>
#include <algorithm>

#include "ligament/math/with_size.h"

namespace ligament {
namespace {

// sum += B u, B stored by columns.
template <int rows, int columns>
inline void add_product(const double* B, const double* u, double* sum) {
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) sum[r] += B[c * rows + r] * u[c];
}

// out += Bᵀ λ.
template <int rows, int columns>
inline void add_transposed_product(const double* B, const double* lambda, double* out) {
  for (int c = 0; c < columns; ++c) {
    double sum = out[c];
    for (int r = 0; r < rows; ++r) sum += B[c * rows + r] * lambda[r];
    out[c] = sum;
  }
}

}  // namespace

int BlockRows::add_block(int row_count, std::span<const int> bodies, const BlockDiagonal& M) {
  assert(row_count >= 1 && row_count <= max_block_rows);
  blocks.push_back(
      {.first_row = rows, .rows = row_count, .first_entry = static_cast<int>(entries.size())});
  for (const int body : bodies) extend_last_block(body, M);
  rows += row_count;
  columns = M.columns;
  return static_cast<int>(blocks.size()) - 1;
}

double* BlockRows::extend_last_block(int body, const BlockDiagonal& M) {
  const BodyBlock& mass = M.blocks[static_cast<std::size_t>(body)];
  const std::size_t at = values.size();
  entries.push_back(
      {.body = body, .column = mass.offset, .columns = mass.size, .values = static_cast<int>(at)});
  values.resize(at + static_cast<std::size_t>(blocks.back().rows * mass.size), 0.0);
  ++blocks.back().entries;
  return values.data() + at;
}

void BlockRows::truncate(int block_count) {
  if (block_count >= static_cast<int>(blocks.size())) return;
  const RowBlock& first = blocks[static_cast<std::size_t>(block_count)];
  rows = first.first_row;
  if (first.first_entry < static_cast<int>(entries.size()))
    values.resize(
        static_cast<std::size_t>(entries[static_cast<std::size_t>(first.first_entry)].values));
  entries.resize(static_cast<std::size_t>(first.first_entry));
  blocks.resize(static_cast<std::size_t>(block_count));
}

int block_of(const BlockRows& G, int row) {
  const auto after = std::ranges::upper_bound(G.blocks, row, {}, &RowBlock::first_row);
  return static_cast<int>(after - G.blocks.begin()) - 1;
}

void multiply(const BlockRows& G, const VecX& u, VecX& out) {
  for (const RowBlock& block : G.blocks)
    with_size(block.rows, [&]<int rows>() {
      double sum[rows] = {};
      for (const BlockEntry& entry : G.entries_of(block)) {
        const double* B = G.entry_values(entry);
        if (entry.columns == 6)
          add_product<rows, 6>(B, u.data() + entry.column, sum);
        else
          add_product<rows, 3>(B, u.data() + entry.column, sum);
      }
      for (int r = 0; r < rows; ++r) out(block.first_row + r) = sum[r];
    });
}

void multiply_transposed(const BlockRows& G, const VecX& lambda, VecX& out) {
  out.setZero();
  for (const RowBlock& block : G.blocks)
    with_size(block.rows, [&]<int rows>() {
      double impulse[rows];
      for (int r = 0; r < rows; ++r) impulse[r] = lambda(block.first_row + r);
      for (const BlockEntry& entry : G.entries_of(block)) {
        const double* B = G.entry_values(entry);
        if (entry.columns == 6)
          add_transposed_product<rows, 6>(B, impulse, out.data() + entry.column);
        else
          add_transposed_product<rows, 3>(B, impulse, out.data() + entry.column);
      }
    });
}

MatX make_dense(const BlockRows& G) {
  MatX dense = MatX::Zero(G.rows, G.columns);
  for (const RowBlock& block : G.blocks)
    for (const BlockEntry& entry : G.entries_of(block))
      dense.block(block.first_row, entry.column, block.rows, entry.columns) +=
          Eigen::Map<const MatX>(G.entry_values(entry), block.rows, entry.columns);
  return dense;
}

void multiply_inverse(const BlockDiagonal& M, const VecX& p, VecX& out) {
  for (const BodyBlock& block : M.blocks) {
    out.segment<3>(block.offset) = p.segment<3>(block.offset) / block.mass;
    if (block.size == 6)
      out.segment<3>(block.offset + 3) = block.rotation.inverse() * p.segment<3>(block.offset + 3);
  }
}

MatX make_dense(const BlockDiagonal& M) {
  MatX dense = MatX::Zero(M.columns, M.columns);
  for (const BodyBlock& block : M.blocks) {
    dense.block<3, 3>(block.offset, block.offset) = block.mass * Mat3::Identity();
    if (block.size == 6) dense.block<3, 3>(block.offset + 3, block.offset + 3) = block.rotation;
  }
  return dense;
}

bool same_structure(const BlockRows& A, const BlockRows& B) {
  const auto same_block = [](const RowBlock& a, const RowBlock& b) {
    return a.rows == b.rows && a.entries == b.entries;
  };
  const auto same_entry = [](const BlockEntry& a, const BlockEntry& b) {
    return a.body == b.body && a.columns == b.columns && a.column == b.column;
  };
  return A.columns == B.columns && A.rows == B.rows &&
         std::ranges::equal(A.blocks, B.blocks, same_block) &&
         std::ranges::equal(A.entries, B.entries, same_entry);
}

}  // namespace ligament
