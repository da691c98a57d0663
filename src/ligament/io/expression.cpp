// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "ligament/io/nearest.h"

namespace ligament {
namespace {

constexpr std::size_t longest_expression = 1000;
constexpr std::size_t longest_name = 64;

double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }
// The remainder of a division, with the sign of the divisor: mod(-1, 4) is 3.
double mod(double x, double y) { return x - y * std::floor(x / y); }

struct UnaryFunction {
  const char* name;
  double (*function)(double);
};

constexpr UnaryFunction unary_functions[] = {
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"ln", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"abs", [](double x) { return std::abs(x); }},
    {"sign", sign},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"round", [](double x) { return std::round(x); }},
};

std::unique_ptr<mu::Parser> make_parser() {
  auto parser = std::make_unique<mu::Parser>();
  parser->ClearFun();
  parser->ClearConst();
  parser->DefineConst("pi", std::numbers::pi);
  for (const UnaryFunction& f : unary_functions) parser->DefineFun(f.name, f.function);
  parser->DefineFun(
      "atan2", +[](double y, double x) { return std::atan2(y, x); });
  parser->DefineFun("mod", mod);
  parser->DefineFun(
      "min", +[](double a, double b) { return std::min(a, b); });
  parser->DefineFun(
      "max", +[](double a, double b) { return std::max(a, b); });
  return parser;
}

// The parser also knows strings, lists and assignments; here they would only hide mistakes.
void check_characters(std::string_view text) {
  if (text.size() > longest_expression)
    throw ExpressionError(fmt::format("longer than {} characters", longest_expression));
  constexpr std::string_view others = "_ \t.+-*/^()<>=!&|?:,";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && others.find(c) == others.npos)
      throw ExpressionError("only names, numbers, operators and parentheses may stand in it");
    if (c != '=') continue;
    const bool after_comparison =
        i > 0 && std::string_view("<>!=").find(text[i - 1]) != std::string_view::npos;
    const bool before_equal = i + 1 < text.size() && text[i + 1] == '=';
    if (!after_comparison && !before_equal)
      throw ExpressionError("nothing can be assigned in it: write == to compare");
  }
}

std::string describe(const mu::Parser::exception_type& error,
                     std::span<const Variable* const> variables) {
  const std::string& token = error.GetToken();
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && !token.empty()) {
    if (token == time_name)
      return fmt::format("{} is the time, and this number cannot change with it", quote(token));
    std::vector<std::string_view> names{"pi"};
    for (const Variable* variable : variables) names.push_back(variable->name);
    return fmt::format("{} is not known here: {}", quote(token), suggest(token, names));
  }
  std::string text = error.GetMsg();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

Expression::Expression(const std::string& text, std::span<const Variable* const> variables)
    : parser_(make_parser()) {
  check_characters(text);
  try {
    // The parser takes pointers to non-const because it knows assignments, which are ruled out.
    for (const Variable* variable : variables)
      parser_->DefineVar(variable->name, const_cast<double*>(&variable->value));
    parser_->SetExpr(text);
    parser_->Eval();  // parses
  } catch (const mu::Parser::exception_type& error) {
    throw ExpressionError(describe(error, variables));
  }
  if (parser_->GetNumResults() != 1) throw ExpressionError("it must have one value, not a list");
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::evaluate() const {
  double value = 0.0;
  try {
    value = parser_->Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw ExpressionError(error.GetMsg());
  }
  if (!std::isfinite(value)) throw ExpressionError(fmt::format("its value is {}", value));
  return value;
}

std::vector<std::string> Expression::variables() const {
  std::vector<std::string> names;
  for (const auto& used : parser_->GetUsedVar()) names.push_back(used.first);
  return names;
}

std::string check_variable_name(const std::string& name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const bool well_formed = !name.empty() && name.size() <= longest_name && is_letter(name[0]) &&
                           std::ranges::all_of(name, [](char c) {
                             return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
                           });
  if (!well_formed)
    return fmt::format(
        "{} cannot be the name of a variable: take a letter, then letters, digits or _",
        quote(name));
  if (name == time_name)
    return fmt::format("{} is the time in functions of time: take another name", quote(name));
  const auto parser = make_parser();
  if (parser->GetFunDef().contains(name) || parser->GetConst().contains(name))
    return fmt::format("{} is the name of a function or constant: take another name", quote(name));
  return {};
}

}  // namespace ligament
