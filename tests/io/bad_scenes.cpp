// SPDX-License-Identifier: Apache-2.0
// Bad scenes are refused with the file, the place in it, the culprit and what would be right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* particle = R"({"name": "p", "kind": "particle", "mass": 1})";

// A particle with one more member.
std::string particle_with(const std::string& member) {
  return scene_with(R"({"name": "p", "kind": "particle", "mass": 1, )" + member + "}");
}

std::string rigid_with(const std::string& members) {
  return scene_with(R"({"name": "b", )" + members + "}");
}

TEST(BadScenes, unknown_key_names_the_nearest) {
  EXPECT_EQ(error_of(scene_with(R"({"kind": "particle", "mas": 1})")),
            R"(scene.json: bodies[0]: unknown key "mas": did you mean "mass"?)");
  EXPECT_EQ(error_of(R"({"ligament": 1, "bodys": [], "run": {"steps": 1}})"),
            R"(scene.json: unknown key "bodys": did you mean "bodies"?)");
  EXPECT_THAT(error_of(particle_with(R"("zzzzzz": 1)")), HasSubstr("known are: name, kind"));
  EXPECT_THAT(error_of(R"({"ligament": 1, "bodies": [], "run": {"steps": 1},
                          "stepper": {"solver": {"type": "direct", "refinement": 1}}})"),
              AllOf(HasSubstr("stepper.solver"), HasSubstr("\"refinements\"")));
}

TEST(BadScenes, key_of_another_kind_is_refused) {
  EXPECT_EQ(error_of(particle_with(R"("inertia": [1, 1, 1])")),
            R"(scene.json: bodies[0].inertia: a body of kind "particle" has no "inertia")");
  EXPECT_EQ(error_of(scene_with(particle, R"({"type": "ball", "b": "p", "point": [0, 0, 0],
                                              "axis": [0, 0, 1]})")),
            R"(scene.json: joints[0].axis: a joint of type "ball" has no "axis")");
  EXPECT_THAT(error_of(R"({"ligament": 1, "bodies": [], "run": {"steps": 1},
                          "stepper": {"solver": {"type": "umfpack", "refinements": 1}}})"),
              HasSubstr("stepper.solver.refinements"));
}

TEST(BadScenes, wrong_types_name_what_would_be_right) {
  EXPECT_EQ(error_of(scene_with(R"({"kind": "particle", "mass": true})")),
            "scene.json: bodies[0].mass: must be a number or an expression (is true)");
  EXPECT_EQ(error_of(scene_with(R"({"kind": "particle", "mass": [1]})")),
            "scene.json: bodies[0].mass: must be a number or an expression (is an array of 1)");
  EXPECT_EQ(error_of(particle_with(R"("position": [0, 1])")),
            "scene.json: bodies[0].position: must be three numbers [x, y, z] (is an array of 2)");
  EXPECT_EQ(error_of(particle_with(R"("position": [0, 1, null])")),
            "scene.json: bodies[0].position[2]: must be a number or an expression (is null)");
  EXPECT_EQ(error_of(scene_with(R"({"kind": "particle", "mass": 1, "name": 3})")),
            "scene.json: bodies[0].name: must be a name in quotes (is the number 3)");
  EXPECT_EQ(error_of(scene_with("7")), "scene.json: bodies[0]: must be an object { … }");
  EXPECT_EQ(error_of(R"({"ligament": 1, "bodies": 3, "run": {"steps": 1}})"),
            "scene.json: bodies: must be an array [ … ] (is the number 3)");
  EXPECT_EQ(error_of("[]"), "scene.json: a scene must be an object { … }");
  EXPECT_THAT(error_of(rigid_with(R"("mass": 1, "inertia": [1, 1, 1], "orientation": [1, 0, 0])")),
              HasSubstr("bodies[0].orientation: must be a quaternion"));
}

TEST(BadScenes, unknown_words_name_the_nearest) {
  EXPECT_EQ(error_of(scene_with(R"({"kind": "rigd"})")),
            R"(scene.json: bodies[0].kind: unknown kind "rigd": did you mean "rigid"?)");
  EXPECT_THAT(error_of(scene_with(particle, R"({"type": "bal", "b": "p", "point": [0, 0, 0]})")),
              HasSubstr(R"(joints[0].type: unknown type "bal": did you mean "ball"?)"));
  EXPECT_THAT(error_of(R"({"ligament": 1, "bodies": [], "run": {"steps": 1},
                          "stepper": {"type": "spok"}})"),
              HasSubstr(R"(stepper.type: unknown stepper "spok": did you mean "spook"?)"));
}

TEST(BadScenes, numbers_must_be_finite) {
  for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "inf"}) {
    EXPECT_THAT(error_of(scene_with(R"({"kind": "particle", "mass": )" + std::string(word) + "}")),
                AllOf(StartsWith("scene.json:1:"), HasSubstr("numbers must be finite")))
        << word;
  }
  EXPECT_THAT(error_of(scene_with(R"({"kind": "particle", "mass": 1e400})")),
              AllOf(StartsWith("scene.json:1:"), HasSubstr("1e400")));
  EXPECT_EQ(
      error_of(scene_with(R"({"name": "p", "kind": "particle", "mass": 1e308})")),
      "scene.json: bodies[0].mass: body \"p\": mass is 1e+308: numbers must be below 1e+30 in "
      "size");
  EXPECT_THAT(error_of(particle_with(R"("velocity": [0, 1e308, 0])")),
              HasSubstr("bodies[0].velocity: "));
  EXPECT_THAT(error_of(rigid_with(R"("solid": {"sphere": {"radius": 1e308}}, "density": 1)")),
              HasSubstr("bodies[0]: body \"b\": mass is inf"));
  EXPECT_THAT(error_of(R"({"ligament": 1, "gravity": [0, 0, 1e308], "bodies": [],
                          "run": {"steps": 1}})"),
              HasSubstr("gravity: "));
}

TEST(BadScenes, masses_and_lengths_must_be_positive) {
  EXPECT_EQ(error_of(scene_with(R"({"name": "p", "kind": "particle", "mass": 0})")),
            "scene.json: bodies[0].mass: body \"p\": mass is 0: it must be > 0");
  EXPECT_THAT(error_of(scene_with(R"({"kind": "rod", "mass": 1, "length": 0})")),
              HasSubstr("bodies[0].length: "));
  EXPECT_EQ(error_of(rigid_with(R"("solid": {"sphere": {"radius": -1}}, "mass": 1)")),
            "scene.json: bodies[0].solid.sphere.radius: must be > 0 (is -1)");
  EXPECT_THAT(error_of(rigid_with(R"("solid": {"box": {"half": [1, 0, 1]}}, "mass": 1)")),
              HasSubstr("bodies[0].solid.box.half: "));
  EXPECT_THAT(error_of(rigid_with(R"("solid": {"sphere": {"radius": 1}}, "density": 0)")),
              HasSubstr("bodies[0].density: must be > 0"));
}

TEST(BadScenes, inertia_that_no_body_has_is_refused) {
  EXPECT_THAT(error_of(rigid_with(R"("mass": 1, "inertia": [1, 1, 3])")),
              AllOf(HasSubstr("bodies[0].inertia: "), HasSubstr("triangle inequality")));
  EXPECT_THAT(error_of(rigid_with(R"("mass": 1, "inertia": [1, 1, -1])")),
              AllOf(HasSubstr("bodies[0].inertia: "), HasSubstr("positive definite")));
  EXPECT_THAT(error_of(rigid_with(R"("mass": 1, "inertia": [[1, 1, 0], [0, 1, 0], [0, 0, 1]])")),
              AllOf(HasSubstr("bodies[0].inertia: "), HasSubstr("symmetric")));
}

TEST(BadScenes, mass_of_a_rigid_body_is_given_once) {
  EXPECT_THAT(error_of(rigid_with(R"("mass": 1)")), HasSubstr("\"inertia\" is missing"));
  EXPECT_THAT(error_of(rigid_with(R"("inertia": [1, 1, 1])")), HasSubstr("\"mass\" is missing"));
  EXPECT_THAT(error_of(rigid_with(R"("solid": {"sphere": {"radius": 1}})")),
              HasSubstr("either \"mass\" or \"density\""));
  EXPECT_THAT(
      error_of(rigid_with(R"("solid": {"sphere": {"radius": 1}}, "mass": 1, "density": 1)")),
      HasSubstr("either \"mass\" or \"density\""));
  EXPECT_THAT(error_of(rigid_with(R"("solid": {}, "mass": 1)")), HasSubstr("must have one of"));
  EXPECT_THAT(error_of(rigid_with(R"("density": 1)")), HasSubstr("bodies[0].density: needs"));
}

TEST(BadScenes, joint_to_a_missing_body_names_the_nearest) {
  EXPECT_EQ(error_of(scene_with(R"({"name": "arm", "kind": "particle", "mass": 1})",
                                R"({"type": "ball", "b": "amr", "point": [0, 0, 0]})")),
            R"(scene.json: joints[0].b: there is no body "amr": did you mean "arm"?)");
  EXPECT_EQ(error_of(scene_with(particle, R"({"type": "ball", "point": [0, 0, 0]})")),
            "scene.json: joints[0]: \"b\" is missing");
}

TEST(BadScenes, joint_that_its_bodies_cannot_have_is_refused) {
  EXPECT_THAT(error_of(scene_with(particle, R"({"name": "j", "type": "ball", "a": "p", "b": "p",
                                                "point": [0, 0, 0]})")),
              HasSubstr("to itself"));
  EXPECT_THAT(error_of(scene_with(particle, R"({"type": "ball", "b": "p", "point": [1, 0, 0]})")),
              HasSubstr("joints[0].point: "));
  EXPECT_THAT(error_of(scene_with(particle, R"({"type": "hinge", "b": "p", "point": [0, 0, 0],
                                                "axis": [0, 0, 0]})")),
              HasSubstr("joints[0].axis: has zero length"));
}

TEST(BadScenes, names_must_be_unique) {
  EXPECT_THAT(error_of(scene_with(std::string(particle) + ", " + particle)),
              AllOf(HasSubstr("bodies[1].name: body \"p\""), HasSubstr("taken")));
  EXPECT_THAT(error_of(scene_with(R"({"name": "world", "kind": "particle", "mass": 1})")),
              HasSubstr("bodies[0].name: "));
}

TEST(BadScenes, key_given_twice_is_refused) {
  EXPECT_EQ(error_of(particle_with(R"("mass": 2)")),
            R"(scene.json: bodies[0]: the key "mass" stands here twice: remove one)");
}

TEST(BadScenes, steps_must_make_sense) {
  const auto scene = [](const std::string& stepper, const std::string& run) {
    return R"({"ligament": 1, "bodies": [], "stepper": )" + stepper + R"(, "run": )" + run + "}";
  };
  for (const char* h : {"0", "-1e-3", "1e308", "\"0/1\""})
    EXPECT_THAT(error_of(scene(R"({"h": )" + std::string(h) + "}", R"({"duration": 1})")),
                AllOf(StartsWith("scene.json: stepper.h: "), HasSubstr("time step")))
        << h;
  EXPECT_THAT(error_of(scene("{}", R"({"duration": -1})")), HasSubstr("run.duration: must be ≥ 0"));
  EXPECT_THAT(error_of(scene("{}", R"({"duration": 1e300})")), HasSubstr("the limit is 1e+10"));
  EXPECT_THAT(error_of(scene("{}", R"({"steps": 1.5})")),
              HasSubstr("run.steps: must be an integer"));
  EXPECT_THAT(error_of(scene("{}", R"({"steps": -1})")), HasSubstr("run.steps: must be between"));
  EXPECT_THAT(error_of(scene("{}", R"({"steps": 1e10})")), HasSubstr("set output.every to"));
  EXPECT_THAT(error_of(scene("{}", "{}")), HasSubstr("run: must have either"));
  EXPECT_THAT(
      error_of(scene(R"({"solver": {"type": "direct", "refinements": 99}})", R"({"steps": 1})")),
      HasSubstr("stepper.solver.refinements: "));
  EXPECT_THAT(error_of(scene(R"({"solver": {"pivots_per_row": 0}})", R"({"steps": 1})")),
              HasSubstr("stepper.solver.pivots_per_row: "));
  EXPECT_THAT(
      error_of(scene(R"({"solver": {"type": "direct", "pivots_per_row": 5}})", R"({"steps": 1})")),
      HasSubstr("a solver of type \"direct\" has no \"pivots_per_row\""));
  EXPECT_THAT(error_of(R"({"ligament": 1, "bodies": []})"), HasSubstr("\"run\" is missing"));
}

TEST(BadScenes, output_names_what_there_is) {
  const auto scene = [](const std::string& output) {
    return R"({"ligament": 1, "bodies": [{"name": "p", "kind": "particle", "mass": 1}],
               "joints": [{"name": "arm", "type": "distance", "b": "p", "point_a": [0, 0, 1]}],
               "controls": [{"name": "hold", "type": "lock", "joint": "arm"}],
               "run": {"steps": 1e6}, "output": )" +
           output + "}";
  };
  EXPECT_EQ(error_of(scene(R"({"joints": ["amr"]})")),
            R"(scene.json: output.joints[0]: there is no joint "amr": did you mean "arm"?)");
  EXPECT_THAT(error_of(scene(R"({"controls": ["hodl"]})")),
              HasSubstr(R"(output.controls[0]: there is no control "hodl": did you mean "hold"?)"));
  EXPECT_THAT(error_of(scene(R"({"joints": ["arm", "arm"]})")),
              HasSubstr("output.joints[1]: stands here twice"));
  EXPECT_THAT(error_of(scene(R"({"joints": "arm"})")),
              HasSubstr("output.joints: must be true, false or an array of names of joints"));
  EXPECT_THAT(error_of(scene(R"({"joints": [1]})")), HasSubstr("output.joints[0]: must be a name"));
}

// 1e8 steps: 15 numbers a step fit into the limit, and 15 + 8 for the joint + 2 do too; 5e9 is 50.
TEST(BadScenes, columns_of_joints_count_in_the_size_of_a_trajectory) {
  const auto scene = [](int joints, bool recorded) {
    return R"({"ligament": 1, "bodies": [{"name": "p", "kind": "particle", "mass": 1}],
               "joints": [{"repeat": {"index": "i", "count": )" +
           std::to_string(joints) + R"(}, "items": [
                 {"type": "distance", "b": "p", "point_a": [0, 0, 1]}]}],
               "run": {"steps": 1e8}, "output": {"joints": )" +
           (recorded ? "true" : "false") + "}}";
  };
  EXPECT_EQ(error_of(scene(4, true)), "");
  EXPECT_EQ(error_of(scene(5, false)), "");
  EXPECT_THAT(error_of(scene(5, true)), HasSubstr("set output.every to"));
}

TEST(BadScenes, switches_are_true_or_false) {
  EXPECT_EQ(error_of(R"({"ligament": 1, "bodies": [], "assemble": 1, "run": {"steps": 1}})"),
            "scene.json: assemble: must be true or false (is the number 1)");
  EXPECT_EQ(error_of(R"({"ligament": 1, "bodies": [], "run": {"steps": 1, "staggered": "yes"}})"),
            "scene.json: run.staggered: must be true or false (is a string)");
}

TEST(BadScenes, version_must_be_known) {
  EXPECT_THAT(error_of("{}"), HasSubstr("\"ligament\": 1 is missing"));
  EXPECT_THAT(error_of(R"({"ligament": 2, "new_things": 3})"), HasSubstr("version 2"));
  EXPECT_THAT(error_of(R"({"ligament": "one"})"), HasSubstr("must be 1"));
}

TEST(BadScenes, syntax_errors_have_line_and_column) {
  EXPECT_THAT(error_of("{\n  \"ligament\": 1,\n  \"bodies\" [\n"), StartsWith("scene.json:3:"));
  EXPECT_EQ(error_of(""), "scene.json: the file is empty");
  EXPECT_EQ(error_of(" \n\t"), "scene.json: the file is empty");
  EXPECT_THAT(error_of("// nothing but a comment"), StartsWith("scene.json:1:"));
  EXPECT_THAT(error_of("\xff\xfe{}"), StartsWith("scene.json:1:"));
  EXPECT_THAT(error_of("{\"ligament\": 1, \"name\": \"\xff\"}"), HasSubstr("UTF-8"));
}

TEST(BadScenes, truncated_anywhere_they_are_refused) {
  const std::string whole =
      scene_with(particle, R"({"type": "distance", "b": "p", "point_a": [0, 0, 1]})");
  ASSERT_EQ(error_of(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error_of(whole.substr(0, size)), "") << size;
}

TEST(BadScenes, brackets_without_end_are_refused_at_once) {
  EXPECT_EQ(error_of(std::string(1 << 20, '[')), "scene.json: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(error_of(objects), "scene.json: nested deeper than 64 levels");
}

TEST(BadScenes, files_of_a_gigabyte_are_not_even_read) {
  const TemporaryFolder folder;
  write_file(folder / "scene.json", "[");
  std::filesystem::resize_file(folder / "scene.json", std::uintmax_t{1} << 30U);
  try {
    read_scene(folder / "scene.json");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("1024 MiB"), HasSubstr("repeat")));
  }
}

TEST(BadScenes, values_and_keys_are_limited_in_number) {
  std::string zeros = "[0";
  for (int i = 0; i < 9'000'000; ++i) zeros += ",0";
  EXPECT_THAT(error_of(zeros + "]"), HasSubstr("more than 8000000 values"));
  std::string keys = "{";
  for (int i = 0; i < 300; ++i) keys += "\"k" + std::to_string(i) + "\": 0, ";
  EXPECT_THAT(error_of(keys + "}"), HasSubstr("more than 256 keys"));
}

TEST(BadScenes, what_is_no_file_is_refused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_scene(folder / "missing.json"), SceneError);
  EXPECT_THROW(read_scene(folder.path()), SceneError);
  EXPECT_THROW(read_scene("/dev/null"), SceneError);
  EXPECT_THROW(read_scene(""), SceneError);
}

TEST(BadScenes, long_words_are_cut_in_messages) {
  const std::string message = error_of(particle_with("\"" + std::string(1 << 20, 'x') + "\": 1"));
  EXPECT_THAT(message, HasSubstr("unknown key"));
  EXPECT_LT(message.size(), 500U);
  EXPECT_THAT(error_of(particle_with(R"("name2": ")" + std::string(300, 'x') + "\"")),
              HasSubstr("unknown key"));
  EXPECT_THAT(error_of(scene_with(R"({"kind": "particle", "mass": 1, "name": ")" +
                                  std::string(300, 'x') + "\"}")),
              HasSubstr("longer than 256"));
}

}  // namespace
}  // namespace ligament
