// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/discrete_top.h"

namespace ligament::papers {

using Eigen::Matrix3d;
using Eigen::Vector3d;

bool DiscreteTop::step(double h) {
  const Vector3d a = h * momentum;
  const auto miss = [&] {
    return Vector3d(a + a.cross(f) + a.dot(f) * f - 2.0 * moments.cwiseProduct(f));
  };
  Matrix3d across;  // [a], a × f = [a] f
  across << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  for (int i = 0; i < 50; ++i) {
    const Vector3d G = miss();
    if (G.norm() <= 1e-15 * a.norm()) break;
    Matrix3d slope = across + f * a.transpose();
    slope.diagonal() += Vector3d::Constant(a.dot(f)) - 2.0 * moments;
    f -= slope.partialPivLu().solve(G);
  }
  if (!(miss().norm() <= 1e-13 * a.norm())) return false;
  const Eigen::Quaterniond F = Eigen::Quaterniond(1.0, f.x(), f.y(), f.z()).normalized();
  R = (R * F).normalized();
  momentum = F.conjugate() * momentum;
  return true;
}

}  // namespace ligament::papers
