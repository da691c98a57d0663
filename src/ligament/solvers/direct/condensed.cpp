// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/condensed.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/math/with_size.h"

namespace ligament::direct {
namespace {

constexpr double softest = 1e-8;  // Σ' over the mobility of a row, at least [DI.5]
constexpr int most_solves = 23;   // after the first
constexpr double slow = 0.5;  // a change over the last one from which on it is extrapolated [DI.6]
constexpr double enough = 1e-11;  // relative change by a solve after which rounding is left [DI.5]

template <int N>
using Square = Eigen::Matrix<double, N, N>;
template <int N>
using SquareMap = Eigen::Map<Square<N>>;
template <int N>
using ConstSquareMap = Eigen::Map<const Square<N>>;

// The row blocks that are condensed, with places for their matrices.
void list_blocks(const StepProblem& problem, CondensedRows& rows) {
  rows.blocks.clear();
  int values = 0;
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i) {
    if (!rows.condensation.is_condensed(i)) continue;
    const RowBlock& block = problem.G.blocks[i];
    rows.blocks.push_back({.block = static_cast<int>(i),
                           .first_row = block.first_row,
                           .rows = block.rows,
                           .values = values});
    values += block.rows * block.rows;
  }
  for (std::vector<double>* matrices : {&rows.A, &rows.C, &rows.inverse, &rows.D})
    matrices->resize(static_cast<std::size_t>(values));
  rows.c.setZero(problem.rows());
  rows.k.setZero(problem.rows());
  rows.step.setZero(problem.columns());
  for (VecX* of_rows : {&rows.step_rows, &rows.change, &rows.last_change})
    of_rows->resize(problem.rows());
}

void find_ties(const StepProblem& problem, CondensedRows& rows) {
  std::vector<Tie>& ties = rows.condensation.ties;
  ties.clear();
  for (const CondensedBlock& block : rows.blocks) {
    const auto entries =
        problem.G.entries_of(problem.G.blocks[static_cast<std::size_t>(block.block)]);
    for (std::size_t i = 0; i < entries.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        ties.push_back({std::min(entries[i].body, entries[j].body),
                        std::max(entries[i].body, entries[j].body)});
  }
  std::ranges::sort(ties);
  ties.erase(std::unique(ties.begin(), ties.end()), ties.end());
}

// Finds the target of every pair of entries of every block. Returns whether the plan has them all;
// counts the different ones roughly, by changes from one block to the next.
struct Found {
  bool all = true;
  std::size_t ties = 0;
};

Found find_targets(const StepProblem& problem, const EliminationPlan& plan, CondensedRows& rows) {
  rows.targets.clear();
  Found found;
  const TieTarget* last = nullptr;
  for (CondensedBlock& block : rows.blocks) {
    block.target = static_cast<int>(rows.targets.size());
    const auto entries =
        problem.G.entries_of(problem.G.blocks[static_cast<std::size_t>(block.block)]);
    for (std::size_t j = 0; j < entries.size(); ++j)
      for (std::size_t i = j; i < entries.size(); ++i) {
        const bool in_order = entries[j].body <= entries[i].body;
        const BlockEntry& low = in_order ? entries[j] : entries[i];
        const BlockEntry& high = in_order ? entries[i] : entries[j];
        const TieTarget* tie = find_tie(plan, low.body, high.body);
        if (!tie) return {.all = false};
        const BlockEntry& row = tie->transposed ? low : high;
        const BlockEntry& column = tie->transposed ? high : low;
        rows.targets.push_back({.values = tie->values,
                                .row_entry = row.values,
                                .column_entry = column.values,
                                .rows = static_cast<signed char>(row.columns),
                                .columns = static_cast<signed char>(column.columns)});
        if (tie != last) ++found.ties;
        last = tie;
      }
    block.target_count = static_cast<int>(rows.targets.size()) - block.target;
  }
  return found;
}

// Whether a plan has far more ties than there are: contacts have gone, and their fill costs more
// than a new plan.
bool is_bloated(const EliminationPlan& plan, const Found& found) {
  return plan.ties.size() > 2 * found.ties + 32;
}

// inverse = (A Σ' + C)⁻¹, D = inverse A. Returns whether D is symmetric, and makes it so exactly.
template <int N>
bool condense_block(const double* A_of, const double* C_of, const double* Sigma,
                    bool known_symmetric, double* inverse_of, double* D_of) {
  const ConstSquareMap<N> A(A_of), C(C_of);
  SquareMap<N> inverse(inverse_of), D(D_of);
  const Eigen::Map<const Eigen::Matrix<double, N, 1>> softness(Sigma);
  const Square<N> B = A * softness.asDiagonal() + C;
  if constexpr (N <= 3)
    inverse = B.inverse();  // by cofactors
  else
    inverse = B.partialPivLu().inverse();
  D = inverse * A;
  const double size = D.cwiseAbs().maxCoeff();
  const Square<N> transposed = D.transpose();
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  if (!known_symmetric && (D - transposed).cwiseAbs().maxCoeff() > rounding * size) return false;
  D = 0.5 * (D + transposed);
  return true;
}

// to (I × J) −= G_rᵀ (D G_c) and, where the factor is not symmetric, across −= G_rᵀ (Dᵀ G_c).
template <int N, int I, int J>
void add_product(const double* G_r, const double* D_of, const double* G_c, double* to,
                 double* across) {
  using Row = Eigen::Matrix<double, N, I>;
  using Column = Eigen::Matrix<double, N, J>;
  const Eigen::Map<const Row> row(G_r);
  const Eigen::Map<const Column> column(G_c);
  const ConstSquareMap<N> D(D_of);
  const Column product = D * column;
  Eigen::Map<Eigen::Matrix<double, I, J>>(to).noalias() -= row.transpose().lazyProduct(product);
  if (!across) return;
  const Column transposed = D.transpose() * column;
  Eigen::Map<Eigen::Matrix<double, I, J>>(across).noalias() -=
      row.transpose().lazyProduct(transposed);
}

template <int N>
void add_block(const BlockRows& G, const CondensedRows& rows, const CondensedBlock& block,
               Factorization& factor) {
  const double* D = rows.D.data() + block.values;
  for (int t = block.target; t < block.target + block.target_count; ++t) {
    const CondensedTarget& target = rows.targets[static_cast<std::size_t>(t)];
    const double* G_r = G.values.data() + target.row_entry;
    const double* G_c = G.values.data() + target.column_entry;
    double* to = factor.lower.data() + target.values;
    const bool diagonal = target.row_entry == target.column_entry;
    double* across = factor.symmetric || diagonal ? nullptr : factor.upper.data() + target.values;
    if (target.rows == 6 && target.columns == 6)
      add_product<N, 6, 6>(G_r, D, G_c, to, across);
    else if (target.rows == 6)
      add_product<N, 6, 3>(G_r, D, G_c, to, across);
    else if (target.columns == 6)
      add_product<N, 3, 6>(G_r, D, G_c, to, across);
    else
      add_product<N, 3, 3>(G_r, D, G_c, to, across);
  }
}

// Calls apply with each block, whose number of rows the compiler knows.
template <class Apply>
void for_each_block(const CondensedRows& rows, Apply&& apply) {
  for (const CondensedBlock& block : rows.blocks)
    with_size(block.rows, [&]<int N>() { apply.template operator()<N>(block); });
}

// k = (A Σ' + C)⁻¹ (c − A w − C λ), minus_w = −w. Other rows of k stay zero.
void find_missing_impulses(CondensedRows& rows, const VecX& minus_w, const VecX& lambda) {
  for_each_block(rows, [&]<int N>(const CondensedBlock& block) {
    const ConstSquareMap<N> A(rows.A.data() + block.values), C(rows.C.data() + block.values),
        inverse(rows.inverse.data() + block.values);
    const Eigen::Matrix<double, N, 1> r = rows.c.segment<N>(block.first_row) +
                                          A * minus_w.segment<N>(block.first_row) -
                                          C * lambda.segment<N>(block.first_row);
    rows.k.segment<N>(block.first_row) = inverse * r;
  });
}

// The size of velocities and impulses in one unit, the square root of twice an energy:
// uᵀ M u + λᵀ s λ over the condensed rows, s their mobility.
double size_of(const StepProblem& problem, const CondensedRows& rows, const VecX& u,
               const VecX& lambda) {
  double sum = 0.0;
  for (const CondensedBlock& block : rows.blocks)
    for (int i = block.first_row; i < block.first_row + block.rows; ++i)
      sum += rows.mobility(i) * lambda(i) * lambda(i);
  for (const BodyBlock& body : problem.M.blocks) {
    sum += body.mass * u.segment<3>(body.offset).squaredNorm();
    if (body.size == 6)
      sum += u.segment<3>(body.offset + 3).dot(body.rotation * u.segment<3>(body.offset + 3));
  }
  return std::sqrt(sum);
}

}  // namespace

bool update_plan(const StepProblem& problem, CondensedRows& rows,
                 std::optional<Factorization>& factor) {
  list_blocks(problem, rows);
  compute_row_mobility(problem, rows.mobility);
  rows.Sigma = problem.Sigma.cwiseMax(softest * rows.mobility);
  if (factor && fits(factor->plan, problem.M, problem.G, rows.condensation)) {
    const Found found = find_targets(problem, factor->plan, rows);
    if (found.all && !is_bloated(factor->plan, found)) return false;
  }
  if (!factor) factor.emplace();
  find_ties(problem, rows);
  build_plan(problem.M, problem.G, rows.condensation, factor->plan);
  find_targets(problem, factor->plan, rows);
  return true;
}

void condense(CondensedRows& rows) {
  rows.symmetric = true;
  for (CondensedBlock& block : rows.blocks) {
    const double* A = rows.A.data() + block.values;
    block.active = std::any_of(A, A + block.rows * block.rows, [](double a) { return a != 0.0; });
    with_size(block.rows, [&]<int N>() {
      const bool symmetric = condense_block<N>(
          A, rows.C.data() + block.values, rows.Sigma.data() + block.first_row,
          rows.known_symmetric, rows.inverse.data() + block.values, rows.D.data() + block.values);
      rows.symmetric = rows.symmetric && symmetric;
    });
  }
}

int factorize_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor) {
  condense(rows);
  return factorize_with(problem, rows, factor);
}

int factorize_with(const StepProblem& problem, const CondensedRows& rows, Factorization& factor) {
  start_factorization(problem, rows.symmetric && problem.M.is_symmetric(), factor);
  for (const CondensedBlock& block : rows.blocks)
    if (block.active)
      with_size(block.rows, [&]<int N>() { add_block<N>(problem.G, rows, block, factor); });
  return finish_factorization(rows.symmetric ? Pivots::definite : Pivots::any, factor);
}

namespace {

// One solve for what is missing in all rows and in the momentum of the hubs, added to u and λ.
// Returns the size of the change.
double improve(const StepProblem& problem, CondensedRows& rows, Factorization& factor,
               StepSolution& solution) {
  const EliminationPlan& plan = factor.plan;
  factor.rows.resize(problem.rows());
  factor.momentum.resize(problem.columns());
  factor.reduced.resize(plan.reduced_size);
  multiply(problem.G, solution.u, factor.rows);
  factor.rows = problem.b - factor.rows - problem.Sigma.cwiseProduct(solution.lambda);
  find_missing_impulses(rows, factor.rows, solution.lambda);
  rows.step_rows = solution.lambda + rows.k;
  multiply_transposed(problem.G, rows.step_rows, factor.momentum);
  factor.momentum += problem.p;
  put_right_hand_side(problem, solution.u, factor);
  solve_reduced(factor, factor.reduced.data());

  rows.step.setZero();
  for (const Node& node : plan.nodes) {
    const auto source = static_cast<std::size_t>(node.source);
    const auto x = factor.reduced.segment(node.first, node.size);
    if (node.hub)
      rows.step.segment(problem.M.blocks[source].offset, node.size) = x;
    else
      solution.lambda.segment(problem.G.blocks[source].first_row, node.size) += x;
  }
  multiply(problem.G, rows.step, rows.step_rows);
  for_each_block(rows, [&]<int N>(const CondensedBlock& block) {
    const ConstSquareMap<N> D(rows.D.data() + block.values);
    rows.k.segment<N>(block.first_row) -= D * rows.step_rows.segment<N>(block.first_row);
    solution.lambda.segment<N>(block.first_row) += rows.k.segment<N>(block.first_row);
    if (!block.active)  // C λ = c, and zero is zero
      solution.lambda.segment<N>(block.first_row) =
          ConstSquareMap<N>(rows.inverse.data() + block.values) *
          rows.c.segment<N>(block.first_row);
  });
  solution.u += rows.step;
  const auto is_eliminated = [](int node) { return node < 0; };
  if (std::ranges::any_of(plan.node_of_hub, is_eliminated))  // a pile has hubs only
    move_eliminated_bodies(problem, factor, solution);
  return size_of(problem, rows, rows.step, rows.k);
}

// Σ s a b over the condensed rows, s their mobility.
double product_of(const CondensedRows& rows, const VecX& a, const VecX& b) {
  double sum = 0.0;
  for (const CondensedBlock& block : rows.blocks)
    for (int i = block.first_row; i < block.first_row + block.rows; ++i)
      sum += rows.mobility(i) * a(i) * b(i);
  return sum;
}

// Follows a change that is ρ times the last one to its end.                               [DI.6]
void extrapolate(CondensedRows& rows, StepSolution& solution) {
  const double squared = product_of(rows, rows.last_change, rows.last_change);
  const double ratio = product_of(rows, rows.change, rows.last_change) / squared;
  if (!(squared > 0.0 && ratio > slow && ratio < 1.0 - 1e-6)) return;
  const double far = ratio / (1.0 - ratio);
  solution.lambda += far * (solution.lambda - rows.before.lambda);
  solution.u += far * (solution.u - rows.before.u);
}

}  // namespace

int refine_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor,
                     StepSolution& solution) {
  const double size = size_of(problem, rows, solution.u, solution.lambda);
  double last = 0.0;
  bool has_last = false;
  for (int solves = 1;; ++solves) {
    rows.before = solution;
    const double change = improve(problem, rows, factor, solution);
    const bool stuck = has_last && !(change < last);
    if (change <= enough * size || stuck || !std::isfinite(change) || solves == most_solves)
      return solves;
    rows.change = solution.lambda - rows.before.lambda;
    const bool is_slow = has_last && change > slow * last;
    if (is_slow) extrapolate(rows, solution);
    has_last = !is_slow;  // what was extrapolated is looked at anew
    last = change;
    std::swap(rows.last_change, rows.change);
  }
}

int solve_condensed(const StepProblem& problem, CondensedRows& rows, Factorization& factor,
                    StepSolution& solution) {
  start_solution(problem, factor, solution);
  improve(problem, rows, factor, solution);
  return 1 + refine_condensed(problem, rows, factor, solution);
}

}  // namespace ligament::direct
