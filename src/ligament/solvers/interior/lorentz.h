// SPDX-License-Identifier: Apache-2.0
// The algebra of Lorentz cones x_0 ≥ ‖x_1‖, of dimension 1, where it is x ≥ 0, and more.
//
//     x ∘ z = (xᵀ z, x_0 z_1 + z_0 x_1),   identity e = (1, 0),   det x = x_0² − ‖x_1‖²
//     [IP.3]
//
// Two points x, z inside have one scaling H with H x = H⁻¹ z = v (Nesterov and Todd 1997), a
// hyperbolic reflection: with x̄ = x/√det x, z̄ = z/√det z, J = diag(1, −1, …),
//
//     β⁴ = det z/det x,  γ² = (1 + x̄ᵀ z̄)/2,  a = (z̄ + J x̄)/(2 γ),  H² = β² (2 a aᵀ − J)
//     [IP.4]
#pragma once

#include <cmath>
#include <limits>

#include "ligament/math/block_rows.h"

namespace ligament::interior {

// Of all dimensions, padded with zeros, which change nothing below: sizes are known to the
// compiler.
constexpr int padded = 8;
static_assert(padded > max_block_rows);
using ConeVec = Eigen::Matrix<double, padded, 1>;
using ConeMat = Eigen::Matrix<double, padded, padded>;

inline auto tail_of(const ConeVec& x) { return x.tail<padded - 1>(); }
inline auto tail_of(ConeVec& x) { return x.tail<padded - 1>(); }

// Without the cancellation of a difference of squares; < 0 for what is not in the cone.
inline double compute_det(const ConeVec& x) {
  const double size = tail_of(x).norm();
  return (x(0) - size) * (x(0) + size);
}

inline bool is_inside(const ConeVec& x) { return x(0) > tail_of(x).norm(); }

inline ConeVec multiply(const ConeVec& x, const ConeVec& z) {
  ConeVec y;
  y(0) = x.dot(z);
  tail_of(y) = x(0) * tail_of(z) + z(0) * tail_of(x);
  return y;
}

// y with v ∘ y = r.
inline ConeVec divide(const ConeVec& r, const ConeVec& v) {
  ConeVec y;
  y(0) = (v(0) * r(0) - tail_of(v).dot(tail_of(r))) / compute_det(v);
  tail_of(y) = (tail_of(r) - y(0) * tail_of(v)) / v(0);
  return y;
}

// How far x, inside, can go along d before it leaves: the first root of det(x + α d).
inline double compute_reach(const ConeVec& x, const ConeVec& d) {
  const double a = d(0) * d(0) - tail_of(d).squaredNorm();
  const double b = x(0) * d(0) - tail_of(x).dot(tail_of(d));
  const double c = compute_det(x);
  const double discriminant = std::max(b * b - a * c, 0.0);
  const double to = std::sqrt(discriminant) - b;
  // No root ahead, or the direction lies in the cone.
  if (!(to > 0.0) || (a >= 0.0 && d(0) >= 0.0)) return std::numeric_limits<double>::infinity();
  return c / to;
}

struct Scaling {
  double beta = 1.0;
  ConeVec a;

  Scaling(const ConeVec& x, const ConeVec& z) {
    const double root_x = std::sqrt(compute_det(x)), root_z = std::sqrt(compute_det(z));
    const double gamma = std::sqrt(0.5 * (1.0 + x.dot(z) / (root_x * root_z)));
    a(0) = (z(0) / root_z + x(0) / root_x) / (2.0 * gamma);
    tail_of(a) = (tail_of(z) / root_z - tail_of(x) / root_x) / (2.0 * gamma);
    beta = std::sqrt(root_z / root_x);
  }

  // H x and H⁻¹ z.
  ConeVec scale(const ConeVec& x) const { return reflect(x, 1.0) * beta; }
  ConeVec unscale(const ConeVec& z) const { return reflect(z, -1.0) / beta; }

  ConeMat matrix() const { return beta * reflection(1.0); }
  ConeMat inverse() const { return reflection(-1.0) / beta; }
  ConeMat square() const {
    ConeMat J = -ConeMat::Identity();
    J(0, 0) = 1.0;
    return beta * beta * (2.0 * a * a.transpose() - J);
  }

 private:
  ConeMat reflection(double sign) const {
    ConeMat H = ConeMat::Identity() + a * a.transpose() / (1.0 + a(0));
    H.row(0) = sign * a.transpose();
    H.col(0) = sign * a;
    H(0, 0) = a(0);
    return H;
  }
  ConeVec reflect(const ConeVec& x, double sign) const {
    const double across = tail_of(a).dot(tail_of(x));
    ConeVec y;
    y(0) = a(0) * x(0) + sign * across;
    tail_of(y) = tail_of(x) + (sign * x(0) + across / (1.0 + a(0))) * tail_of(a);
    return y;
  }
};

}  // namespace ligament::interior
