// SPDX-License-Identifier: Apache-2.0
// Processor time of a thread: what a piece of work takes, whatever else the machine does.
#pragma once

#include <algorithm>
#include <ctime>

namespace ligament::papers {

inline double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// The quickest of several times [ms].
template <class Work>
double time_quickest(int times, const Work& work) {
  double best = 1e99;
  for (int i = 0; i < times; ++i) {
    const double start = thread_milliseconds();
    work();
    best = std::min(best, thread_milliseconds() - start);
  }
  return best;
}

}  // namespace ligament::papers
