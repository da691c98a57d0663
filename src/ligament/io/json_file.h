// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON with comments. Beyond what JSON forbids: a key twice in an object, nesting
// deeper than 64 levels, files above 64 MiB, and more values than a machine should hold in memory.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ligament {

using Json = nlohmann::ordered_json;

// Throws SceneError beginning with the file's name.
Json read_json_file(const std::filesystem::path& file);

// Throws SceneError beginning with `name`.
Json parse_json(std::string_view text, const std::string& name);

// Where a value of a document stands: `bodies[2].mass`; empty for the root itself and for values
// that are not of the document. Values are told apart by their address.
std::string find_path(const Json& root, const Json& value);

}  // namespace ligament
