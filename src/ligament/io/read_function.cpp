// SPDX-License-Identifier: Apache-2.0
// Functions of time: numbers, formulas of t, tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ligament/io/fields.h"
#include "ligament/io/nearest.h"

namespace ligament {
namespace {

constexpr std::size_t most_formulas = 10'000;  // with a t in them; a parsed one takes some 10 kB
constexpr std::size_t most_table_numbers = 8'000'000;  // of all tables, after expansion

}  // namespace

TimeFunction Reader::function(const Json& value) {
  if (value.is_number()) return number(value);
  if (value.is_string()) return formula(value);
  if (value.is_object()) return table(value);
  fail(value,
       "must be a number, an expression that may use t, or a table {\"times\": […], \"values\": "
       "[…]} (is " +
           type_of(value) + ")");
}

std::array<TimeFunction, 3> Reader::function_vector(const Json& value) {
  if (!value.is_array() || value.size() != 3)
    fail(value, "must be three numbers or functions of time [x, y, z] (is " + type_of(value) + ")");
  return {function(value[0]), function(value[1]), function(value[2])};
}

TimeFunction Reader::formula(const Json& text) {
  auto found = formulas_.find(&text);
  if (found == formulas_.end()) found = formulas_.emplace(&text, parse_formula(text)).first;
  const ParsedFormula& parsed = found->second;
  if (!parsed.formula) return number(text);
  std::vector<double> values;
  for (const Variable* variable : parsed.variables) values.push_back(variable->value);
  TimeFunction function = [formula = parsed.formula, values = std::move(values)](double t) {
    return formula->evaluate(values, t);
  };
  if (!std::isfinite(function(0.0)))
    fail(text, fmt::format("expression {}: it has no finite value at t = 0",
                           quote(text.get_ref<const std::string&>())));
  return function;
}

Reader::ParsedFormula Reader::parse_formula(const Json& text) {
  const std::string& source = text.get_ref<const std::string&>();
  const Variable time{.name = time_name};
  std::vector<const Variable*> visible = visible_;
  visible.push_back(&time);
  try {
    const std::vector<std::string> names = Expression(source, visible).variables();
    const auto is_used = [&](const Variable* v) {
      return std::ranges::find(names, v->name) != names.end();
    };
    if (!is_used(&time)) return {};
    if (++time_formulas_ > most_formulas)
      fail(text, fmt::format("the scene has more than {} expressions for functions of time: use "
                             "\"repeat\" or tables",
                             most_formulas));
    std::vector<const Variable*> used;
    std::ranges::copy_if(visible_, std::back_inserter(used), is_used);
    return {.formula = std::make_shared<TimeFormula>(source, used), .variables = used};
  } catch (const ExpressionError& error) {
    fail(text, fmt::format("expression {}: {}", quote(source), error.what()));
  }
}

std::vector<double> Reader::column(const Json& array) {
  if (!array.is_array()) fail(array, "must be an array of numbers (is " + type_of(array) + ")");
  table_numbers_ += array.size();
  if (table_numbers_ > most_table_numbers)
    fail(array,
         fmt::format("the tables of the scene have more than {} numbers", most_table_numbers));
  std::vector<double> numbers;
  for (const Json& value : array) numbers.push_back(number(value));
  return numbers;
}

TimeFunction Reader::table(const Json& object) {
  const Fields fields(*this, object, scene_format::table);
  std::vector<double> times = column(fields.require("times"));
  std::vector<double> values = column(fields.require("values"));
  try {
    return make_table(std::move(times), std::move(values));
  } catch (const std::invalid_argument& error) {
    fail(object, error.what());
  }
}

}  // namespace ligament
