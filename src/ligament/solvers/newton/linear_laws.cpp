// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/newton/linear_laws.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/with_size.h"

namespace ligament::newton {
namespace {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int N>
using Square = Eigen::Matrix<double, N, N>;

// One block of N rows, in the coordinates √s λ and w/√s, at z = √s λ − w/√s:
// J w + (1 − J) λ = P(z) − J z.
template <int N>
struct Linearization {
  const Vec<N>& z;
  const Vec<N>& root;  // √s
  Square<N> J = Square<N>::Zero();
  Vec<N> c = Vec<N>::Zero();
  // What takes the place of 1 − J in Coulomb's law, where the bound of friction is an impulse too.
  Square<N> rest = Square<N>::Identity();

  // w = 0.
  void hold() {
    J.setIdentity();
    rest.setZero();
  }
  void update_rest() { rest = Square<N>::Identity() - J; }

  void operator()(const Equality&) { hold(); }
  void operator()(const Unilateral&) { bound(0.0, std::numeric_limits<double>::infinity()); }
  void operator()(const Box& box) { bound(box.lower, box.upper); }

  void bound(double lower, double upper) {
    hold();
    for (int i = 0; i < N; ++i) {
      const double low = root(i) * lower, high = root(i) * upper;
      if (z(i) > low && z(i) < high) continue;
      J(i, i) = 0.0;
      rest(i, i) = 1.0;
      c(i) = z(i) <= low ? low : high;
    }
  }

  void operator()(const Disc& disc) {
    const double size = z.norm(), radius = root(0) * disc.radius;
    if (size <= radius) return hold();
    const Vec<N> d = z / size;
    J = radius / size * (Square<N>::Identity() - d * d.transpose());
    update_rest();
    c = radius * d;
  }

  // [NE.2]
  void operator()(const Coulomb& law) {
    if constexpr (N > 1) {
      constexpr int T = N - 1;
      if (!(z(0) > 0.0)) return;  // λ = 0
      const Vec<T> z_t = z.template tail<T>();
      const double size = z_t.norm(), radius = law.mu * z(0);
      hold();
      if (size <= radius) return;
      const Vec<T> d = z_t / size;
      const Square<T> J_t = radius / size * (Square<T>::Identity() - d * d.transpose());
      J.template bottomRightCorner<T, T>() = J_t;
      rest.template bottomRightCorner<T, T>() = Square<T>::Identity() - J_t;
      rest.template bottomLeftCorner<T, 1>() = -law.mu * d;
    } else {
      (*this)(Unilateral{});
    }
  }

  // P of the cone is homogeneous: P(z) = J z.
  void operator()(const Cone& cone) {
    if constexpr (N > 1) {
      constexpr int T = N - 1;
      const Vec<T> z_t = z.template tail<T>();
      const double size = z_t.norm(), mu = cone.mu * root(1) / root(0);
      if (size <= mu * z(0)) return hold();
      if (mu * size <= -z(0)) return;  // λ = 0
      // On the generator (1, μ d): P = (z_n + μ ‖z_t‖)/(1 + μ²) (1, μ d).
      const Vec<T> d = z_t / size;
      const double normal = (z(0) + mu * size) / (1.0 + mu * mu);
      Vec<N> generator;
      generator << 1.0, mu * d;
      J = generator * generator.transpose() / (1.0 + mu * mu);
      J.template bottomRightCorner<T, T>() +=
          mu * normal / size * (Square<T>::Identity() - d * d.transpose());
      update_rest();
    } else {
      (*this)(Unilateral{});
    }
  }
};

}  // namespace

void linearize(const StepProblem& problem, const VecX& lambda, const VecX& w, const VecX& s,
               direct::CondensedRows& rows) {
  for (const direct::CondensedBlock& block : rows.blocks)
    with_size(block.rows, [&]<int N>() {
      const Vec<N> root = s.segment<N>(block.first_row).cwiseSqrt();
      const Vec<N> z = root.cwiseProduct(lambda.segment<N>(block.first_row)) -
                       w.segment<N>(block.first_row).cwiseQuotient(root);
      Linearization<N> linear{.z = z, .root = root};
      std::visit(linear, bounded_by(lambda, problem.laws[static_cast<std::size_t>(block.block)]));
      const auto scale = root.asDiagonal();
      Eigen::Map<Square<N>>(rows.A.data() + block.values) = scale * linear.J * scale.inverse();
      Eigen::Map<Square<N>>(rows.C.data() + block.values) = scale * linear.rest * scale;
      rows.c.segment<N>(block.first_row) = root.cwiseProduct(linear.c);
    });
}

}  // namespace ligament::newton
