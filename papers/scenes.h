// SPDX-License-Identifier: Apache-2.0
// The scene files of the papers, which stand in the program.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "ligament/io/scene.h"

namespace ligament::papers {

// A scene by its name below papers/: "spook_2007/ladder.json". Throws SceneError if the overrides
// make no sense, std::out_of_range if there is no such scene.
Scene read_paper_scene(std::string_view name, const std::vector<Override>& overrides = {});

// A variable of a scene, to its last bit.
inline Override set(const char* key, double value) {
  return {.key = key, .value = fmt::format("{}", value)};
}

}  // namespace ligament::papers
