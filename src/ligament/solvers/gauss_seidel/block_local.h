// SPDX-License-Identifier: Apache-2.0
// One block at hand: its impulses, its w = G u + Σ λ − b, and the solve of its law with the other
// blocks held. For .cpp files only.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "ligament/math/cones.h"
#include "ligament/solvers/gauss_seidel/local_solve.h"
#include "ligament/solvers/gauss_seidel/packed.h"
#include "ligament/solvers/solver.h"

namespace ligament::gauss_seidel {

struct Bounds {
  double lower, upper;
};

// Given, or μ times the impulse of another row as it is now.                              [WA.6]
inline Bounds bounds_of(const PackedBlock& block, const PackedProblem& packed) {
  if (block.normal < 0) return {block.lower, block.upper};
  const double most = block.mu * std::max(0.0, packed.lambda(block.normal));
  return {-most, most};
}

inline std::span<const PackedEntry> entries_of(const PackedBlock& block,
                                               const PackedProblem& packed) {
  return {packed.entries.data() + block.first_entry, static_cast<std::size_t>(block.entries)};
}

template <int rows>
struct Local {
  using Vector = Eigen::Matrix<double, rows, 1>;
  using Matrix = Eigen::Matrix<double, rows, rows>;

  const PackedBlock& block;
  Eigen::Map<const Matrix> A, inverse;
  Bounds bounds;
  Vector lambda, w;

  Local(const PackedBlock& of, const PackedProblem& packed)
      : block(of),
        A(packed.values.data() + of.values),
        inverse(packed.values.data() + of.values + rows * rows),
        bounds(bounds_of(of, packed)),
        lambda(Eigen::Map<const Vector>(packed.lambda.data() + of.lambda)) {
    const int row = of.lambda - packed.batch_impulses();
    w = Eigen::Map<const Vector>(packed.block_Sigma.data() + row).cwiseProduct(lambda) -
        Eigen::Map<const Vector>(packed.block_b.data() + row);
    for (const PackedEntry& entry : entries_of(of, packed)) {
      const Eigen::Map<const Eigen::Matrix<double, rows, 6>> G(packed.values.data() + entry.values);
      const PackedBody& body = packed.bodies[static_cast<std::size_t>(entry.body)];
      w.noalias() += G.template leftCols<3>() * Eigen::Map<const Vec3>(body.v);
      w.noalias() += G.template rightCols<3>() * Eigen::Map<const Vec3>(body.w);
    }
  }

  // λ' of the block, by its law.
  Vector solve(LocalSolve local) {
    const bool exact = local == LocalSolve::exact;
    switch (block.rule) {
      case Rule::equality: return block.solvable ? Vector(lambda - inverse * w) : solve_rows(1);
      case Rule::bounds: return solve_rows(exact && rows > 1 ? 100 : 1);
      case Rule::disc: return exact ? solve_disc<rows>(A, w - A * lambda, bounds.upper) : on_disc();
      case Rule::cone:
        if constexpr (rows == 3)
          if (exact && block.symmetric) return solve_cone(A, w - A * lambda, block.mu);
        return on_cone();
      default:
        if constexpr (rows == 3)
          if (exact) return gauss_seidel::solve_coulomb(A, w - A * lambda, block.mu);
        return normal_first();
    }
  }

  // P_K(λ − scale D w), and (Δλ)ᵀ D⁻¹ Δλ: D the inverse of A for equalities, of its diagonal for
  // bounds, one number for the others.                                                     [AG.1]
  Vector step_down(double scale) const {
    if (block.rule == Rule::equality && is_whole()) return lambda - scale * (inverse * w);
    Vector x = lambda;
    if (block.rule == Rule::equality || block.rule == Rule::bounds) {
      for (int i = 0; i < rows; ++i)
        if (A(i, i) > 0.0)
          x(i) = std::clamp(x(i) - scale * w(i) / A(i, i), bounds.lower, bounds.upper);
      return x;
    }
    x -= scale * block.step * w;
    if (block.rule == Rule::disc) {
      project_onto_disc(bounds.upper, x);
    } else if (block.holds_bound()) {
      x(0) = std::max(0.0, x(0));
      project_onto_disc(bounds.upper, x.template tail<rows - 1>());
    } else {
      project_onto_cone(block.mu, x);
    }
    return x;
  }
  double length_of(const Vector& change) const {
    if (block.rule == Rule::equality && is_whole()) return change.dot(A * change);
    if (block.rule == Rule::equality || block.rule == Rule::bounds)
      return change.dot(A.diagonal().cwiseProduct(change));
    return block.step > 0.0 ? change.squaredNorm() / block.step : 0.0;
  }

 private:
  bool is_whole() const { return block.solvable && block.symmetric; }

  Vector solve_rows(int passes) {
    Vector x = lambda;
    for (int pass = 0; pass < passes; ++pass) {
      double moved = 0.0;
      for (int i = 0; i < rows; ++i) {
        if (!(A(i, i) > 0.0)) continue;
        const double next = std::clamp(x(i) - w(i) / A(i, i), bounds.lower, bounds.upper);
        const double change = next - x(i);
        w += A.col(i) * change;
        x(i) = next;
        moved = std::max(moved, std::abs(change));
      }
      if (moved <= 1e-15 * x.cwiseAbs().maxCoeff()) break;
    }
    return x;
  }
  Vector on_disc() {
    Vector x = lambda - block.step * w;
    project_onto_disc(bounds.upper, x);
    return x;
  }
  Vector on_cone() {
    Vector x = lambda - block.step * w;
    project_onto_cone(block.mu, x);  // [GS.4]
    return x;
  }
  Vector normal_first() {
    Vector x = lambda;
    x(0) = A(0, 0) > 0.0 ? std::max(0.0, lambda(0) - w(0) / A(0, 0)) : 0.0;  // [GS.2]
    if constexpr (rows > 1) {
      auto x_t = x.template tail<rows - 1>();
      x_t -= block.step * (w + A.col(0) * (x(0) - lambda(0))).template tail<rows - 1>();
      project_onto_disc(block.mu * x(0), x_t);  // [GS.3]
    }
    return x;
  }
};

// u += M⁻¹ Gᵀ Δλ, of the bodies of a block.
template <int rows>
void add_impulse(const PackedBlock& block, const Eigen::Matrix<double, rows, 1>& change,
                 const PackedProblem& packed, std::vector<PackedBody>& bodies) {
  for (const PackedEntry& entry : entries_of(block, packed)) {
    const Eigen::Map<const Eigen::Matrix<double, rows, 6>> Y(packed.values.data() + entry.values +
                                                             6 * rows);
    PackedBody& body = bodies[static_cast<std::size_t>(entry.body)];
    Eigen::Map<Vec3>(body.v).noalias() += Y.template leftCols<3>().transpose() * change;
    Eigen::Map<Vec3>(body.w).noalias() += Y.template rightCols<3>().transpose() * change;
  }
}

}  // namespace ligament::gauss_seidel
