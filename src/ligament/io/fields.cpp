// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "ligament/io/nearest.h"

namespace ligament {
namespace {

// Where a word stands in a text, between blanks or the ends; npos if nowhere. Words of one letter
// count at the beginning only: "h is 0", but not "a hinge".
std::size_t find_word(std::string_view text, std::string_view word) {
  if (word.size() == 1)
    return text.starts_with(word) && text.substr(1).starts_with(" is") ? 0 : text.npos;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return at;
  }
  return text.npos;
}

}  // namespace

Fields::Fields(Reader& reader, const Json& object, const ObjectFormat& format)
    : reader_(reader), object_(object), format_(format) {
  if (!object.is_object()) reader.fail(object, "must be an object { … }");
  for (const auto& item : object.items()) {
    const std::string_view key = item.key();
    if (std::ranges::find(format.keys, key, &Key::name) != format.keys.end()) continue;
    std::vector<std::string_view> known;
    for (const Key& candidate : format.keys) known.push_back(candidate.name);
    reader.fail(object, fmt::format("unknown key {}: {}", quote(key), suggest(key, known)));
  }
}

void Fields::check_kind(unsigned kind_bit, std::string_view selector, std::string_view kind) const {
  for (const Key& key : format_.keys)
    if ((key.kinds & kind_bit) == 0)
      if (const Json* member = find(key.name))
        reader_.fail(*member, fmt::format("a {} of {} \"{}\" has no \"{}\"", format_.name, selector,
                                          kind, key.name));
}

const Json* Fields::find(std::string_view key) const {
  assert(std::ranges::find(format_.keys, key, &Key::name) != format_.keys.end());
  for (auto member = object_.begin(); member != object_.end(); ++member)
    if (member.key() == key) return &member.value();
  return nullptr;
}

const Json& Fields::require(std::string_view key) const {
  const Json* member = find(key);
  if (!member) reader_.fail(object_, fmt::format("\"{}\" is missing", key));
  return *member;
}

void Fields::read(std::string_view key, double& out) const {
  if (const Json* member = find(key)) out = reader_.number(*member);
}

void Fields::read(std::string_view key, std::optional<double>& out) const {
  if (const Json* member = find(key)) out = reader_.number(*member);
}

void Fields::read(std::string_view key, Vec3& out) const {
  if (const Json* member = find(key)) out = reader_.vector(*member);
}

void Fields::read(std::string_view key, std::optional<Vec3>& out) const {
  if (const Json* member = find(key)) out = reader_.vector(*member);
}

void Fields::read_name(std::string_view key, std::string& out) const {
  if (const Json* member = find(key)) out = reader_.name(*member);
}

const Json& find_culprit(const Json& object, const ObjectFormat& format, std::string_view message) {
  // What comes after a colon is advice, and what is in quotes is a name.
  const std::string_view clause = message.substr(0, message.find_first_of(":\""));
  const Json* culprit = &object;
  std::size_t earliest = clause.size();
  for (const Key& key : format.keys) {
    const std::string name(key.name);
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    const std::size_t place = std::min(find_word(clause, name), find_word(clause, words));
    if (place >= earliest || !object.contains(name)) continue;
    culprit = &object[name];
    earliest = place;
  }
  return *culprit;
}

}  // namespace ligament
