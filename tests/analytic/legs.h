// SPDX-License-Identifier: Apache-2.0
// A rigid body on elastic legs: forces on more legs than statics can tell apart.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace ligament::analytic {

struct Leg {
  double x = 0.0, y = 0.0;   // [m] from the centre of mass
  double compliance = 1e-8;  // [m/N]
};

// The forces f of least elastic energy ½ Σ ε f² among those that balance the weight W,
//     Σ f = W,  Σ x f = 0,  Σ y f = 0,
// which are those of a plane that gives way by ε f under each leg: ε f = a + b x + c y. Legs that
// would pull do not carry (all f ≥ 0 by taking out those that pull most, one by one).
inline Eigen::VectorXd find_leg_forces(const std::vector<Leg>& legs, double weight) {
  std::vector<std::size_t> carrying;
  for (std::size_t i = 0; i < legs.size(); ++i) carrying.push_back(i);
  for (;;) {
    // Normal equations for the plane: Aᵀ K A p = (W, 0, 0), A = (1, x, y) of the carrying legs.
    const auto n = static_cast<Eigen::Index>(carrying.size());
    Eigen::MatrixXd A(n, 3);
    Eigen::VectorXd K(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Leg& leg = legs[carrying[static_cast<std::size_t>(i)]];
      A.row(i) << 1.0, leg.x, leg.y;
      K(i) = 1.0 / leg.compliance;
    }
    const Eigen::MatrixXd KA = K.asDiagonal() * A;
    // Least squares of least norm: two legs tell no slope across.
    const Eigen::MatrixXd S = A.transpose() * KA;
    const Eigen::VectorXd plane =
        S.completeOrthogonalDecomposition().solve(Eigen::Vector3d(weight, 0, 0));
    const Eigen::VectorXd f = KA * plane;
    Eigen::Index worst = 0;
    if (f.minCoeff(&worst) < 0.0) {
      carrying.erase(carrying.begin() + worst);
      continue;
    }
    Eigen::VectorXd all = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(legs.size()));
    for (Eigen::Index i = 0; i < n; ++i)
      all(static_cast<Eigen::Index>(carrying[static_cast<std::size_t>(i)])) = f(i);
    return all;
  }
}

}  // namespace ligament::analytic
