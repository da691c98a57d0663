// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/step_matrices.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "papers/simulate.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Sparse make_sparse(int rows, int columns, const Triplets& triplets) {
  Sparse out(rows, columns);
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

Sparse make_sparse(const BlockRows& G) {
  Triplets out;
  for (const RowBlock& block : G.blocks)
    for (const BlockEntry& entry : G.entries_of(block))
      for (int i = 0; i < block.rows * entry.columns; ++i) {
        const double value = G.entry_values(entry)[i];
        if (value != 0.0)
          out.emplace_back(block.first_row + i % block.rows, entry.column + i / block.rows, value);
      }
  return make_sparse(G.rows, G.columns, out);
}

Sparse make_sparse(const BlockDiagonal& M) {
  Triplets out;
  for (const BodyBlock& block : M.blocks)
    for (int i = 0; i < 3; ++i) {
      out.emplace_back(block.offset + i, block.offset + i, block.mass);
      if (block.size < 6) continue;
      for (int k = 0; k < 3; ++k)
        if (block.rotation(i, k) != 0.0)
          out.emplace_back(block.offset + 3 + i, block.offset + 3 + k, block.rotation(i, k));
    }
  return make_sparse(M.columns, M.columns, out);
}

// Columns of the unit matrix.
template <class Keep>
Sparse pick(int size, const Keep& keep) {
  Triplets out;
  int count = 0;
  for (int i = 0; i < size; ++i)
    if (keep(i)) out.emplace_back(i, count++, 1.0);
  return make_sparse(size, count, out);
}

}  // namespace

StepMatrices::StepMatrices(const StepProblem& problem)
    : M(make_sparse(problem.M)), G(make_sparse(problem.G)), p(problem.p), b(problem.b) {}

void StepMatrices::keep_plane() {
  const Sparse columns = pick(static_cast<int>(G.cols()), [](int j) { return j % 3 != 1; });
  G = Sparse(G * columns);
  const VecX sizes = G.cwiseAbs() * VecX::Ones(G.cols());
  const Sparse rows = pick(static_cast<int>(G.rows()), [&](int i) { return sizes(i) > 0.0; });
  G = Sparse(rows.transpose() * G);
  M = Sparse(columns.transpose() * M * columns);
  p = columns.transpose() * p;
  b = rows.transpose() * b;
}

void StepMatrices::sort_rows() {
  const auto rows = static_cast<int>(G.rows());
  VecX sums = VecX::Zero(rows), counts = VecX::Zero(rows);
  for (int j = 0; j < G.outerSize(); ++j)
    for (Sparse::InnerIterator it(G, j); it; ++it) {
      sums(it.row()) += j;
      counts(it.row()) += 1.0;
    }
  const VecX middles = sums.cwiseQuotient(counts);
  std::vector<int> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return middles(i); });
  Triplets places;
  for (int i = 0; i < rows; ++i) places.emplace_back(i, order[static_cast<std::size_t>(i)], 1.0);
  const Sparse P = make_sparse(rows, rows, places);
  G = Sparse(P * G);
  b = P * b;
}

Sparse StepMatrices::make_large(double Sigma) const {
  Triplets out;
  const auto n = static_cast<int>(M.cols());
  const auto add = [&](const Sparse& A, int row, int column, bool across) {
    for (int j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it) {
        out.emplace_back(row + static_cast<int>(it.row()), column + j, it.value());
        if (across) out.emplace_back(column + j, row + static_cast<int>(it.row()), it.value());
      }
  };
  add(M, 0, 0, false);
  add(G, n, 0, true);
  for (int i = 0; i < G.rows(); ++i) out.emplace_back(n + i, n + i, -Sigma);
  const auto size = n + static_cast<int>(G.rows());
  return make_sparse(size, size, out);
}

Sparse StepMatrices::make_schur(double Sigma) const {
  const Eigen::SimplicialLDLT<Sparse> mass(M);
  const Sparse right = mass.solve(Sparse(G.transpose()));
  Sparse softness(G.rows(), G.rows());
  softness.setIdentity();
  return Sparse(G * right) + Sparse(Sigma * softness);
}

double count_factor(const BySymmetricOrder& solver) {
  const Sparse& L = solver.matrixL().nestedExpression();
  return 2.0 * static_cast<double>(L.nonZeros() + L.cols());
}

StepProblem catch_ladder(int cells) {
  const Scene scene = read_ladder(cells);
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  for (int i = 0; i < 30; ++i) take_step(scene.model, scene.stepper, state, work);
  return work.problem;
}

StepProblem catch_star(int boxes) {
  Chance chance(4);
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  const auto draw = [&] {
    const double x = chance.around_zero(), y = chance.around_zero(), z = chance.around_zero();
    return Vec3(x, y, z);
  };
  const auto add_box = [&](const Vec3& at) {
    Quat turn(chance.around_zero(), 0, 0, 0);
    turn.vec() = draw();
    return b.add_body({.mass = box_of_mass({0.5, 0.4, 0.3}, 1.0),
                       .position = at,
                       .orientation = turn.normalized()});
  };
  const BodyId hub = add_box(Vec3::Zero());
  for (int i = 0; i < boxes; ++i) {
    const Vec3 at = 3.0 * draw();
    b.add_joint(Ball{.a = hub, .b = add_box(at), .point = at + 0.5 * draw()});
  }
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  take_step(model, Spook{}, state, work);
  return work.problem;
}

}  // namespace ligament::papers
