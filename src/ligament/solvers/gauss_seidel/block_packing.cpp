// SPDX-License-Identifier: Apache-2.0
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/math/with_size.h"
#include "ligament/solvers/gauss_seidel/packing.h"

namespace ligament::gauss_seidel {
namespace {

// λ_max of a matrix with the given trace, from above: exact if the others are all alike.
template <class Matrix>
double bound_largest_eigenvalue(const Matrix& A) {
  const auto m = static_cast<double>(A.rows());
  const double mean = A.trace() / m;
  const double spread = std::max(0.0, A.squaredNorm() - m * mean * mean);
  return mean + std::sqrt((m - 1.0) / m * spread);
}

// The longest step of a projection of all rows of a block that is both quick where the rows are
// alike and never leaves the range (0, 2/λ_max) in which it converges.                    [GS.4]
template <class Matrix>
double projected_step(const Matrix& A) {
  return std::min(static_cast<double>(A.rows()) / A.trace(), 1.5 / bound_largest_eigenvalue(A));
}

// λ_max(A_tt), with the skew part of a non-symmetric block added to it.
double largest_tangential(const Mat3& A) {
  const double mean = 0.5 * (A(1, 1) + A(2, 2)), half = 0.5 * (A(1, 1) - A(2, 2));
  const double off = 0.5 * (A(1, 2) + A(2, 1)), skew = 0.5 * std::abs(A(1, 2) - A(2, 1));
  return mean + std::sqrt(half * half + off * off) + skew;
}

// What a sweep needs of a law.
struct ReadLaw {
  PackedBlock& block;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void operator()(const Equality&) const { set(Rule::equality, 0.0, -infinity, infinity); }
  void operator()(const Unilateral&) const { set(Rule::bounds, 0.0, 0.0, infinity); }
  void operator()(const Box& law) const { set(Rule::bounds, law.mu, law.lower, law.upper); }
  void operator()(const Disc& law) const { set(Rule::disc, law.mu, 0.0, law.radius); }
  void operator()(const Cone& law) const { set(Rule::cone, law.mu, 0.0, infinity); }
  void operator()(const Coulomb& law) const { set(Rule::coulomb, law.mu, 0.0, infinity); }

 private:
  void set(Rule rule, double mu, double lower, double upper) const {
    block.rule = rule;
    block.mu = mu;
    block.lower = lower;
    block.upper = upper;
  }
};

// G and M⁻¹ Gᵀ of the block, 6 columns a body, and A = (G M⁻¹ Gᵀ + Σ) with its inverse. [GS.1]
template <int rows>
void pack_matrices(const StepProblem& problem, const RowBlock& from, PackedProblem& out,
                   PackedBlock& block) {
  using Wide = Eigen::Matrix<double, rows, 6>;
  using Square = Eigen::Matrix<double, rows, rows>;
  Square A = problem.Sigma.segment<rows>(from.first_row).asDiagonal();
  const auto allot = [&](int count) {
    const std::size_t at = out.values.size();
    out.values.resize(at + static_cast<std::size_t>(count));
    return static_cast<int>(at);
  };
  for (const BlockEntry& entry : problem.G.entries_of(from)) {
    const int at = allot(12 * rows);
    out.entries.push_back({.body = entry.body, .values = at});
    Eigen::Map<Wide> G(out.values.data() + at), Y(out.values.data() + at + 6 * rows);
    G.setZero();
    std::copy_n(problem.G.entry_values(entry), rows * entry.columns, G.data());
    const auto body = static_cast<std::size_t>(entry.body);
    block.symmetric = block.symmetric && problem.M.blocks[body].symmetric;
    Y.template leftCols<3>() = out.bodies[body].inverse_mass * G.template leftCols<3>();
    Y.template rightCols<3>() =
        G.template rightCols<3>() * inverse_of(out.inertias[body]).transpose();
    A.noalias() += G * Y.transpose();
  }
  block.values = allot(2 * rows * rows);
  const Square inverse = Eigen::PartialPivLU<Square>(A).inverse();
  Eigen::Map<Square>(out.values.data() + block.values) = A;
  Eigen::Map<Square>(out.values.data() + block.values + rows * rows) = inverse;
  constexpr double worth_using = 1e-3;
  block.solvable = (A * inverse - Square::Identity()).cwiseAbs().maxCoeff() < worth_using;
  block.step = projected_step(A);
  if constexpr (rows == 3)
    if (block.rule == Rule::coulomb) block.step = 1.0 / largest_tangential(A);
  if (!(block.step < std::numeric_limits<double>::infinity())) block.step = 0.0;  // A = 0
}

void pack_block(const StepProblem& problem, std::size_t i, PackedProblem& out) {
  const RowBlock& from = problem.G.blocks[i];
  PackedBlock block{.rows = from.rows,
                    .first_row = from.first_row,
                    .lambda = out.position[static_cast<std::size_t>(from.first_row)],
                    .first_entry = static_cast<int>(out.entries.size()),
                    .entries = from.entries};
  std::visit(ReadLaw{block}, problem.laws[i]);
  const int normal = normal_row_of(problem.laws[i]);
  if (normal >= 0) block.normal = out.position[static_cast<std::size_t>(normal)];
  with_size(from.rows, [&]<int rows>() { pack_matrices<rows>(problem, from, out, block); });
  out.blocks.push_back(block);
  out.multiply_adds_a_sweep += from.rows * (12.0 * from.entries + from.rows);
}

}  // namespace

void pack_blocks(const StepProblem& problem, PackedProblem& out) {
  int next = out.batch_impulses();
  const auto is_batched = [&](int row) {
    const int at = out.position[static_cast<std::size_t>(row)];
    return at >= 0 && at < out.batch_impulses();
  };
  for (int row = 0; row < problem.rows(); ++row) {
    if (is_batched(row)) continue;
    out.position[static_cast<std::size_t>(row)] = next++;
    out.block_b.push_back(problem.b(row));
    out.block_Sigma.push_back(problem.Sigma(row));
  }
  const auto hangs_on_contact = [&](const Law& law) {
    const int normal = normal_row_of(law);
    return normal >= 0 && is_batched(normal);
  };
  for (const bool after : {false, true}) {
    for (std::size_t i = 0; i < problem.laws.size(); ++i)
      if (!is_batched(problem.G.blocks[i].first_row) && hangs_on_contact(problem.laws[i]) == after)
        pack_block(problem, i, out);
    if (!after) out.blocks_before = out.blocks.size();
  }
}

}  // namespace ligament::gauss_seidel
