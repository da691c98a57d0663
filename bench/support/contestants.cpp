// SPDX-License-Identifier: Apache-2.0
#include "bench/support/contestants.h"

#include <fmt/format.h>

#include <ctime>

namespace ligament::bench {

std::vector<Contestant> make_contestants(const std::vector<int>& sweeps) {
  std::vector<Contestant> all;
  const auto add = [&](const std::string& name, const Solver& solver) {
    all.push_back(
        {name, [solver](const Heap& heap, double h) { return make_heap(heap, h, solver); }});
  };
  add("automatic", Automatic{});
  for (const int count : sweeps)
    add(fmt::format("gauss_seidel {}", count), GaussSeidel{.max_sweeps = count});
  for (const int iterations : {10, 50})
    all.push_back({fmt::format("bullet {}", iterations), [iterations](const Heap& heap, double h) {
                     return make_bullet_heap(heap, h, iterations);
                   }});
  return all;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace ligament::bench
