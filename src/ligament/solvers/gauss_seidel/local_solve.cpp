// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/local_solve.h"

#include <algorithm>
#include <cmath>

namespace ligament::gauss_seidel {
namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

Vec3 make_vector(double normal, const Vec2& tangential) {
  return {normal, tangential(0), tangential(1)};
}

Vec3 without_friction(const Mat3& A, const Vec3& q) {
  return {std::max(0.0, -q(0) / A(0, 0)), 0.0, 0.0};
}

// λ on the border of the cone with its multiplier ν,
//     (A − ν S) λ = −q,   S = diag(μ², −1, −1),   λᵀ S λ = 0,
// by elimination of the tangential rows, whose matrix A_tt + ν is positive definite for ν ≥ 0.
struct OnCone {
  const Mat3& A;
  const Vec3& q;
  double mu;

  // At one ν.
  struct Point {
    Vec2 e, g;    // (A_tt + ν)⁻¹ q_t and (A_tt + ν)⁻¹ A_tn
    double s, N;  // λ_n = N/s
  };
  Point at(double nu) const {
    const Mat2 T = A.bottomRightCorner<2, 2>() + nu * Mat2::Identity();
    const double det = T(0, 0) * T(1, 1) - T(0, 1) * T(1, 0);
    const auto solve = [&](double x, double y) -> Vec2 {
      return Vec2(T(1, 1) * x - T(0, 1) * y, T(0, 0) * y - T(1, 0) * x) / det;
    };
    Point point{.e = solve(q(1), q(2)), .g = solve(A(1, 0), A(2, 0))};
    point.s = A(0, 0) - nu * mu * mu - A(1, 0) * point.g(0) - A(2, 0) * point.g(1);
    point.N = A(1, 0) * point.e(0) + A(2, 0) * point.e(1) - q(0);
    return point;
  }
  // (μ λ_n − ‖λ_t‖) |s|, without the pole at s = 0; sign is that of s.
  double excess(double nu, double sign) const {
    const Point p = at(nu);
    return mu * p.N * sign - (p.e * p.s + p.g * p.N).norm();
  }
  // λ at its ν. Near s = 0 the normal part follows from ‖λ_t‖ = μ λ_n instead of N/s.
  Vec3 lambda(double nu) const {
    const Point p = at(nu);
    const double slack = mu * mu - p.g.squaredNorm();
    double normal = p.N / p.s;
    if (std::abs(p.s) < 0.1 * A(0, 0) && slack > 0.0) {
      const double half = p.e.dot(p.g);
      normal = (half + std::sqrt(half * half + slack * p.e.squaredNorm())) / slack;
    }
    const Vec2 tangential = -(p.e + p.g * normal);
    const double size = tangential.norm();
    normal = std::max(normal, 0.0);
    return make_vector(normal, size > 0.0 ? Vec2(tangential * (mu * normal / size)) : tangential);
  }
};

}  // namespace

Vec3 solve_cone(const Mat3& A, const Vec3& q, double mu) {
  if (mu <= 0.0) return without_friction(A, q);
  if (q(0) >= mu * q.tail<2>().norm()) return Vec3::Zero();
  const Vec3 free = -A.partialPivLu().solve(q);
  if (free.tail<2>().norm() <= mu * free(0)) return free;

  // The pencil (A, S) has one positive eigenvalue ν*, where s changes its sign. The multiplier is
  // below it if N > 0 there, and above it otherwise.
  const OnCone cone{A, q, mu};
  const double pole =
      find_root([&](double nu) { return -cone.at(nu).s; }, 0.0, A(0, 0) / (mu * mu));
  if (cone.at(pole).N > 0.0)
    return cone.lambda(find_root([&](double nu) { return cone.excess(nu, 1.0); }, 0.0, pole));
  const auto beyond = [&](double nu) { return -cone.excess(nu, -1.0); };
  double high = 2.0 * pole;
  for (int i = 0; i < 1000 && beyond(high) < 0.0; ++i) high *= 2.0;
  return cone.lambda(find_root(beyond, pole, high));
}

Vec3 solve_coulomb(const Mat3& A, const Vec3& q, double mu) {
  if (q(0) >= 0.0) return Vec3::Zero();
  if (mu <= 0.0) return without_friction(A, q);
  const Vec3 free = -A.partialPivLu().solve(q);
  if (free.tail<2>().norm() <= mu * free(0)) return free;

  // The normal row eliminated: (S_t + α) λ_t = −q̃, and the α ≥ 0 with ‖λ_t‖ = μ λ_n.
  const Vec2 a_tn = A.block<2, 1>(1, 0);
  const Eigen::RowVector2d a_nt = A.block<1, 2>(0, 1);
  const Mat2 S = A.bottomRightCorner<2, 2>() - a_tn * a_nt / A(0, 0);
  const Vec2 q_t = q.tail<2>() - a_tn * (q(0) / A(0, 0));
  const auto lambda = [&](double alpha) -> Vec3 {
    const Mat2 T = S + alpha * Mat2::Identity();
    const double det = T(0, 0) * T(1, 1) - T(0, 1) * T(1, 0);
    const Vec2 x =
        Vec2(T(0, 1) * q_t(1) - T(1, 1) * q_t(0), T(1, 0) * q_t(0) - T(0, 0) * q_t(1)) / det;
    return make_vector(-(q(0) + a_nt.dot(x)) / A(0, 0), x);
  };
  const auto inside = [&](double alpha) {
    const Vec3 x = lambda(alpha);
    return mu * x(0) - x.tail<2>().norm();
  };
  double high = A.trace();
  for (int i = 0; i < 1000 && inside(high) < 0.0; ++i) high *= 2.0;
  Vec3 x = lambda(find_root(inside, 0.0, high));
  const double size = x.tail<2>().norm();
  if (size > 0.0) x.tail<2>() *= mu * x(0) / size;
  return x;
}

}  // namespace ligament::gauss_seidel
