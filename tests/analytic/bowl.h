// SPDX-License-Identifier: Apache-2.0
// A ball in a round bowl, rolling without slip or sliding without friction.
//
// n from the centre of the bowl to that of the ball, x = ρ n, ρ = R − r; v = ẋ. Rolling is
// v + ω × r n = 0, so ω = (v × n)/r + s n. From m v̇ = F + m g and I ω̇ = r n × F, k = m r²/I:
//
//     ṡ = 0,   (1 + k) v̇ = (r s/ρ) v × n + k g   across n,    v̇ = −v²/ρ   along n.
//
// Without friction k → ∞. In a plane without spin it is a pendulum of the length ρ (1 + k)/k.
#pragma once

#include "ligament/math/types.h"

namespace ligament::analytic {

struct Bowl {
  double radius = 1.0, ball = 0.1;  // [m] R, r
  double gravity = 9.8;             // [m/s²] along −z
  bool rolls = true;                // k = 5/2 of a solid ball
  double spin = 0.0;                // [rad/s] s, about n

  struct Motion {
    Vec3 x, v;  // of the centre of the ball, from that of the bowl
  };
  double arm() const { return radius - ball; }

  // By Runge and Kutta's method of order four.
  Motion move(Motion at, double t, int steps) const {
    const double h = t / steps;
    for (int i = 0; i < steps; ++i) {
      const Motion a = rate(at), b = rate(go(at, a, 0.5 * h));
      const Motion c = rate(go(at, b, 0.5 * h)), d = rate(go(at, c, h));
      at.x += h / 6.0 * (a.x + 2.0 * b.x + 2.0 * c.x + d.x);
      at.v += h / 6.0 * (a.v + 2.0 * b.v + 2.0 * c.v + d.v);
    }
    return at;
  }

 private:
  static Motion go(const Motion& from, const Motion& rate, double h) {
    return {from.x + h * rate.x, from.v + h * rate.v};
  }
  Motion rate(const Motion& at) const {
    const Vec3 n = at.x.normalized(), g(0, 0, -gravity);
    const double k = 2.5;
    Vec3 across = g - g.dot(n) * n;
    if (rolls) across = (ball * spin / arm() * at.v.cross(n) + k * across) / (1.0 + k);
    return {at.v, across - at.v.squaredNorm() / arm() * n};
  }
};

}  // namespace ligament::analytic
