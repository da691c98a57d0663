// SPDX-License-Identifier: Apache-2.0
// The exact solution of one block with the others held: λ with w = A λ + q and the block's law.
//
// A is positive definite. Boundary cases come down to one number, the root of a function of one
// variable in a bracket that holds exactly one; the results lie in K to the last bit of a product.
// docs/theory/gauss_seidel.md; the bracket of the cone after a correction to the usual one, which
// misses every fifth case.
#pragma once

#include <Eigen/LU>

#include "ligament/math/types.h"

namespace ligament::gauss_seidel {

// Root of f in [low, high], f(low) < 0 < f(high): regula falsi after Illinois, with bisection where
// it is slow.
template <class Function>
double find_root(Function&& f, double low, double high) {
  double f_low = f(low), f_high = f(high);
  if (!(f_low < 0.0)) return low;
  if (!(f_high > 0.0)) return high;
  int side = 0;
  for (int i = 0; i < 200 && high - low > 1e-16 * (low + high); ++i) {
    const double x =
        i % 4 == 3 ? 0.5 * (low + high) : (low * f_high - high * f_low) / (f_high - f_low);
    if (!(x > low && x < high)) break;
    const double y = f(x);
    if (y == 0.0) return x;
    if (y < 0.0) {
      low = x, f_low = y;
      if (side < 0) f_high *= 0.5;
      side = -1;
    } else {
      high = x, f_high = y;
      if (side > 0) f_low *= 0.5;
      side = 1;
    }
  }
  return std::abs(f_low) < std::abs(f_high) ? low : high;
}

// The associated cone ‖λ_t‖ ≤ mu λ_n. A symmetric.                                        [GS.7]
Vec3 solve_cone(const Mat3& A, const Vec3& q, double mu);

// Coulomb's law [WA.5].                                                                  [GS.8]
Vec3 solve_coulomb(const Mat3& A, const Vec3& q, double mu);

// ‖λ‖ ≤ radius: (A + α) λ = −q with the α ≥ 0 that keeps λ within it.                     [GS.6]
template <int rows>
Eigen::Matrix<double, rows, 1> solve_disc(const Eigen::Matrix<double, rows, rows>& A,
                                          const Eigen::Matrix<double, rows, 1>& q, double radius) {
  using Vector = Eigen::Matrix<double, rows, 1>;
  using Matrix = Eigen::Matrix<double, rows, rows>;
  const auto lambda = [&](double alpha) -> Vector {
    return -(A + alpha * Matrix::Identity()).partialPivLu().solve(q);
  };
  Vector x = lambda(0.0);
  if (x.norm() <= radius) return x;
  if (radius <= 0.0) return Vector::Zero();
  const double most = q.norm() / radius;  // ‖(A + α)⁻¹ q‖ < ‖q‖/α
  x = lambda(find_root([&](double alpha) { return radius - lambda(alpha).norm(); }, 0.0, most));
  return x * (radius / x.norm());
}

}  // namespace ligament::gauss_seidel
