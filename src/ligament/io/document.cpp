// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/document.h"

#include <fmt/format.h>

namespace ligament {
namespace {

// Whether the place is `path` itself or inside of it.
bool is_within(const std::string& place, const std::string& path) {
  if (!place.starts_with(path)) return false;
  return place.size() == path.size() || place[path.size()] == '.' || place[path.size()] == '[';
}

}  // namespace

void Document::fail(const Json& at, const std::string& what, const std::string& note) const {
  std::string place = find_path(root, at);
  for (const Replaced& replacement : replaced)
    if (is_within(place, replacement.path)) {
      place += fmt::format(" ({})", replacement.option);
      break;
    }
  if (!note.empty()) place += fmt::format("{}({})", place.empty() ? "" : " ", note);
  throw SceneError(fmt::format("{}: {}{}{}", file, place, place.empty() ? "" : ": ", what));
}

}  // namespace ligament
