// SPDX-License-Identifier: Apache-2.0
// A number that changes with time: a constant, any callable, or a table.
//
// A function must be pure: the same time gives the same value. A value that is not finite ends a
// run with an error that names the owner of the function.
#pragma once

#include <concepts>
#include <functional>
#include <vector>

namespace ligament {

class TimeFunction {
 public:
  TimeFunction(double constant = 0.0) : constant_(constant) {}
  template <std::invocable<double> Callable>
  TimeFunction(Callable callable) : callable_(std::move(callable)) {}

  double operator()(double t) const { return callable_ ? callable_(t) : constant_; }
  bool is_constant() const { return !callable_; }

 private:
  double constant_ = 0.0;
  std::function<double(double)> callable_;
};

// Straight lines between the points, the first and last value outside. Throws std::invalid_argument
// unless there are as many values as times, at least one, all finite, and the times increase.
TimeFunction make_table(std::vector<double> times, std::vector<double> values);

}  // namespace ligament
