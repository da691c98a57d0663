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

// One block of N rows at z = λ − w/s.
template <int N>
struct Linearization {
  const Vec<N>& z;
  double s;
  Eigen::Map<Square<N>> A, C;
  Eigen::Map<Vec<N>> c;

  // w = 0.
  void hold() {
    A.setIdentity();
    C.setZero();
  }
  // λ = x.
  void fix(const Vec<N>& x) {
    A.setZero();
    C.setZero();
    C.diagonal().setConstant(s);
    c = s * x;
  }

  void operator()(const Equality&) { hold(); }
  void operator()(const Unilateral&) { bound(0.0, std::numeric_limits<double>::infinity()); }
  void operator()(const Box& box) { bound(box.lower, box.upper); }

  void bound(double lower, double upper) {
    hold();
    for (int i = 0; i < N; ++i) {
      if (z(i) > lower && z(i) < upper) continue;
      A(i, i) = 0.0;
      C(i, i) = s;
      c(i) = s * (z(i) <= lower ? lower : upper);
    }
  }

  void operator()(const Disc& disc) {
    const double size = z.norm();
    if (size <= disc.radius) return hold();
    const Vec<N> d = z / size;
    const double rho = disc.radius / size;
    A = rho * (Square<N>::Identity() - d * d.transpose());
    C = s * (Square<N>::Identity() - A);
    c = s * disc.radius * d;
  }

  // [NE.2]
  void operator()(const Coulomb& law) {
    if constexpr (N > 1) {
      constexpr int T = N - 1;
      if (!(z(0) > 0.0)) return fix(Vec<N>::Zero());
      const Vec<T> z_t = z.template tail<T>();
      const double size = z_t.norm(), radius = law.mu * z(0);
      hold();
      if (size <= radius) return;
      const Vec<T> d = z_t / size;
      const Square<T> J = radius / size * (Square<T>::Identity() - d * d.transpose());
      A.template bottomRightCorner<T, T>() = J;
      C.template bottomRightCorner<T, T>() = s * (Square<T>::Identity() - J);
      C.template bottomLeftCorner<T, 1>() = -s * law.mu * d;
    } else {
      (*this)(Unilateral{});
    }
  }

  // P of the cone is homogeneous: P(z) = J z.
  void operator()(const Cone& cone) {
    if constexpr (N > 1) {
      constexpr int T = N - 1;
      const Vec<T> z_t = z.template tail<T>();
      const double size = z_t.norm(), mu = cone.mu;
      if (size <= mu * z(0)) return hold();
      if (mu * size <= -z(0)) return fix(Vec<N>::Zero());
      // On the generator (1, μ d): P = (z_n + μ ‖z_t‖)/(1 + μ²) (1, μ d).
      const Vec<T> d = z_t / size;
      const double normal = (z(0) + mu * size) / (1.0 + mu * mu);
      Vec<N> generator;
      generator << 1.0, mu * d;
      A = generator * generator.transpose() / (1.0 + mu * mu);
      A.template bottomRightCorner<T, T>() +=
          mu * normal / size * (Square<T>::Identity() - d * d.transpose());
      C = s * (Square<N>::Identity() - A);
    } else {
      (*this)(Unilateral{});
    }
  }
};

}  // namespace

void linearize(const StepProblem& problem, const VecX& lambda, const VecX& w,
               direct::CondensedRows& rows) {
  rows.c.setZero();
  for (const direct::CondensedBlock& block : rows.blocks)
    with_size(block.rows, [&]<int N>() {
      const double s = rows.mobility.segment<N>(block.first_row).maxCoeff();
      const Vec<N> z = lambda.segment<N>(block.first_row) - w.segment<N>(block.first_row) / s;
      const Law law = bounded_by(lambda, problem.laws[static_cast<std::size_t>(block.block)]);
      std::visit(Linearization<N>{z, s, Eigen::Map<Square<N>>(rows.A.data() + block.values),
                                  Eigen::Map<Square<N>>(rows.C.data() + block.values),
                                  Eigen::Map<Vec<N>>(rows.c.data() + block.first_row)},
                 law);
    });
}

}  // namespace ligament::newton
