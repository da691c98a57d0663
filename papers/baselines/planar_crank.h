// SPDX-License-Identifier: Apache-2.0
// The slider crank of Lacoursière 2005, section 6.2, in the plane by explicit equations: crank, rod
// and load with x, y and an angle each, three hinges, a guide and a motor, 9 rows on 9 velocities.
//
//     S y = t − A v,   S = A M⁻¹ Aᵀ + c/h²,   t = −Φ/h, of the motor its speed;   v⁺ = v + M⁻¹ Aᵀ y
//
// Crank and rod are 1 m long and 1 kg, of a section of 0.1 m, the load is a cube of 0.3 m and 1 kg.
// There is no gravity. It starts extended, with the velocities of a crank that turns at π/2 rad/s.
#pragma once

#include <Eigen/Dense>

namespace ligament::papers {

class PlanarCrank {
 public:
  explicit PlanarCrank(double compliance);

  // False if a pivot of Cholesky's elimination of S is not positive.
  bool step(double h);
  double angle() const { return q_(2); }  // [rad] of the crank
  double load() const { return q_(6); }   // [m]

 private:
  using Vector9 = Eigen::Matrix<double, 9, 1>;
  using Matrix9 = Eigen::Matrix<double, 9, 9>;
  double compliance_;        // c [m/N]
  Vector9 q_, v_, inverse_;  // x, y, angle of crank, rod and load; the same; 1/mass
};

}  // namespace ligament::papers
