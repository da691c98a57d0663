// SPDX-License-Identifier: Apache-2.0
#include "papers/scenes.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

// The assembler reads the files, as it does for the page of replays.
#define LIGAMENT_SCENE(symbol, file)                    \
  asm(".pushsection .rodata\n" #symbol                  \
      "_begin:\n"                                       \
      ".incbin \"" file "\"\n" #symbol                  \
      "_end:\n"                                         \
      ".byte 0\n"                                       \
      ".popsection\n");                                 \
  extern "C" {                                          \
  extern const char symbol##_b[] asm(#symbol "_begin"); \
  extern const char symbol##_e[] asm(#symbol "_end");   \
  }
#include "scene_list.inc"

namespace ligament::papers {
namespace {

struct Embedded {
  std::string_view name, text;
};

#define LIGAMENT_ENTRY(symbol, name) Embedded{name, {symbol##_b, symbol##_e}},
const Embedded embedded[] = {
#include "scene_entries.inc"
};

}  // namespace

Scene read_paper_scene(std::string_view name, const std::vector<Override>& overrides) {
  for (const Embedded& scene : embedded)
    if (scene.name == name) return read_scene_text(scene.text, name, overrides);
  throw std::out_of_range(fmt::format("there is no scene papers/{}", name));
}

}  // namespace ligament::papers
