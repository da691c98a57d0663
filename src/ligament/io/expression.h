// SPDX-License-Identifier: Apache-2.0
// Numbers given as formulas: "N*l/2", "1/60", "i == 0 ? 1 : 2".
//
// Operators + − * / ^, comparisons, && || ?: and parentheses; the constant pi; the functions
// sin cos tan asin acos atan atan2 sqrt exp ln log10 abs sign floor ceil round mod min max. Where a
// function of time may stand, t is the time [s].
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace mu {
class Parser;
}

namespace ligament {

inline constexpr const char* time_name = "t";

// A number that expressions can name.
struct Variable {
  std::string name;
  double value = 0.0;
};

class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A formula, parsed once and evaluated as often as its variables change. The variables must live as
// long as the expression.
class Expression {
 public:
  // Throws ExpressionError.
  Expression(const std::string& text, std::span<const Variable* const> variables);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  // The value, which is finite. Throws ExpressionError.
  double evaluate() const;

  // The names of the variables that stand in it.
  std::vector<std::string> variables() const;

 private:
  std::unique_ptr<mu::Parser> parser_;
};

// What is wrong with the name of a variable, empty if nothing is.
std::string check_variable_name(const std::string& name);

}  // namespace ligament
