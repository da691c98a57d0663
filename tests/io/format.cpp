// SPDX-License-Identifier: Apache-2.0
// The reader, the schema and the documentation know the same words.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "io/scene_files.h"
#include "ligament/io/scene_format.h"
#include "ligament/math/alternatives.h"
#include "ligament/model/joint_coordinates.h"

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

struct NamedKind {
  std::string name;
  unsigned bit;
};

// In the schema a key that a kind does not have is `false` for it.
void expect_same_kinds(const ObjectFormat& format, const char* selector,
                       const std::vector<NamedKind>& kinds) {
  const Json schema = read_schema();
  Words names;
  for (const NamedKind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    names.insert(kind.name);
    Words refused, refused_by_schema;
    for (const Key& key : format.keys)
      if ((key.kinds & kind.bit) == 0) refused.emplace(key.name);
    for (const Json& rule : schema_of(schema, format).at("allOf")) {
      if (rule.at("if").at("properties").at(selector).at("const") != kind.name) continue;
      const Json members = rule.at("then").value("properties", Json::object());
      for (const auto& [key, value] : members.items())
        if (value == false) refused_by_schema.insert(key);
    }
    EXPECT_EQ(refused, refused_by_schema);
  }
  EXPECT_EQ(schema_of(schema, format).at("properties").at(selector).at("enum").get<Words>(), names);
}

TEST(SceneFormat, schema_and_reader_know_the_same_kinds) {
  std::vector<NamedKind> bodies, joints, controls, shapes, solvers, steppers;
  for (const BodyKind kind : {BodyKind::rigid, BodyKind::particle, BodyKind::rod, BodyKind::fixed})
    bodies.push_back({name_of(kind), bit(kind)});
  expect_same_kinds(scene_format::body, "kind", bodies);
  for (int i = 0; i < joint_kinds; ++i)
    joints.push_back({name_of(static_cast<JointKind>(i)), bit(i)});
  expect_same_kinds(scene_format::joint, "type", joints);
  for (std::size_t i = 0; i < scene_format::control_types.size(); ++i)
    controls.push_back({std::string(scene_format::control_types[i]), bit(i)});
  expect_same_kinds(scene_format::control, "type", controls);
  for (std::size_t i = 0; i < scene_format::shape_types.size(); ++i)
    shapes.push_back({std::string(scene_format::shape_types[i]), bit(i)});
  expect_same_kinds(scene_format::shape, "type", shapes);
  for (const Stepper& stepper : make_alternatives<Stepper>())
    steppers.push_back({name_of(stepper), bit(stepper.index())});
  expect_same_kinds(scene_format::stepper, "type", steppers);
  for (const Solver& solver : make_alternatives<Solver>())
    solvers.push_back({name_of(solver), bit(solver.index())});
  expect_same_kinds(scene_format::solver, "type", solvers);
}

// The words for the kinds of controls are those of the library.
TEST(SceneFormat, controls_have_the_names_of_their_kinds) {
  for (int i = 0; i < control_kinds; ++i)
    EXPECT_EQ(scene_format::control_types[static_cast<std::size_t>(i)],
              name_of(static_cast<ControlKind>(i)));
}

TEST(SceneFormat, shapes_have_the_names_of_their_geometries) {
  const Geometry all[] = {SphereShape{},   BoxShape{},         CapsuleShape{},
                          CylinderShape{}, ConvexShape{},      HalfSpaceShape{},
                          PlaneShape{},    HeightFieldShape{}, MeshShape{}};
  for (const Geometry& geometry : all) {
    std::string name = name_of(geometry);
    std::ranges::replace(name, ' ', '_');
    EXPECT_EQ(scene_format::shape_types.at(geometry.index()), name);
  }
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

// | `hinge` | ties … | rows | angle | needs |
TEST(SceneFormat, coordinates_of_joints_are_documented) {
  const std::string page = read_file(docs / "scene.md");
  for (int i = 0; i < joint_kinds; ++i) {
    const auto kind = static_cast<JointKind>(i);
    std::string coordinates;
    for (const Coordinate coordinate : coordinates_of(kind))
      coordinates += (coordinates.empty() ? "" : ", ") + std::string(name_of(coordinate));
    const std::size_t begin = page.find("\n| `" + std::string(name_of(kind)) + "` |");
    ASSERT_NE(begin, page.npos) << name_of(kind);
    const std::string line = page.substr(begin + 1, page.find('\n', begin + 1) - begin - 1);
    EXPECT_THAT(line, ::testing::ContainsRegex("[0-9] \\| " + coordinates + " ?\\| "));
  }
}

TEST(SceneFormat, every_scene_of_the_project_is_named_in_the_documentation) {
  const std::string page = read_file(docs / "scene.md");
  for (const auto& entry : std::filesystem::directory_iterator(docs / ".." / "scenes")) {
    const std::string name = entry.path().stem().string();
    EXPECT_NE(page.find("`" + name + "`"), page.npos) << name;
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
