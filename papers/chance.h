// SPDX-License-Identifier: Apache-2.0
// Random numbers of experiments: the same on every machine, from a seed.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace ligament::papers {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  // Made of the engine's bits: the distributions of <random> differ between libraries.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double around_zero() { return between(-1.0, 1.0); }
  // Even in the logarithm.
  double magnitude(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ligament::papers
