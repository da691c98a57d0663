// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/factorization.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
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

// W (N × rows) = diag(E/m, A) Gᵀ for an entry G (rows × N) of a body, A the inverse of its
// rotational block or the transpose of that.
template <int N, int rows>
inline void compute_mobility(double inverse_mass, const Mat3& A, const double* G, double* W) {
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < 3; ++k) W[r * N + k] = inverse_mass * G[k * rows + r];
    if constexpr (N == 6) {
      const double x = G[3 * rows + r], y = G[4 * rows + r], z = G[5 * rows + r];
      for (int k = 0; k < 3; ++k) W[r * N + 3 + k] = A(k, 0) * x + A(k, 1) * y + A(k, 2) * z;
    }
  }
}

// The arrays that a body's products go into. `upper` is null for a symmetric problem.
struct Halves {
  double* lower;
  double* upper;
};

// Adds what one body leaves between all pairs i ≥ j of its row blocks: G_i M⁻¹ G_jᵀ below the
// diagonal and, if M is not symmetric, (G_j M⁻¹ G_iᵀ)ᵀ as the transposed block right of it.
template <int N, int rows>
void add_uniform_body(const EliminatedBody& body, const EliminationPlan& plan, const double* G,
                      double inverse_mass, const Mat3& A, const Halves& into) {
  const Touch* touch = plan.touches.data() + body.touch;
  const int* target = plan.pair_targets.data() + body.targets;
  double W[N * most_rows_of_a_plain_body];
  for (int j = 0; j < body.touch_count; ++j)
    compute_mobility<N, rows>(inverse_mass, A, G + touch[j].entry_values, W + j * N * rows);
  for (int j = 0; j < body.touch_count; ++j) {
    const double* G_j = G + touch[j].entry_values;
    const double* W_j = W + j * N * rows;
    add_mobility<rows, rows, N>(G_j, W_j, into.lower + *target++);
    for (int i = j + 1; i < body.touch_count; ++i, ++target) {
      add_mobility<rows, rows, N>(G + touch[i].entry_values, W_j, into.lower + *target);
      if (into.upper)
        add_transposed_mobility<rows, rows, N>(G_j, W + i * N * rows, into.upper + *target);
    }
  }
}

// The same for row blocks of different sizes.
template <int N>
void add_mixed_body(const EliminatedBody& body, const EliminationPlan& plan, const double* G,
                    double inverse_mass, const Mat3& A, const Halves& into) {
  const Touch* touch = plan.touches.data() + body.touch;
  const int* target = plan.pair_targets.data() + body.targets;
  double W[N * most_rows_of_a_plain_body];
  const double* W_of[most_rows_of_a_plain_body];
  double* next = W;
  for (int j = 0; j < body.touch_count; ++j) {
    with_size(touch[j].rows, [&]<int rows>() {
      compute_mobility<N, rows>(inverse_mass, A, G + touch[j].entry_values, next);
    });
    W_of[j] = next;
    next += N * touch[j].rows;
  }
  for (int j = 0; j < body.touch_count; ++j)
    for (int i = j; i < body.touch_count; ++i, ++target) {
      add_mobility_of(touch[i].rows, touch[j].rows, N)(G + touch[i].entry_values, W_of[j],
                                                       into.lower + *target);
      if (into.upper && i > j)
        add_transposed_mobility_of(touch[i].rows, touch[j].rows, N)(G + touch[j].entry_values,
                                                                    W_of[i], into.upper + *target);
    }
}

void add_body(const EliminatedBody& body, int size, const EliminationPlan& plan, const double* G,
              double inverse_mass, const Mat3& A, const Halves& into) {
  if (!body.uniform && size == 3) return add_mixed_body<3>(body, plan, G, inverse_mass, A, into);
  if (!body.uniform) return add_mixed_body<6>(body, plan, G, inverse_mass, A, into);
  with_size(plan.touches[static_cast<std::size_t>(body.touch)].rows, [&]<int n>() {
    if (size == 3)
      add_uniform_body<3, n>(body, plan, G, inverse_mass, A, into);
    else
      add_uniform_body<6, n>(body, plan, G, inverse_mass, A, into);
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
        to[entry.transposed ? r * entry.columns + c : c * entry.rows + r] =
            from[c * entry.rows + r];
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
  const Halves into{factor.lower.data(), factor.symmetric ? nullptr : factor.upper.data()};
  for (const EliminatedBody& body : plan.bodies) {
    const auto at = static_cast<std::size_t>(body.body);
    add_body(body, problem.M.blocks[at].size, plan, G, factor.inverse_mass[at],
             factor.inverse_rotation[at], into);
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

// A_ij −= X_ik Y_jkᵀ for all i ≥ j (or i > j) below the pivot. X and Y point at the blocks below
// it, which are contiguous; `into` is the array that the targets are offsets of.
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
void eliminate_below(const Node& node, Factorization& factor) {
  double* lower = factor.lower.data();
  double* L = lower + factor.plan.belows[static_cast<std::size_t>(node.below)].values;
  if (factor.symmetric) {  // A_kj = A_jkᵀ: keep the column before it is scaled
    const Below& last =
        factor.plan.belows[static_cast<std::size_t>(node.below + node.below_count - 1)];
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
}

// Eliminates a node. Its pivot block becomes its own inverse, which the solves multiply by.
template <int N>
bool eliminate(const Node& node, Factorization& factor) {
  double* D = factor.lower.data() + node.diagonal;
  const double sign = node.hub ? -1.0 : 1.0;
  if (!factor_pivot<N>(D, sign, factor.scale.data() + node.first, lost_digits)) return false;
  if (node.below_count > 0) eliminate_below<N>(node, factor);
  invert_pivot<N>(D);
  return true;
}

// y_i −= L_ik y_k over the blocks below node k.
template <int N>
void forward(const Node& node, const EliminationPlan& plan, const double* L, double* x) {
  const Below* below = plan.belows.data() + node.below;
  for (int i = 0; i < node.below_count; ++i) {
    const Node& row = plan.nodes[static_cast<std::size_t>(below[i].node)];
    if (node.uniform)
      subtract_times<N>(L + below[i].values, N, x + node.first, x + row.first);
    else
      subtract_times<N>(L + below[i].values, row.size, x + node.first, x + row.first);
  }
}

// LDLᵀ: x_k = D_k⁻¹ y_k − Σ L_ikᵀ x_i;   LDU: x_k = D_k⁻¹ (y_k − Σ A_ki x_i).
template <int N>
void backward(const Node& node, const EliminationPlan& plan, const double* D, const double* across,
              bool symmetric, double* x) {
  double sum[N];
  for (int r = 0; r < N; ++r) sum[r] = x[node.first + r];
  if (symmetric) multiply_pivot<N>(D, sum);
  const Below* below = plan.belows.data() + node.below;
  for (int i = 0; i < node.below_count; ++i) {
    const Node& row = plan.nodes[static_cast<std::size_t>(below[i].node)];
    if (node.uniform)
      subtract_transposed_times<N>(across + below[i].values, N, x + row.first, sum);
    else
      subtract_transposed_times<N>(across + below[i].values, row.size, x + row.first, sum);
  }
  if (!symmetric) multiply_pivot<N>(D, sum);
  for (int r = 0; r < N; ++r) x[node.first + r] = sum[r];
}

void solve_reduced(const Factorization& factor, double* x) {
  const EliminationPlan& plan = factor.plan;
  const double* lower = factor.lower.data();
  for (const Node& node : plan.nodes)
    with_size(node.size, [&]<int N>() { forward<N>(node, plan, lower, x); });
  const double* across = factor.symmetric ? lower : factor.upper.data();
  for (std::size_t k = plan.nodes.size(); k-- > 0;) {
    const Node& node = plan.nodes[k];
    with_size(node.size, [&]<int N>() {
      backward<N>(node, plan, lower + node.diagonal, across, factor.symmetric, x);
    });
  }
}

// out = M⁻¹ p in the columns of body i.
inline void apply_inverse_mass(const Factorization& factor, const BodyBlock& body, std::size_t i,
                               const VecX& p, VecX& out) {
  out.segment<3>(body.offset) = factor.inverse_mass[i] * p.segment<3>(body.offset);
  if (body.size == 6)
    out.segment<3>(body.offset + 3) = factor.inverse_rotation[i] * p.segment<3>(body.offset + 3);
}

}  // namespace

int factorize(const StepProblem& problem, Factorization& factor) {
  const EliminationPlan& plan = factor.plan;
  factor.symmetric = problem.M.is_symmetric();
  factor.lower.resize(static_cast<std::size_t>(plan.values));
  factor.scale.resize(static_cast<std::size_t>(plan.reduced_size));
  factor.column.resize(static_cast<std::size_t>(plan.widest_column));

  invert_masses(problem.M, factor);
  fill(problem, factor);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const Node& node = plan.nodes[k];
    const bool fine = with_size(node.size, [&]<int N>() { return eliminate<N>(node, factor); });
    if (!fine) return static_cast<int>(k);
  }
  return -1;
}

namespace {

// λ (and u of the hubs) += the solution of the reduced system for factor.rows (and what the caller
// put into the hubs' places); then u = M⁻¹ (p + Gᵀ λ) for all other bodies.
void add_reduced_solution(const StepProblem& problem, Factorization& factor,
                          StepSolution& solution) {
  const EliminationPlan& plan = factor.plan;
  for (const Node& node : plan.nodes)
    if (!node.hub) {
      const double* from =
          factor.rows.data() + problem.G.blocks[static_cast<std::size_t>(node.source)].first_row;
      std::copy(from, from + node.size, factor.reduced.data() + node.first);
    }
  solve_reduced(factor, factor.reduced.data());
  for (const Node& node : plan.nodes) {
    const auto source = static_cast<std::size_t>(node.source);
    double* to = node.hub ? solution.u.data() + problem.M.blocks[source].offset
                          : solution.lambda.data() + problem.G.blocks[source].first_row;
    for (int i = 0; i < node.size; ++i) to[i] += factor.reduced(node.first + i);
  }
  multiply_transposed(problem.G, solution.lambda, factor.momentum);
  factor.momentum += problem.p;
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i)
    if (!plan.is_hub[i])
      apply_inverse_mass(factor, problem.M.blocks[i], i, factor.momentum, solution.u);
}

}  // namespace

void solve_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution) {
  factor.momentum.resize(problem.columns());
  factor.rows.resize(problem.rows());
  factor.reduced.resize(factor.plan.reduced_size);
  solution.u.resize(problem.columns());
  solution.lambda.setZero(problem.rows());

  // b − G M⁻¹ p over the eliminated bodies; hubs start at rest, with −p on their right-hand side.
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i)
    if (!factor.plan.is_hub[i])
      apply_inverse_mass(factor, problem.M.blocks[i], i, problem.p, solution.u);
    else
      solution.u.segment(problem.M.blocks[i].offset, problem.M.blocks[i].size).setZero();
  multiply(problem.G, solution.u, factor.rows);
  factor.rows = problem.b - factor.rows;
  for (const Node& node : factor.plan.nodes)
    if (node.hub)
      factor.reduced.segment(node.first, node.size) = -problem.p.segment(
          problem.M.blocks[static_cast<std::size_t>(node.source)].offset, node.size);
  add_reduced_solution(problem, factor, solution);
}

void refine_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution) {
  multiply(problem.G, solution.u, factor.rows);
  factor.rows = problem.b - factor.rows - problem.Sigma.cwiseProduct(solution.lambda);
  for (const Node& node : factor.plan.nodes) {
    if (!node.hub) continue;  // −(p + Gᵀ λ − M u), p + Gᵀ λ being left by the solve before
    const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(node.source)];
    auto x = factor.reduced.segment(node.first, node.size);
    x = -factor.momentum.segment(body.offset, body.size);
    x.head<3>() += body.mass * solution.u.segment<3>(body.offset);
    if (body.size == 6) x.tail<3>() += body.rotation * solution.u.segment<3>(body.offset + 3);
  }
  add_reduced_solution(problem, factor, solution);
}

}  // namespace ligament::direct
