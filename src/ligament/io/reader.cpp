// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/io/fields.h"
#include "ligament/io/nearest.h"

namespace ligament {
namespace {

constexpr std::size_t most_elements = 2'000'000;  // after expansion, those left out included
constexpr std::size_t most_parsed = 4096;         // expressions kept; a parsed one takes some 10 kB
constexpr std::size_t longest_name = 256;

// Finds what was made for a text before, or makes it and keeps it while there is room.
template <class Parsed, class Use>
auto with_parsed(std::unordered_map<const Json*, Parsed>& kept, const Json& text,
                 std::span<const Variable* const> variables, const Use& use) {
  if (const auto found = kept.find(&text); found != kept.end()) return use(found->second);
  Parsed parsed(text.get_ref<const std::string&>(), variables);
  if (kept.size() >= most_parsed) return use(parsed);
  return use(kept.emplace(&text, std::move(parsed)).first->second);
}

}  // namespace

std::string type_of(const Json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_null()) return "null";
  return fmt::format("the number {}", value.get<double>());
}

void Reader::fail(const Json& at, const std::string& what) const {
  std::string note;
  for (std::size_t i = variables_.size(); i < visible_.size(); ++i)
    note +=
        fmt::format("{}{} = {}", note.empty() ? "" : ", ", visible_[i]->name, visible_[i]->value);
  document_.fail(at, what, note);
}

void Reader::define_variables(const Json& object) {
  if (!object.is_object())
    fail(object, "must be an object of numbers (is " + type_of(object) + ")");
  for (const auto& [name, value] : object.items()) {
    if (const std::string problem = check_variable_name(name); !problem.empty())
      fail(value, problem);
    const double number_of_it = number(value);
    variables_.push_back(std::make_unique<Variable>(Variable{name, number_of_it}));
    visible_.push_back(variables_.back().get());
  }
}

double Reader::number(const Json& value) {
  if (value.is_string()) return evaluate(value);
  if (!value.is_number())
    fail(value, "must be a number or an expression (is " + type_of(value) + ")");
  return value.get<double>();
}

double Reader::evaluate(const Json& text) {
  try {
    return with_parsed(expressions_, text, visible_,
                       [](const Expression& expression) { return expression.evaluate(); });
  } catch (const ExpressionError& error) {
    fail(text,
         fmt::format("expression {}: {}", quote(text.get_ref<const std::string&>()), error.what()));
  }
}

double Reader::positive_number(const Json& value) {
  const double x = number(value);
  if (!(x > 0.0)) fail(value, fmt::format("must be > 0 (is {})", x));
  return x;
}

long Reader::integer(const Json& value, long lowest, long highest) {
  const double x = number(value);
  if (x != std::round(x)) fail(value, fmt::format("must be an integer (is {})", x));
  if (x < static_cast<double>(lowest) || x > static_cast<double>(highest))
    fail(value, fmt::format("must be between {} and {} (is {})", lowest, highest, x));
  return static_cast<long>(x);
}

bool Reader::boolean(const Json& value) {
  if (!value.is_boolean()) fail(value, "must be true or false (is " + type_of(value) + ")");
  return value.get<bool>();
}

Vec3 Reader::vector(const Json& value) {
  if (!value.is_array() || value.size() != 3)
    fail(value, "must be three numbers [x, y, z] (is " + type_of(value) + ")");
  return {number(value[0]), number(value[1]), number(value[2])};
}

Vec3 Reader::direction(const Json& value) {
  const Vec3 given = vector(value);
  const double size = given.cwiseAbs().maxCoeff();
  if (size == 0.0) fail(value, "has zero length: give a direction such as [0, 0, 1]");
  return (given / size).normalized();
}

std::string Reader::name(const Json& value) {
  if (!value.is_string()) fail(value, "must be a name in quotes (is " + type_of(value) + ")");
  const std::string& text = value.get_ref<const std::string&>();
  if (text.empty()) fail(value, "must not be empty");
  if (text.size() > longest_name)
    fail(value, fmt::format("is longer than {} characters", longest_name));
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    fail(value, "must not contain line breaks or other control characters");
  if (text.find_first_of("{}") == std::string::npos) return text;
  try {
    return with_parsed(templates_, value, visible_,
                       [](const TextTemplate& parsed) { return parsed.fill(); });
  } catch (const ExpressionError& error) {
    fail(value, fmt::format("{}: {}", quote(text), error.what()));
  }
}

std::size_t Reader::choice(const Json& value, std::string_view what,
                           std::span<const std::string_view> words) {
  if (!value.is_string())
    fail(value, fmt::format("must be the name of a {} (is {}): {}", what, type_of(value),
                            suggest("", words)));
  const std::string& word = value.get_ref<const std::string&>();
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    fail(value, fmt::format("unknown {} {}: {}", what, quote(word), suggest(word, words)));
  return static_cast<std::size_t>(found - words.begin());
}

bool Reader::is_wanted(const Json& element) {
  if (!element.is_object()) return true;
  const auto when = element.find("when");
  return when == element.end() || number(*when) != 0.0;
}

void Reader::count_up(std::size_t& counter, const Json& at) const {
  if (++counter > most_elements)
    fail(at, fmt::format("the scene expands to more than {} elements", most_elements));
}

void Reader::for_each_element(const Json& array, const Visit& visit) {
  if (!array.is_array()) fail(array, "must be an array [ … ] (is " + type_of(array) + ")");
  for (const Json& element : array) {
    count_up(elements_, element);
    if (!is_wanted(element)) continue;
    if (element.is_object() && element.contains("repeat"))
      expand(element, visit);
    else
      visit(element);
  }
}

void Reader::expand(const Json& repetition, const Visit& visit) {
  const Fields block(*this, repetition, scene_format::repetition);
  const Fields repeat(*this, block.require("repeat"), scene_format::repeat);
  const Json& items = block.require("items");
  long from = 0;
  const long highest = static_cast<long>(most_elements);
  if (const Json* given = repeat.find("from")) from = integer(*given, -highest, highest);
  const long count = integer(repeat.require("count"), 0, highest);
  Variable& index = index_of(repetition, repeat.require("index"));

  visible_.push_back(&index);
  for (long i = from; i < from + count; ++i) {
    index.value = static_cast<double>(i);
    count_up(rounds_, repetition);
    for_each_element(items, visit);
  }
  visible_.pop_back();
}

Variable& Reader::index_of(const Json& repetition, const Json& name) {
  std::unique_ptr<Variable>& index = indices_[&repetition];
  if (index) return *index;
  if (!name.is_string()) fail(name, "must be the name of the index, such as \"i\"");
  const std::string& text = name.get_ref<const std::string&>();
  if (const std::string problem = check_variable_name(text); !problem.empty()) fail(name, problem);
  if (std::ranges::any_of(visible_, [&](const Variable* v) { return v->name == text; }))
    fail(name, fmt::format("{} is taken by a variable or an outer repetition", quote(text)));
  index = std::make_unique<Variable>(Variable{.name = text});
  return *index;
}

void Reader::fail_at_element(const Walk& walk, std::size_t index,
                             const std::function<const Json&(const Json&)>& culprit_in,
                             const std::string& what) {
  std::size_t i = 0;
  elements_ = rounds_ = 0;
  walk([&](const Json& element) {
    if (i++ == index) fail(culprit_in(element), what);
  });
  fail(document_.root, what);
}

}  // namespace ligament
