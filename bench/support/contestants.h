// SPDX-License-Identifier: Apache-2.0
// Who takes part in the benchmarks of heaps, and the clock that they run against.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/support/heaps.h"

namespace ligament::bench {

struct Contestant {
  std::string name;
  // With a heap and a time step [s]. Null where the engine is not installed.
  std::function<std::unique_ptr<HeapEngine>(const Heap&, double)> make;
};

// The default solver, Gauss–Seidel with each of these numbers of sweeps, and Bullet with 10 and 50.
std::vector<Contestant> make_contestants(const std::vector<int>& sweeps);

// Processor time of this program [s].
double processor_seconds();

}  // namespace ligament::bench
