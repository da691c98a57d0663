// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/time_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ligament {

TimeFunction make_table(std::vector<double> times, std::vector<double> values) {
  if (times.empty()) throw std::invalid_argument("a table needs at least one time");
  if (times.size() != values.size())
    throw std::invalid_argument(fmt::format("a table has {} times and {} values: it needs as many",
                                            times.size(), values.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw std::invalid_argument("the numbers of a table must be finite");
    if (i > 0 && times[i] <= times[i - 1])
      throw std::invalid_argument(fmt::format(
          "the times of a table must increase: {:g} follows {:g}", times[i], times[i - 1]));
  }
  return [times = std::move(times), values = std::move(values)](double t) {
    const auto after = std::ranges::upper_bound(times, t);
    if (after == times.begin()) return values.front();
    if (after == times.end()) return values.back();
    const auto i = static_cast<std::size_t>(after - times.begin());
    const double part = (t - times[i - 1]) / (times[i] - times[i - 1]);
    return values[i - 1] + part * (values[i] - values[i - 1]);
  };
}

}  // namespace ligament
