// SPDX-License-Identifier: Apache-2.0
// Formulas that may use t: "0.3*sin(2*pi*f*t)".
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "ligament/io/expression.h"
#include "ligament/math/time_function.h"

namespace ligament {

// A formula of t and of variables, parsed once for all elements that repeat it: each element has
// its own values of the variables. It can be shared by threads; evaluating it allocates nothing.
class TimeFormula {
 public:
  // Throws ExpressionError.
  TimeFormula(const std::string& text, std::span<const Variable* const> variables);
  TimeFormula(const TimeFormula&) = delete;
  TimeFormula& operator=(const TimeFormula&) = delete;

  // `values` are those of the variables, in their order. NaN where it has no finite value.
  double evaluate(std::span<const double> values, double t);

 private:
  std::mutex mutex_;  // the parser works in memory of its own
  std::vector<Variable> variables_;
  Variable time_{.name = time_name};
  Expression expression_;
};

}  // namespace ligament
