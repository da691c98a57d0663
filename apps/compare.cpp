// SPDX-License-Identifier: Apache-2.0
#include "apps/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "apps/commands.h"

namespace ligament::apps {
namespace {

constexpr std::size_t most = 8;  // runs: more cannot be told apart

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{' || c == '(')) ++depth;
    if (!quoted && (c == ']' || c == '}' || c == ')')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

// Letters, digits and a few others stay, the rest becomes an underscore: no path can be made of it.
std::string make_folder_name(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+';
    name += plain || (c == '.' && !name.empty()) ? c : c == '=' ? '-' : '_';
  }
  return name;
}

}  // namespace

std::vector<Variation> parse_comparison(const std::string& text) {
  const auto fail = [&](std::string_view what) {
    throw InputError(fmt::format("--compare {}: {}", text, what));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    fail("must be KEY=VALUE,VALUE, such as stepper=spook,relaxed");
  const std::string key = text.substr(0, equals);
  const bool by_stepper = key == "stepper" || key == "stepper.type";
  std::vector<Variation> variations;
  for (const std::string& value : split_values(std::string_view(text).substr(equals + 1))) {
    if (value.empty()) fail("a value is empty");
    const std::string label = by_stepper ? value : key + "=" + value;
    const std::string folder = make_folder_name(label);
    if (std::ranges::find(variations, folder, &Variation::folder) != variations.end())
      fail(fmt::format("{} stands there twice", value));
    variations.push_back({.override = {.key = by_stepper ? "stepper.type" : key,
                                       .value = value,
                                       .option = fmt::format("--compare {}={}", key, value)},
                          .label = label,
                          .folder = folder});
  }
  if (variations.size() < 2) fail("needs at least two values, with a comma between them");
  if (variations.size() > most)
    fail(fmt::format("has {} values: at most {} can be compared", variations.size(), most));
  return variations;
}

}  // namespace ligament::apps
