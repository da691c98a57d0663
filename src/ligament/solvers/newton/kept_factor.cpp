// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/newton/kept_factor.h"

#include <algorithm>
#include <cmath>

namespace ligament::newton {
namespace {

constexpr int kept_bits = 24;

// The power of two that is 2⁻²⁴ of a size, or a little less.
double unit_of(double size) {
  return size > 0.0 && std::isfinite(size) ? std::ldexp(1.0, std::ilogb(size) - kept_bits) : 0.0;
}

// x to the nearest multiple of a power of two, by what an addition rounds off.
double round_to(double unit, double x) {
  const double large = 0x1.8p52 * unit;
  return (x + large) - large;
}

// Puts the rounded values in the place of those that are kept. Returns whether they are the same.
bool replace(double unit, const double* values, std::size_t count, double* kept) {
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double rounded = round_to(unit, values[i]);
    same &= rounded == kept[i];
    kept[i] = rounded;
  }
  return same;
}

}  // namespace

bool KeptFactor::round_bodies(const BlockDiagonal& M) {
  bool same = rounded_.M.columns == M.columns && rounded_.M.blocks.size() == M.blocks.size();
  if (!same) rounded_.M = M;
  turning_unit_.resize(M.blocks.size());
  for (std::size_t i = 0; i < M.blocks.size(); ++i) {
    const BodyBlock& body = M.blocks[i];
    BodyBlock& kept = rounded_.M.blocks[i];
    same &= kept.size == body.size && kept.mass == body.mass && kept.symmetric == body.symmetric;
    kept.offset = body.offset;
    kept.size = body.size;
    kept.mass = body.mass;
    kept.symmetric = body.symmetric;
    if (body.size == 3) continue;
    const double moment = body.rotation.trace();
    same &= replace(unit_of(moment), body.rotation.data(), 9, kept.rotation.data());
    turning_unit_[i] = unit_of(std::sqrt(moment / (3.0 * body.mass)));
  }
  return same;
}

bool KeptFactor::round_rows(const BlockRows& G) {
  bool same = same_structure(rounded_.G, G);
  if (!same) rounded_.G = G;
  constexpr double moving_unit = 1.0 / (1 << kept_bits);  // directions are of length 1
  for (const RowBlock& block : G.blocks)
    for (const BlockEntry& entry : G.entries_of(block)) {
      const double* values = G.entry_values(entry);
      double* kept = rounded_.G.entry_values(entry);
      const auto half = static_cast<std::size_t>(3 * block.rows);
      same &= replace(moving_unit, values, half, kept);
      if (entry.columns == 3) continue;
      const double turning_unit = turning_unit_[static_cast<std::size_t>(entry.body)];
      same &= replace(turning_unit, values + half, half, kept + half);
    }
  return same;
}

// Σ of the rows that are not condensed, and D of those that are.
bool KeptFactor::round_laws(const StepProblem& problem, direct::CondensedRows& rows) {
  bool same = D_.size() == rows.D.size() && symmetric_ == rows.symmetric;
  symmetric_ = rows.symmetric;
  rounded_.Sigma.resize(problem.rows());
  D_.resize(rows.D.size());
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i) {
    if (rows.condensation.is_condensed(i)) continue;
    const RowBlock& block = problem.G.blocks[i];
    for (int row = block.first_row; row < block.first_row + block.rows; ++row)
      same &= replace(unit_of(problem.Sigma(row)), &problem.Sigma(row), 1, &rounded_.Sigma(row));
  }
  for (const direct::CondensedBlock& block : rows.blocks) {
    double* D = rows.D.data() + block.values;
    const auto count = static_cast<std::size_t>(block.rows * block.rows);
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(D[i]));
    same &= replace(unit_of(largest), D, count, D_.data() + block.values);
    std::copy_n(D_.data() + block.values, count, D);
  }
  return same;
}

void KeptFactor::reserve(const StepProblem& problem, const direct::CondensedRows& rows) {
  const BlockRows& G = problem.G;
  rounded_.M.blocks.reserve(problem.M.blocks.size());
  turning_unit_.reserve(problem.M.blocks.size());
  rounded_.G.blocks.reserve(G.blocks.size());
  rounded_.G.entries.reserve(G.entries.size());
  rounded_.G.values.reserve(G.values.size());
  rounded_.Sigma.resize(problem.rows());
  D_.reserve(rows.D.size());
}

KeptFactor::Made KeptFactor::update(const StepProblem& problem, direct::CondensedRows& rows,
                                    direct::Factorization& factor) {
  direct::condense(rows);
  bool same = round_bodies(problem.M);
  same &= round_rows(problem.G);
  same &= round_laws(problem, rows);
  if (same && valid_) return Made::kept;
  valid_ = direct::factorize_with(rounded_, rows, factor) < 0;
  return valid_ ? Made::anew : Made::broken_down;
}

}  // namespace ligament::newton
