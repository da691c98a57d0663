// SPDX-License-Identifier: Apache-2.0
// Random data for tests: the same numbers on every machine, from a seed that each test gives.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "ligament/math/types.h"

namespace ligament {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // [low, high). Made of the engine's bits: the distributions of <random> differ between libraries.
  double uniform(double low = -1.0, double high = 1.0) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  // Uniform in the logarithm.
  double scale(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  // 0 … count − 1.
  int index(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  Vec3 vector(double size = 1.0) {
    const double x = uniform(), y = uniform(), z = uniform();
    return size * Vec3(x, y, z);
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  Quat rotation() {
    const Vec3 axis = direction();
    return Quat(Eigen::AngleAxisd(uniform(-3.0, 3.0), axis));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ligament
