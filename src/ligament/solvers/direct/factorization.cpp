// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/factorization.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/solvers/direct/block_kernels.h"
#include "ligament/solvers/direct/fill.h"

namespace ligament::direct {
namespace {

// A pivot below this share of its size before elimination is rounding error and nothing else.
constexpr double lost_digits = 8.0 * std::numeric_limits<double>::epsilon();

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
bool eliminate(const Node& node, double sign, Factorization& factor) {
  double* D = factor.lower.data() + node.diagonal;
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

}  // namespace

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

void start_factorization(const StepProblem& problem, bool symmetric, Factorization& factor) {
  factor.symmetric = symmetric;
  factor.lower.resize(static_cast<std::size_t>(factor.plan.values));
  factor.scale.resize(static_cast<std::size_t>(factor.plan.reduced_size));
  factor.column.resize(static_cast<std::size_t>(factor.plan.widest_column));
  invert_masses(problem.M, factor);
  fill(problem, factor);
}

int finish_factorization(Pivots pivots, Factorization& factor) {
  const EliminationPlan& plan = factor.plan;
  for (const Node& node : plan.nodes)
    for (int i = 0; i < node.size; ++i)
      factor.scale[static_cast<std::size_t>(node.first + i)] =
          std::abs(factor.lower[static_cast<std::size_t>(node.diagonal + i * node.size + i)]);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const Node& node = plan.nodes[k];
    const double sign = pivots == Pivots::any ? 0.0 : node.hub ? -1.0 : 1.0;
    const bool fine =
        with_size(node.size, [&]<int N>() { return eliminate<N>(node, sign, factor); });
    if (!fine) return static_cast<int>(k);
  }
  return -1;
}

int factorize(const StepProblem& problem, Factorization& factor) {
  start_factorization(problem, problem.M.is_symmetric(), factor);
  return finish_factorization(Pivots::definite, factor);
}

void put_right_hand_side(const StepProblem& problem, const VecX& u, Factorization& factor) {
  for (const Node& node : factor.plan.nodes) {
    const auto source = static_cast<std::size_t>(node.source);
    auto x = factor.reduced.segment(node.first, node.size);
    if (!node.hub) {
      x = factor.rows.segment(problem.G.blocks[source].first_row, node.size);
      continue;
    }
    const BodyBlock& body = problem.M.blocks[source];
    x = -factor.momentum.segment(body.offset, body.size);
    x.head<3>() += body.mass * u.segment<3>(body.offset);
    if (body.size == 6) x.tail<3>() += body.rotation * u.segment<3>(body.offset + 3);
  }
}

void move_eliminated_bodies(const StepProblem& problem, Factorization& factor,
                            StepSolution& solution) {
  multiply_transposed(problem.G, solution.lambda, factor.momentum);
  factor.momentum += problem.p;
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i) {
    if (factor.plan.node_of_hub[i] >= 0) continue;
    const BodyBlock& body = problem.M.blocks[i];
    solution.u.segment<3>(body.offset) =
        factor.inverse_mass[i] * factor.momentum.segment<3>(body.offset);
    if (body.size == 6)
      solution.u.segment<3>(body.offset + 3) =
          factor.inverse_rotation[i] * factor.momentum.segment<3>(body.offset + 3);
  }
}

void start_solution(const StepProblem& problem, Factorization& factor, StepSolution& solution) {
  factor.momentum.resize(problem.columns());
  factor.rows.resize(problem.rows());
  factor.reduced.resize(factor.plan.reduced_size);
  solution.lambda.setZero(problem.rows());
  solution.u.setZero(problem.columns());
  move_eliminated_bodies(problem, factor, solution);
}

void solve_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution) {
  start_solution(problem, factor, solution);
  refine_factored(problem, factor, solution);
}

void refine_factored(const StepProblem& problem, Factorization& factor, StepSolution& solution) {
  multiply(problem.G, solution.u, factor.rows);
  factor.rows = problem.b - factor.rows - problem.Sigma.cwiseProduct(solution.lambda);
  put_right_hand_side(problem, solution.u, factor);
  solve_reduced(factor, factor.reduced.data());
  for (const Node& node : factor.plan.nodes) {
    const auto source = static_cast<std::size_t>(node.source);
    double* to = node.hub ? solution.u.data() + problem.M.blocks[source].offset
                          : solution.lambda.data() + problem.G.blocks[source].first_row;
    for (int i = 0; i < node.size; ++i) to[i] += factor.reduced(node.first + i);
  }
  move_eliminated_bodies(problem, factor, solution);
}

}  // namespace ligament::direct
