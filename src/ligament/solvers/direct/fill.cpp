// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/fill.h"

#include <Eigen/LU>
#include <algorithm>

#include "ligament/solvers/direct/block_kernels.h"

namespace ligament::direct {
namespace {

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

}  // namespace

void invert_masses(const BlockDiagonal& M, Factorization& factor) {
  factor.inverse_mass.resize(M.blocks.size());
  factor.inverse_rotation.resize(M.blocks.size());
  for (std::size_t i = 0; i < M.blocks.size(); ++i) {
    factor.inverse_mass[i] = 1.0 / M.blocks[i].mass;
    if (M.blocks[i].size == 6) factor.inverse_rotation[i] = M.blocks[i].rotation.inverse();
  }
}

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
}

}  // namespace ligament::direct
