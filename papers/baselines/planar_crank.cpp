// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/planar_crank.h"

#include <numbers>

namespace ligament::papers {
namespace {

constexpr double speed = 0.5 * std::numbers::pi;  // [rad/s] of the motor

}  // namespace

PlanarCrank::PlanarCrank(double compliance) : compliance_(compliance) {
  q_ << 0.5, 0.0, 0.0, 1.5, 0.0, 0.0, 2.0, 0.0, 0.0;
  // The rod turns back as fast as the crank turns, so that their joint moves along y alone.
  v_ << 0.0, 0.5 * speed, speed, 0.0, 0.5 * speed, -speed, 0.0, 0.0, 0.0;
  const double bar = 12.0 / (1.0 + 0.01), cube = 12.0 / (0.09 + 0.09);
  inverse_ << 1.0, 1.0, bar, 1.0, 1.0, bar, 1.0, 1.0, cube;
}

bool PlanarCrank::step(double h) {
  Vector9 g = Vector9::Zero();
  Matrix9 A = Matrix9::Zero();
  // Adds side · (the point `along` of the axis of body i) to rows r and r + 1.
  const auto touch = [&](int r, int i, double along, double side) {
    const double c = along * std::cos(q_(3 * i + 2)), s = along * std::sin(q_(3 * i + 2));
    g(r) += side * (q_(3 * i) + c);
    g(r + 1) += side * (q_(3 * i + 1) + s);
    A(r, 3 * i) += side;
    A(r, 3 * i + 2) -= side * s;
    A(r + 1, 3 * i + 1) += side;
    A(r + 1, 3 * i + 2) += side * c;
  };
  touch(0, 0, -0.5, 1.0);  // the crank on the ground
  touch(2, 0, 0.5, 1.0);   // the rod on the crank
  touch(2, 1, -0.5, -1.0);
  touch(4, 1, 0.5, 1.0);  // the load on the rod
  touch(4, 2, 0.0, -1.0);
  g(6) = q_(7), A(6, 7) = 1.0;  // the guide
  g(7) = q_(8), A(7, 8) = 1.0;
  A(8, 2) = 1.0;  // the motor
  Vector9 t = -g / h;
  t(8) = speed;
  Matrix9 S = A * inverse_.asDiagonal() * A.transpose();
  S.diagonal().array() += compliance_ / (h * h);
  const Eigen::LLT<Matrix9> cholesky(S);
  if (cholesky.info() != Eigen::Success) return false;
  v_ += inverse_.asDiagonal() * A.transpose() * cholesky.solve(t - A * v_);
  q_ += h * v_;
  return q_.allFinite();
}

}  // namespace ligament::papers
