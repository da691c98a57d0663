// SPDX-License-Identifier: Apache-2.0
// Text with numbers to be filled in: "link {i+1}". {{ and }} stand for braces.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ligament/io/expression.h"

namespace ligament {

class TextTemplate {
 public:
  // Throws ExpressionError.
  TextTemplate(const std::string& text, std::span<const Variable* const> variables);

  // The text, each expression replaced by its value, which must be an integer. Throws
  // ExpressionError.
  std::string fill() const;

 private:
  std::vector<std::string> literals_;  // one before each expression, one after the last
  std::vector<Expression> expressions_;
};

}  // namespace ligament
