// SPDX-License-Identifier: Apache-2.0
// Euclidean projections onto the convex sets that laws of contact and friction are made of.
#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace ligament {

// Projection of x onto the disc (ball) of the given radius ≥ 0 about the origin.
template <class Vector>
void project_onto_disc(double radius, Vector&& x) {
  const double size = x.norm();
  if (size > radius) x *= radius / size;
}

// Projection of (x_n, x_t) onto the second-order cone ‖x_t‖ ≤ mu x_n: a point inside stays, a point
// of the polar cone mu‖x_t‖ ≤ −x_n goes to the apex, any other to the nearest generator,
//     (x_n, x_t) ← s (1, mu x_t/‖x_t‖),   s = (x_n + mu‖x_t‖)/(1 + mu²).
template <class Vector>
void project_onto_cone(double mu, Vector&& x) {
  auto x_t = x.tail(x.size() - 1);
  const double size = x_t.norm();
  if (size <= mu * x(0)) return;
  if (mu * size <= -x(0)) {
    x.setZero();
    return;
  }
  const double s = (x(0) + mu * size) / (1.0 + mu * mu);
  x(0) = s;
  x_t *= mu * s / size;
}

}  // namespace ligament
