// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "ligament/io/document.h"
#include "ligament/io/nearest.h"
#include "ligament/io/scene_format.h"
#include "ligament/math/alternatives.h"

namespace ligament {
namespace {

using Names = std::vector<std::string_view>;

struct Section {
  std::string_view key;
  const ObjectFormat* format;
};

// The objects that can be reached, and whose keys may stand alone, in this order.
constexpr Section sections[] = {{"stepper", &scene_format::stepper},
                                {"run", &scene_format::run},
                                {"output", &scene_format::output}};
// The objects in them whose keys can be reached as well.
constexpr Section subsections[] = {{"solver", &scene_format::solver},
                                   {"contacts", &scene_format::contacts},
                                   {"as_printed", &scene_format::as_printed}};
constexpr std::string_view plain_keys[] = {"name", "description", "gravity", "assemble"};

Names split(std::string_view key) {
  Names parts;
  for (std::size_t start = 0; start <= key.size();) {
    const std::size_t end = std::min(key.find('.', start), key.size());
    parts.push_back(key.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

Names names_of(const ObjectFormat& format) {
  Names names;
  for (const Key& key : format.keys) names.push_back(key.name);
  return names;
}

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// One override being applied.
class Replacement {
 public:
  Replacement(const Override& given, Document& document)
      : option_(given.option), document_(document) {
    if (option_.empty()) option_ = fmt::format("--set {}={}", given.key, given.value);
    if (const auto found = document.root.find("variables");
        found != document.root.end() && found->is_object())
      for (const auto& item : found->items()) variables_.push_back(item.key());
  }

  void apply(const Override& given) {
    Names path = split(given.key);
    complete(path);
    const Json value = parse_value(given.value);
    const bool is_whole_stepper = path.size() == 1 && path[0] == "stepper" && value.is_object();
    if (!is_whole_stepper) check(path);
    Json& parent = make_parent(path);
    const std::string key(path.back());
    if (path[0] == "run" && (key == "duration" || key == "steps"))  // each replaces the other
      for (const char* other : {"duration", "steps"}) parent.erase(other);
    if (path[0] == "stepper" && key == "type") drop_options_of_others(given.value, parent);
    parent[key] = value;
    document_.replaced.push_back({fmt::format("{}", fmt::join(path, ".")), option_});
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw SceneError(fmt::format("{}: {}", option_, what));
  }

  [[noreturn]] void fail_unknown(std::string_view key, const Names& known) const {
    fail(fmt::format("unknown key {}: {}", quote(key), suggest(key, known)));
  }

  // Options that the scene gives its own stepper, and the one that takes its place does not have.
  // Those from outside stay, to be complained about.
  void drop_options_of_others(const std::string& type, Json& stepper) const {
    const auto steppers = make_alternatives<Stepper>();
    const auto chosen =
        std::ranges::find_if(steppers, [&](const Stepper& one) { return type == name_of(one); });
    if (chosen == steppers.end()) return;
    for (const Key& key : scene_format::stepper.keys) {
      const bool from_outside =
          std::ranges::any_of(document_.replaced, [&](const Document::Replaced& one) {
            return one.path == fmt::format("stepper.{}", key.name);
          });
      if (!(key.kinds & bit(chosen->index())) && !from_outside)
        stepper.erase(std::string(key.name));
    }
  }

  // Puts the section in front of a key that stands alone.
  void complete(Names& path) const {
    const std::string_view first = path.front();
    if (contains(names_of(scene_format::scene), first)) return;
    for (const Section& section : sections)
      if (contains(names_of(*section.format), first)) {
        path.insert(path.begin(), section.key);
        return;
      }
    if (contains(variables_, first)) path.insert(path.begin(), "variables");
  }

  void check(const Names& path) const {
    if (std::ranges::find(plain_keys, path[0]) != std::end(plain_keys)) {
      if (path.size() > 1) fail(fmt::format("{} has no keys", quote(path[0])));
      return;
    }
    if (path[0] == "variables") {
      if (path.size() != 2) fail("name one variable, as in variables.N=100");
      if (!contains(variables_, path[1]))
        fail(fmt::format("the scene has no variable {}{}{}", quote(path[1]),
                         variables_.empty() ? "" : ": ", suggest(path[1], variables_)));
      return;
    }
    const auto section = std::ranges::find(sections, path[0], &Section::key);
    if (section == std::end(sections)) fail_first(path[0]);
    check_section(path, *section);
  }

  void check_section(const Names& path, const Section& section) const {
    if (path.size() == 1)
      fail(fmt::format("name one key of {0}, as in {0}.{1}=…", section.key,
                       section.format->keys.back().name));
    if (!contains(names_of(*section.format), path[1]))
      fail_unknown(path[1], names_of(*section.format));
    if (path.size() == 2) return;
    const auto inner = std::ranges::find(subsections, path[1], &Section::key);
    if (inner == std::end(subsections)) fail(fmt::format("{} has no keys", quote(path[1])));
    if (!contains(names_of(*inner->format), path[2]))
      fail_unknown(path[2], names_of(*inner->format));
    if (path.size() > 3) fail(fmt::format("{} has no keys", quote(path[2])));
  }

  [[noreturn]] void fail_first(std::string_view key) const {
    if (contains(names_of(scene_format::scene), key))
      fail(fmt::format("{} cannot be set from outside: use a variable in the scene", quote(key)));
    Names known(std::begin(plain_keys), std::end(plain_keys));
    for (const Section& section : sections) {
      known.push_back(section.key);
      std::ranges::copy(names_of(*section.format), std::back_inserter(known));
    }
    std::ranges::copy(variables_, std::back_inserter(known));
    fail_unknown(key, known);
  }

  Json& make_parent(const Names& path) const {
    Json* at = &document_.root;
    for (const std::string_view key : std::span(path).first(path.size() - 1)) {
      at = &(*at)[std::string(key)];
      if (key == "solver" && at->is_string()) *at = Json{{"type", *at}};
      if (at->is_null()) *at = Json::object();
      if (!at->is_object()) document_.fail(*at, "must be an object { … }");
    }
    return *at;
  }

  Json parse_value(const std::string& text) const {
    try {
      return parse_json(text, option_);
    } catch (const SceneError&) {
      return text;
    }
  }

  std::string option_;
  Document& document_;
  Names variables_;
};

}  // namespace

void apply_override(const Override& given, Document& document) {
  Replacement(given, document).apply(given);
}

}  // namespace ligament
