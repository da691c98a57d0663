// SPDX-License-Identifier: Apache-2.0
#include "papers/impulse_2005/printed_sweeps.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/types.h"

namespace ligament::papers::impulse {

int count_sweeps(double L, VelocityFormula formula) {
  const Vec3 rods[] = {{L, 0, 0}, {0, -0.8 * L, 0}};
  const double masses[] = {1.0, 2.0};
  Vec3 v[] = {{1, 0, 0}, {0, 1, 0}};
  for (int sweep = 1; sweep <= 1000; ++sweep) {
    double worst = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      double D = rods[k].dot(k == 0 ? v[0] : Vec3(v[1] - v[0]));
      if (formula == VelocityFormula::corrected) D /= rods[k].norm();
      worst = std::max(worst, std::abs(D));
      const double mobility = 1.0 / masses[k] + (k == 0 ? 0.0 : 1.0 / masses[0]);
      const Vec3 impulse = D / mobility * rods[k].normalized();
      v[k] -= impulse / masses[k];
      if (k == 1) v[0] += impulse / masses[0];
    }
    if (worst <= 1e-12) return sweep;
    if (!(worst < 1e9)) return -1;
  }
  return -1;
}

Misfit swing_by_sweeps(PositionTest test) {
  constexpr double h = 0.01, lengths[] = {1.0, 0.8}, masses[] = {1.0, 2.0};
  const Vec3 gravity(0.0, -9.81, 0.0);
  const Vec3 up(std::sin(0.3), std::cos(0.3), 0.0);
  Vec3 x[] = {up, 1.8 * up}, v[] = {Vec3::Zero(), Vec3::Zero()};
  const auto rod = [&](std::size_t k) { return k == 0 ? x[0] : Vec3(x[1] - x[0]); };
  const auto push = [&](std::size_t k, const Vec3& impulse) {
    v[k] -= impulse / masses[k];
    if (k == 1) v[0] += impulse / masses[0];
  };
  const auto mobility = [&](std::size_t k) { return 1.0 / masses[k] + (k == 1 ? 1.0 : 0.0); };
  Misfit out;
  for (int step = 0; step < 100; ++step) {
    const Vec3 start[] = {rod(0), rod(1)};
    const auto misfit = [&](std::size_t k) {
      const Vec3 way = k == 0 ? Vec3(h * v[0] + 0.5 * h * h * gravity) : Vec3(h * (v[1] - v[0]));
      return (start[k] + way).norm() - lengths[k];
    };
    bool done = false;
    for (int sweep = 0; !done && sweep < 10000; ++sweep) {
      done = true;
      for (const std::size_t k : {0U, 1U}) {
        const double e = misfit(k);
        if ((test == PositionTest::printed ? e : std::abs(e)) <= 1e-12) continue;
        push(k, e / (h * mobility(k)) * start[k].normalized());
        done = false;
      }
    }
    for (const std::size_t k : {0U, 1U}) {
      out.too_short = std::max(out.too_short, -misfit(k));
      out.too_long = std::max(out.too_long, misfit(k));
    }
    for (const std::size_t k : {0U, 1U}) {
      x[k] += h * v[k] + 0.5 * h * h * gravity;
      v[k] += h * gravity;
    }
    for (int sweep = 0; sweep < 200; ++sweep)  // velocities, (2.7) as corrected
      for (const std::size_t k : {0U, 1U}) {
        const Vec3 along = rod(k).normalized();
        push(k, along.dot(k == 0 ? v[0] : Vec3(v[1] - v[0])) / mobility(k) * along);
      }
  }
  return out;
}

}  // namespace ligament::papers::impulse
