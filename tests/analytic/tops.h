// SPDX-License-Identifier: Apache-2.0
// Spinning bodies with two equal moments: free (closed form), and on a tip under gravity
// (quadrature).
#pragma once

#include <cmath>

#include "ligament/math/types.h"

namespace ligament::analytic {

// Attitude at time t of a free body with moments (I₁, I₁, I₃) and angular momentum l (world axes):
// a turn about l with l/I₁, after a turn about the body's own axis with (1/I₃ − 1/I₁) l₃, which is
// constant.  Landau & Lifshitz, Mechanics, § 33 and § 36.
inline Quat free_symmetric_top(const Vec3& moments, const Quat& start, const Vec3& l, double t) {
  const double l3 = (start.conjugate() * l).z();
  const double rate = (1.0 / moments.z() - 1.0 / moments.x()) * l3;
  const double turn = l.norm() / moments.x();
  return Quat(Eigen::AngleAxisd(t * turn, l.normalized())) * start *
         Quat(Eigen::AngleAxisd(t * rate, Vec3::UnitZ()));
}

// The heavy symmetric top on a fixed tip (Lagrange's): the tilt ϑ from the vertical moves in an
// effective potential, and the precession φ follows from two constant momenta:
//
//     I ϑ̈ = −d/dϑ [ (L_z − L₃ cos ϑ)²/(2 I sin²ϑ) + m g s cos ϑ ]
//     φ̇ = (L_z − L₃ cos ϑ)/(I sin²ϑ)
//
// with I = I₁ + m s² about the tip.  Landau & Lifshitz, Mechanics, § 35, problem 1.
struct LagrangeTop {
  double inertia = 1.0;     // I [kg m²] about the tip, across the axis
  double weight_arm = 1.0;  // m g s [N m]
  double L3 = 0.0;          // [kg m²/s] about the top's axis
  double Lz = 0.0;          // [kg m²/s] about the vertical

  double precession_rate(double tilt) const {
    return (Lz - L3 * std::cos(tilt)) / (inertia * std::pow(std::sin(tilt), 2));
  }
  double tilt_acceleration(double tilt) const {
    const double rate = precession_rate(tilt);
    return (std::sin(tilt) * (inertia * rate * rate * std::cos(tilt) - L3 * rate + weight_arm)) /
           inertia;
  }
};

struct TopMotion {
  double tilt = 0.0;        // [rad]
  double tilt_speed = 0.0;  // [rad/s]
  double precession = 0.0;  // [rad]
};

// Runge and Kutta's method of order four with `steps` steps: error O((ω t/steps)⁴), ω the nutation.
inline TopMotion compute_top_motion(const LagrangeTop& top, TopMotion x, double t, int steps) {
  const double h = t / steps;
  const auto slope = [&](const TopMotion& y) {
    return TopMotion{y.tilt_speed, top.tilt_acceleration(y.tilt), top.precession_rate(y.tilt)};
  };
  const auto moved = [](const TopMotion& y, double s, const TopMotion& k) {
    return TopMotion{y.tilt + s * k.tilt, y.tilt_speed + s * k.tilt_speed,
                     y.precession + s * k.precession};
  };
  for (int i = 0; i < steps; ++i) {
    const TopMotion k1 = slope(x), k2 = slope(moved(x, 0.5 * h, k1));
    const TopMotion k3 = slope(moved(x, 0.5 * h, k2)), k4 = slope(moved(x, h, k3));
    x = moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return x;
}

}  // namespace ligament::analytic
