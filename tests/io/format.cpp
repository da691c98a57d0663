// SPDX-License-Identifier: Apache-2.0
// The reader, the schema and the documentation know the same words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "io/scene_files.h"
#include "ligament/io/scene_format.h"

namespace ligament {
namespace {

using Json = nlohmann::json;
using Words = std::set<std::string>;

const std::filesystem::path docs = std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / "docs";

Json read_schema() { return Json::parse(read_file(docs / "scene.schema.json")); }

const Json& schema_of(const Json& schema, const ObjectFormat& format) {
  return format.name == "scene" ? schema : schema.at("$defs").at(std::string(format.name));
}

Words keys_of(const Json& object) {
  Words keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

TEST(SceneFormat, schema_and_reader_know_the_same_keys) {
  const Json schema = read_schema();
  for (const ObjectFormat* format : scene_format::all) {
    SCOPED_TRACE(std::string(format->name));
    Words keys;
    for (const Key& key : format->keys) keys.emplace(key.name);
    EXPECT_EQ(keys, keys_of(schema_of(schema, *format).at("properties")));
  }
}

TEST(SceneFormat, schema_has_no_object_that_the_reader_does_not_know) {
  Words names;
  for (const ObjectFormat* format : scene_format::all) names.emplace(format->name);
  const Json schema = read_schema();
  for (const auto& [name, definition] : schema.at("$defs").items())
    EXPECT_TRUE(names.contains(name) || !definition.contains("additionalProperties")) << name;
}

// In the schema a key that a kind does not have is `false` for it.
template <class Kind>
void expect_same_kinds(const ObjectFormat& format, const char* selector,
                       std::initializer_list<Kind> kinds) {
  const Json schema = read_schema();
  for (const Kind kind : kinds) {
    SCOPED_TRACE(name_of(kind));
    Words refused, refused_by_schema;
    for (const Key& key : format.keys)
      if ((key.kinds & bit(kind)) == 0) refused.emplace(key.name);
    for (const Json& rule : schema_of(schema, format).at("allOf")) {
      if (rule.at("if").at("properties").at(selector).at("const") != name_of(kind)) continue;
      const Json members = rule.at("then").value("properties", Json::object());
      for (const auto& [key, value] : members.items())
        if (value == false) refused_by_schema.insert(key);
    }
    EXPECT_EQ(refused, refused_by_schema);
  }
}

TEST(SceneFormat, schema_and_reader_know_the_same_kinds) {
  expect_same_kinds(scene_format::body, "kind",
                    {BodyKind::rigid, BodyKind::particle, BodyKind::rod, BodyKind::fixed});
  expect_same_kinds(scene_format::joint, "type",
                    {JointKind::ball, JointKind::hinge, JointKind::prismatic, JointKind::fixed,
                     JointKind::distance});
}

TEST(SceneFormat, every_key_is_documented) {
  const std::string page = read_file(docs / "scene.md");
  for (const ObjectFormat* format : scene_format::all)
    for (const Key& key : format->keys) {
      const std::string name(key.name);
      const bool named =
          page.find("`" + name + "`") != page.npos || page.find("\"" + name + "\"") != page.npos;
      EXPECT_TRUE(named) << format->name << "." << name;
    }
}

// The scenes in ```json blocks of a page.
std::vector<std::string> scenes_in(const std::filesystem::path& page) {
  const std::string text = read_file(page), fence = "```";
  std::vector<std::string> scenes;
  std::size_t begin = 0;
  while ((begin = text.find(fence + "json\n", begin)) != text.npos) {
    begin += fence.size() + 5;
    const std::size_t end = text.find("\n" + fence, begin);
    const std::string block = text.substr(begin, end - begin);
    if (block.find("\"ligament\"") != block.npos) scenes.push_back(block);
    begin = end;
  }
  return scenes;
}

TEST(SceneFormat, scenes_in_the_documentation_load) {
  for (const auto& page : {docs / "scene.md", docs / ".." / "README.md"}) {
    const auto scenes = scenes_in(page);
    EXPECT_FALSE(scenes.empty()) << page;
    for (const std::string& scene : scenes) EXPECT_EQ(error_of(scene), "") << page;
  }
}

}  // namespace
}  // namespace ligament
