// SPDX-License-Identifier: Apache-2.0
// Where an axis has its marks: at round numbers, or at powers of ten.
#pragma once

#include <string>
#include <vector>

namespace ligament {

struct Scale {
  double low = 0.0, high = 1.0;  // low < high
  bool logarithmic = false;

  // 0 at the low end, 1 at the high one.
  double place(double value) const;
};

// The scale of values from low to high, with a little room unless it is `tight`. Logarithmic ones
// are whole decades, from the highest down at most twelve, or have a little room if they are few.
Scale make_scale(double low, double high, bool logarithmic, bool tight);

struct Tick {
  double value = 0.0;
  std::string label{};  // empty for a small mark
};

// About `wanted` marks with a label; of a few decades 1, 2 and 5 of each.
std::vector<Tick> make_ticks(const Scale& scale, int wanted);

// A number to a power, in raised figures: 10⁻³.
std::string format_power(int base, int power);

}  // namespace ligament
