// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/time_formula.h"

#include <limits>

namespace ligament {
namespace {

std::vector<Variable> copy(std::span<const Variable* const> variables) {
  std::vector<Variable> copies;
  for (const Variable* variable : variables) copies.push_back(*variable);
  return copies;
}

std::vector<const Variable*> pointers_to(const std::vector<Variable>& variables,
                                         const Variable& time) {
  std::vector<const Variable*> pointers{&time};
  for (const Variable& variable : variables) pointers.push_back(&variable);
  return pointers;
}

}  // namespace

TimeFormula::TimeFormula(const std::string& text, std::span<const Variable* const> variables)
    : variables_(copy(variables)), expression_(text, pointers_to(variables_, time_)) {}

double TimeFormula::evaluate(std::span<const double> values, double t) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < variables_.size(); ++i) variables_[i].value = values[i];
  time_.value = t;
  try {
    return expression_.evaluate();
  } catch (const ExpressionError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace ligament
