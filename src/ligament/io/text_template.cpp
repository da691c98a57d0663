// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/text_template.h"

#include <fmt/format.h>

#include <cmath>

namespace ligament {

TextTemplate::TextTemplate(const std::string& text, std::span<const Variable* const> variables)
    : literals_(1) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if (c != '{' && c != '}') {
      literals_.back() += c;
    } else if (doubled) {
      literals_.back() += c;
      ++i;
    } else if (c == '}') {
      throw ExpressionError("} without { in it: write }} for the character itself");
    } else {
      const std::size_t end = text.find('}', i);
      if (end == std::string::npos)
        throw ExpressionError("{ without } in it: write {{ for the character itself");
      expressions_.emplace_back(text.substr(i + 1, end - i - 1), variables);
      literals_.emplace_back();
      i = end;
    }
  }
}

std::string TextTemplate::fill() const {
  std::string text = literals_.front();
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    const double value = expressions_[i].evaluate();
    if (value != std::round(value) || std::abs(value) > 1e15)
      throw ExpressionError(fmt::format("the value in {{…}} must be an integer (is {})", value));
    text += fmt::to_string(static_cast<long>(value));
    text += literals_[i + 1];
  }
  return text;
}

}  // namespace ligament
