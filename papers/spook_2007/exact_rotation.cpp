// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/exact_rotation.h"

namespace ligament::papers {
namespace {

struct Rates {
  Vec3 w;
  Eigen::Vector4d R;
};

TurningBody move_along(const TurningBody& body, double time, const Rates& rates) {
  TurningBody moved = body;
  moved.w += time * rates.w;
  moved.R.coeffs() += time * rates.R;
  return moved;
}

Rates find_rates(const TurningBody& body) {
  const Vec3 &w = body.w, l = body.moments.cwiseProduct(w);
  const Vec3 torque = body.arm.cross(body.R.conjugate() * body.weight);
  return {.w = (l.cross(w) + torque).cwiseQuotient(body.moments),
          .R = 0.5 * (body.R * Quat(0.0, w.x(), w.y(), w.z())).coeffs()};
}

}  // namespace

void TurningBody::turn(double time, long steps) {
  const double h = time / static_cast<double>(steps);
  for (long i = 0; i < steps; ++i) {
    const Rates k1 = find_rates(*this), k2 = find_rates(move_along(*this, 0.5 * h, k1));
    const Rates k3 = find_rates(move_along(*this, 0.5 * h, k2));
    const Rates k4 = find_rates(move_along(*this, h, k3));
    w += h / 6.0 * (k1.w + 2.0 * k2.w + 2.0 * k3.w + k4.w);
    R.coeffs() += h / 6.0 * (k1.R + 2.0 * k2.R + 2.0 * k3.R + k4.R);
    R.normalize();
  }
}

}  // namespace ligament::papers
