// SPDX-License-Identifier: Apache-2.0
// A JSON document with the name of its file, and errors that say where in it something is wrong.
#pragma once

#include <string>
#include <vector>

#include "ligament/io/json_file.h"
#include "ligament/io/scene.h"

namespace ligament {

struct Document {
  // A place whose value came from the command line.
  struct Replaced {
    std::string path;
    std::string option;  // "--set h=1e-3"
  };

  std::string file;
  Json root;
  std::vector<Replaced> replaced{};

  // Throws SceneError "file: path note: what". `at` is a value of this document.
  [[noreturn]] void fail(const Json& at, const std::string& what,
                         const std::string& note = {}) const;
};

// Replaces a value of the document, or adds it.
void apply_override(const Override& given, Document& document);

}  // namespace ligament
