// SPDX-License-Identifier: Apache-2.0
// Free rotation by Moser and Veselov's discrete top, the variational rule on rotations, with
// Cayley's map:
//
//     F J − J Fᵀ = h [Π],   J = ½ tr(I) − I,   R⁺ = R F,   Π⁺ = Fᵀ Π
//
// R is the attitude, Π the angular momentum in the axes of the body, and F a rotation. With
// F = (1 + [f]) (1 − [f])⁻¹ the equation reads
//
//     a + a × f + (a·f) f − 2 I f = 0,   a = h Π
//
// which Newton's method solves. About a principal axis it is sin θ = h w, θ the angle of the step:
// beyond h w = 1 there is no solution. Momentum and energy are kept exactly.
#pragma once

#include <Eigen/Dense>

namespace ligament::papers {

struct DiscreteTop {
  Eigen::Vector3d moments;   // [kg m²]
  Eigen::Vector3d momentum;  // Π [kg m²/s]
  Eigen::Quaterniond R = Eigen::Quaterniond::Identity();
  Eigen::Vector3d f = Eigen::Vector3d::Zero();  // of the last step: the first guess of the next

  double energy() const { return 0.5 * momentum.dot(momentum.cwiseQuotient(moments)); }

  // False if the equation has no solution that was found.
  bool step(double h);
};

}  // namespace ligament::papers
