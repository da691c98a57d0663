// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/factorization.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "ligament/solvers/direct/block_kernels.h"

namespace ligament::direct {
namespace {

// A pivot below this share of its size before elimination is rounding error and nothing else.
constexpr double lost_digits = 8.0 * std::numeric_limits<double>::epsilon();

void invert_masses(const BlockDiagonal& M, Factorization& factor) {
  factor.inverse_mass.resize(M.blocks.size());
  factor.inverse_rotation.resize(M.blocks.size());
  for (std::size_t i = 0; i < M.blocks.size(); ++i) {
    factor.inverse_mass[i] = 1.0 / M.blocks[i].mass;
    if (M.blocks[i].size == 6) factor.inverse_rotation[i] = M.blocks[i].rotation.inverse();
  }
}

// W (N × rows) = diag(E/m, A) Gᵀ for an entry G (rows × N) of a body, A the inverse of its rotational
// block or the transpose of that.
template <int N, int rows>
void compute_mobility(double inverse_mass, const Mat3& A, const double* G, double* W) {
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < 3; ++k) W[r * N + k] = inverse_mass * G[k * rows + r];
    if constexpr (N == 6) {
      const double x = G[3 * rows + r], y = G[4 * rows + r], z = G[5 * rows + r];
      for (int k = 0; k < 3; ++k) W[r * N + 3 + k] = A(k, 0) * x + A(k, 1) * y + A(k, 2) * z;
    }
  }
}

// Adds G_i M⁻¹ G_jᵀ of one body to all its pairs of row blocks, all of which have `rows` rows.
template <int N, int rows>
void add_uniform_body(const EliminatedBody& body, const EliminationPlan& plan, const double* G,
                      double inverse_mass, const Mat3& A, double* values) {
  const Touch* touch = plan.touches.data() + body.touch;
  const int* target = plan.pair_targets.data() + body.targets;
  double W[N * rows];
  for (int j = 0; j < body.touch_count; ++j) {
    compute_mobility<N, rows>(inverse_mass, A, G + touch[j].entry_values, W);
    for (int i = j; i < body.touch_count; ++i)
      add_mobility<rows, rows, N>(G + touch[i].entry_values, W, values + *target++);
  }
}

template <int N>
void add_mixed_body(const EliminatedBody& body, const EliminationPlan& plan, const double* G,
                    double inverse_mass, const Mat3& A, double* values) {
  const Touch* touch = plan.touches.data() + body.touch;
  const int* target = plan.pair_targets.data() + body.targets;
  double W[N * max_block_rows];
  for (int j = 0; j < body.touch_count; ++j) {
    with_size(touch[j].rows, [&]<int rows>() {
      compute_mobility<N, rows>(inverse_mass, A, G + touch[j].entry_values, W);
    });
    for (int i = j; i < body.touch_count; ++i)
      add_mobility_of(touch[i].rows, touch[j].rows, N)(G + touch[i].entry_values, W,
                                                       values + *target++);
  }
}

void add_body(const EliminatedBody& body, int size, const EliminationPlan& plan, const double* G,
              double inverse_mass, const Mat3& A, double* values) {
  const Touch* touch = plan.touches.data() + body.touch;
  const int rows = touch[0].rows;
  const bool uniform = std::all_of(touch, touch + body.touch_count,
                                   [&](const Touch& t) { return t.rows == rows; });
  if (!uniform && size == 3) return add_mixed_body<3>(body, plan, G, inverse_mass, A, values);
  if (!uniform) return add_mixed_body<6>(body, plan, G, inverse_mass, A, values);
  with_size(rows, [&]<int n>() {
    if (size == 3)
      add_uniform_body<3, n>(body, plan, G, inverse_mass, A, values);
    else
      add_uniform_body<6, n>(body, plan, G, inverse_mass, A, values);
  });
}

void fill_pivots(const StepProblem& problem, const EliminationPlan& plan, double* values) {
  for (const Node& node : plan.nodes) {
    double* D = values + node.diagonal;
    if (!node.hub) {
      const int row = problem.G.blocks[static_cast<std::size_t>(node.source)].first_row;
      for (int i = 0; i < node.size; ++i) D[i * node.size + i] = problem.Sigma(row + i);
      continue;
    }
    const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(node.source)];
    for (int i = 0; i < 3; ++i) D[i * node.size + i] = -body.mass;
    if (node.size == 6)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) D[(3 + c) * 6 + 3 + r] = -body.rotation(r, c);
  }
}

void copy_hub_entries(const BlockRows& G, const EliminationPlan& plan, double* values) {
  for (const HubEntry& entry : plan.hub_entries) {
    const double* from = G.values.data() + entry.entry_values;
    double* to = values + entry.values;
    for (int c = 0; c < entry.columns; ++c)
      for (int r = 0; r < entry.rows; ++r)
        to[entry.transposed ? r * entry.columns + c : c * entry.rows + r] = from[c * entry.rows + r];
  }
}

// The matrix of [DI.1] before elimination.
void fill(const StepProblem& problem, Factorization& factor) {
  const EliminationPlan& plan = factor.plan;
  const double* G = problem.G.values.data();
  std::ranges::fill(factor.lower, 0.0);
  fill_pivots(problem, plan, factor.lower.data());
  copy_hub_entries(problem.G, plan, factor.lower.data());
  if (!factor.symmetric) factor.upper = factor.lower;
  for (const EliminatedBody& body : plan.bodies) {
    const auto at = static_cast<std::size_t>(body.body);
    const int size = problem.M.blocks[at].size;
    const double inverse_mass = factor.inverse_mass[at];
    const Mat3& A = factor.inverse_rotation[at];
    add_body(body, size, plan, G, inverse_mass, A, factor.lower.data());
    if (!factor.symmetric)  // blocks right of the pivots, transposed: G_i M⁻ᵀ G_jᵀ
      add_body(body, size, plan, G, inverse_mass, A.transpose(), factor.upper.data());
  }
  for (const Node& node : plan.nodes)
    for (int i = 0; i < node.size; ++i)
      factor.scale[static_cast<std::size_t>(node.first + i)] =
          std::abs(factor.lower[static_cast<std::size_t>(node.diagonal + i * node.size + i)]);
}

// L_ik = A_ik D_k⁻¹ for all blocks below a pivot.
template <int N>
void scale_column(const Node& node, const EliminationPlan& plan, double* lower) {
  const double* D = lower + node.diagonal;
  for (int i = 0; i < node.below_count; ++i) {
    const Below& block = plan.belows[static_cast<std::size_t>(node.below + i)];
    const int rows = plan.nodes[static_cast<std::size_t>(block.node)].size;
    if (rows == N)
      solve_right<N, N>(D, lower + block.values);
    else
      with_size(rows, [&]<int r>() { solve_right<N, r>(D, lower + block.values); });
  }
}

// A_ij −= X_ik Y_jkᵀ for all i ≥ j (or i > j) below the pivot. X and Y point at the blocks below it,
// which are contiguous; `into` is the array that the targets are offsets of.
enum class Pairs { with_diagonal, strictly_below };

template <int N>
void update(const Node& node, const EliminationPlan& plan, const double* X, const double* Y,
            double* into, Pairs pairs) {
  const Below* below = plan.belows.data() + node.below;
  const int* target = plan.targets.data() + node.targets;
  const int count = node.below_count;
  if (node.uniform) {
    for (int j = 0; j < count; ++j)
      for (int i = j; i < count; ++i, ++target)
        if (i > j || pairs == Pairs::with_diagonal)
          subtract_product<N, N, N>(X + i * N * N, Y + j * N * N, into + *target);
    return;
  }
  const int base = below[0].values;
  for (int j = 0; j < count; ++j) {
    const int columns = plan.nodes[static_cast<std::size_t>(below[j].node)].size;
    for (int i = j; i < count; ++i, ++target) {
      if (i == j && pairs == Pairs::strictly_below) continue;
      const int rows = plan.nodes[static_cast<std::size_t>(below[i].node)].size;
      subtract_product_of(rows, columns, N)(X + (below[i].values - base),
                                            Y + (below[j].values - base), into + *target);
    }
  }
}

template <int N>
bool eliminate(const Node& node, Factorization& factor) {
  double* lower = factor.lower.data();
  const double sign = node.hub ? -1.0 : 1.0;
  if (!ligament::direct::factor<N>(lower + node.diagonal, sign, factor.scale.data() + node.first, lost_digits))
    return false;
  if (node.below_count == 0) return true;
  double* L = lower + factor.plan.belows[static_cast<std::size_t>(node.below)].values;
  if (factor.symmetric) {  // A_kj = A_jkᵀ: keep the column before it is scaled
    const Below& last = factor.plan.belows[static_cast<std::size_t>(node.below + node.below_count - 1)];
    const double* end =
        lower + last.values + N * factor.plan.nodes[static_cast<std::size_t>(last.node)].size;
    std::copy(L, const_cast<double*>(end), factor.column.data());
    scale_column<N>(node, factor.plan, lower);
    update<N>(node, factor.plan, L, factor.column.data(), lower, Pairs::with_diagonal);
  } else {
    double* upper = factor.upper.data();
    const double* U = upper + (L - lower);
    scale_column<N>(node, factor.plan, lower);
    update<N>(node, factor.plan, L, U, lower, Pairs::with_diagonal);
    update<N>(node, factor.plan, U, L, upper, Pairs::strictly_below);
  }
  return true;
}

void solve_reduced(const Factorization& factor, double* x) {
  const EliminationPlan& plan = factor.plan;
  const double* lower = factor.lower.data();
  for (const Node& node : plan.nodes)  // y_i −= L_ik y_k
    with_size(node.size, [&]<int N>() {
      for (int i = 0; i < node.below_count; ++i) {
        const Below& block = plan.belows[static_cast<std::size_t>(node.below + i)];
        const Node& row = plan.nodes[static_cast<std::size_t>(block.node)];
        subtract_times<N>(lower + block.values, row.size, x + node.first, x + row.first);
      }
    });
  const double* across = factor.symmetric ? lower : factor.upper.data();
  for (std::size_t k = plan.nodes.size(); k-- > 0;) {
    const Node& node = plan.nodes[k];
    with_size(node.size, [&]<int N>() {
      // LDLᵀ: x_k = D_k⁻¹ y_k − Σ L_ikᵀ x_i;   LDU: x_k = D_k⁻¹ (y_k − Σ A_ki x_i)
      if (factor.symmetric) solve_left<N>(lower + node.diagonal, x + node.first);
      for (int i = 0; i < node.below_count; ++i) {
        const Below& block = plan.belows[static_cast<std::size_t>(node.below + i)];
        const Node& row = plan.nodes[static_cast<std::size_t>(block.node)];
        subtract_transposed_times<N>(across + block.values, row.size, x + row.first, x + node.first);
      }
      if (!factor.symmetric) solve_left<N>(lower + node.diagonal, x + node.first);
    });
  }
}

// out = M⁻¹ p for the bodies that were eliminated; hubs are left to the caller.
void apply_inverse_mass(const BlockDiagonal& M, const Factorization& factor, const VecX& p, VecX& out) {
  for (std::size_t i = 0; i < M.blocks.size(); ++i) {
    const int at = M.blocks[i].offset;
    out.segment<3>(at) = factor.inverse_mass[i] * p.segment<3>(at);
    if (M.blocks[i].size == 6)
      out.segment<3>(at + 3) = factor.inverse_rotation[i] * p.segment<3>(at + 3);
  }
}

}  // namespace

int factorize(const StepProblem& problem, Factorization& factor) {
  const EliminationPlan& plan = factor.plan;
  factor.symmetric = problem.M.is_symmetric();
  factor.lower.resize(static_cast<std::size_t>(plan.values));
  factor.scale.resize(static_cast<std::size_t>(plan.reduced_size));
  int widest = 0;
  for (const Node& node : plan.nodes) {
    int column = 0;
    for (int i = 0; i < node.below_count; ++i)
      column += plan.nodes[static_cast<std::size_t>(
                               plan.belows[static_cast<std::size_t>(node.below + i)].node)].size;
    widest = std::max(widest, column * node.size);
  }
  factor.column.resize(static_cast<std::size_t>(widest));

  invert_masses(problem.M, factor);
  fill(problem, factor);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const Node& node = plan.nodes[k];
    const bool fine = with_size(node.size, [&]<int N>() { return eliminate<N>(node, factor); });
    if (!fine) return static_cast<int>(k);
  }
  return -1;
}

void solve_factored(const StepProblem& problem, const VecX& p, const VecX& b, Factorization& factor,
                    StepSolution& solution) {
  const EliminationPlan& plan = factor.plan;
  factor.free_motion.resize(problem.columns());
  factor.rows.resize(problem.rows());
  factor.reduced.resize(plan.reduced_size);
  solution.u.resize(problem.columns());
  solution.lambda.resize(problem.rows());

  // b − G M⁻¹ p over the eliminated bodies, −p of the hubs.
  apply_inverse_mass(problem.M, factor, p, factor.free_motion);
  for (const Node& node : plan.nodes)
    if (node.hub)
      factor.free_motion.segment(problem.M.blocks[static_cast<std::size_t>(node.source)].offset, node.size)
          .setZero();
  multiply(problem.G, factor.free_motion, factor.rows);
  for (const Node& node : plan.nodes) {
    const auto source = static_cast<std::size_t>(node.source);
    auto x = factor.reduced.segment(node.first, node.size);
    if (node.hub) {
      x = -p.segment(problem.M.blocks[source].offset, node.size);
    } else {
      const int row = problem.G.blocks[source].first_row;
      x = b.segment(row, node.size) - factor.rows.segment(row, node.size);
    }
  }
  solve_reduced(factor, factor.reduced.data());

  for (const Node& node : plan.nodes)
    if (!node.hub)
      solution.lambda.segment(problem.G.blocks[static_cast<std::size_t>(node.source)].first_row,
                              node.size) = factor.reduced.segment(node.first, node.size);
  // u = M⁻¹ (p + Gᵀ λ), and as solved for the hubs.
  multiply_transposed(problem.G, solution.lambda, factor.free_motion);
  factor.free_motion += p;
  apply_inverse_mass(problem.M, factor, factor.free_motion, solution.u);
  for (const Node& node : plan.nodes)
    if (node.hub)
      solution.u.segment(problem.M.blocks[static_cast<std::size_t>(node.source)].offset, node.size) =
          factor.reduced.segment(node.first, node.size);
}

}  // namespace ligament::direct
