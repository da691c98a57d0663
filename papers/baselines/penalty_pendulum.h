// SPDX-License-Identifier: Apache-2.0
// The pendulum of Lacoursière 2005, section 6.1, held by a penalty force −(Φ/c) n, Φ = |x| − 1,
// n = x/|x|, and stepped by the linearly implicit Euler method:
//
//     (1 + h² K) v⁺ = v + h (f − (Φ/c) n),   K = [n nᵀ + (Φ/|x|)(1 − n nᵀ)]/c,   x⁺ = x + h v⁺
//
// m = 1 kg, g = 10 m/s². The second term of K is the geometric stiffness.
#pragma once

#include <Eigen/Dense>

namespace ligament::papers {

enum class GeometricStiffness : unsigned char { kept, left_out };

struct PenaltyPendulum {
  double compliance;  // c [m/N]
  GeometricStiffness geometric = GeometricStiffness::kept;
  Eigen::Vector2d x{1.0, 0.0}, v{0.0, 0.0};

  double violation() const { return x.norm() - 1.0; }
  double energy() const { return 0.5 * v.squaredNorm() + 10.0 * x.y(); }

  // False if the matrix is singular to rounding.
  bool step(double h) {
    const Eigen::Vector2d n = x.normalized();
    const Eigen::Matrix2d along = n * n.transpose();
    Eigen::Matrix2d K = along;
    if (geometric == GeometricStiffness::kept)
      K += violation() / x.norm() * (Eigen::Matrix2d::Identity() - along);
    const Eigen::FullPivLU<Eigen::Matrix2d> lu(Eigen::Matrix2d::Identity() +
                                               h * h / compliance * K);
    if (!lu.isInvertible()) return false;
    const Eigen::Vector2d force = Eigen::Vector2d(0.0, -10.0) - violation() / compliance * n;
    v = lu.solve(v + h * force);
    x += h * v;
    return true;
  }
};

}  // namespace ligament::papers
