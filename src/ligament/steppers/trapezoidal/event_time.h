// SPDX-License-Identifier: Apache-2.0
// When within a step something reaches zero: numbers only.
#pragma once

#include <optional>

namespace ligament {

// A quantity at both ends of a step, with its rates times the length of the step.
struct StepEnds {
  double start, start_slope, end, end_slope;
};

// Where the cubic through the ends [TR.11] first falls through zero, as a part of the step: `from`
// is a place before it at which it is positive. A zero at the start that it rises from does not
// count. None if the cubic is nowhere positive before its end, or positive there.
struct DownwardRoot {
  double from, value_from, at;
};
std::optional<DownwardRoot> find_downward_root(const StepEnds& ends);

// Secant steps within a bracket: f(low) > 0 > f(high). Where a secant would leave the bracket, or
// does not shrink it, it is halved.
class BracketedSecant {
 public:
  BracketedSecant(double low, double f_low, double high, double f_high);
  // Takes the value f at x into the bracket.
  void add(double x, double f);
  // Where to look next.
  double next() const;
  double width() const { return high_ - low_; }

 private:
  double low_, f_low_, high_, f_high_;
  double x_, f_, x_before_, f_before_;
  double width_before_;
  bool slow_ = false;
};

}  // namespace ligament
