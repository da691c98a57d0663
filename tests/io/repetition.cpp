// SPDX-License-Identifier: Apache-2.0
// Repetition stands for its items, once for each value of the index.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of(const Scene& scene) {
  std::vector<std::string> names;
  for (std::uint32_t i = 1; i < scene.model.bodies().size(); ++i)
    names.push_back(scene.model.name(BodyId{i}));
  return names;
}

std::string repeated(const std::string& repeat, const std::string& items) {
  return scene_with(R"({"repeat": )" + repeat + R"(, "items": [)" + items + "]}");
}

constexpr const char* particle = R"({"name": "p{i}", "kind": "particle", "mass": "1 + i"})";

TEST(Repetition, gives_one_element_a_value) {
  const Scene scene =
      read_text_as_scene(repeated(R"({"index": "i", "from": 2, "count": 3})", particle));
  EXPECT_THAT(names_of(scene), ElementsAre("p2", "p3", "p4"));
  EXPECT_EQ(scene.model.bodies()[3].mass, 5.0);
}

TEST(Repetition, begins_at_zero_and_may_be_empty) {
  EXPECT_THAT(names_of(read_text_as_scene(repeated(R"({"index": "i", "count": 2})", particle))),
              ElementsAre("p0", "p1"));
  EXPECT_THAT(names_of(read_text_as_scene(repeated(R"({"index": "i", "count": 0})", particle))),
              ElementsAre());
}

TEST(Repetition, can_be_nested) {
  const Scene scene =
      read_text_as_scene(repeated(R"({"index": "i", "count": 3})",
                                  R"({"repeat": {"index": "j", "count": "i"}, "items": [
            {"name": "{i},{j}", "kind": "particle", "mass": 1}]})"));
  EXPECT_THAT(names_of(scene), ElementsAre("1,0", "2,0", "2,1"));
}

TEST(Repetition, leaves_out_what_has_a_condition) {
  const Scene scene = read_text_as_scene(
      repeated(R"({"index": "i", "count": 5})",
               R"({"when": "mod(i, 2) == 1", "name": "p{i}", "kind": "particle", "mass": 1},
         {"when": "i == 4", "repeat": {"index": "j", "count": 2}, "items": [
            {"name": "q{j}", "kind": "particle", "mass": 1}]})"));
  EXPECT_THAT(names_of(scene), ElementsAre("p1", "p3", "q0", "q1"));
}

TEST(Repetition, errors_say_which_value_of_the_index) {
  EXPECT_THAT(error_of(repeated(R"({"index": "i", "from": -3, "count": 5})", particle)),
              AllOf(HasSubstr("bodies[0].items[0].mass (i = -3): "), HasSubstr("mass is -2")));
  EXPECT_THAT(error_of(repeated(R"({"index": "i", "count": 5})",
                                R"({"kind": "particle", "mass": "6/(3 - i) + 9"})")),
              HasSubstr("bodies[0].items[0].mass (i = 3): expression \"6/(3 - i) + 9\": "));
  EXPECT_THAT(error_of(scene_with(R"({"repeat": {"index": "i", "count": 1}})")),
              HasSubstr("\"items\" is missing"));
  EXPECT_THAT(error_of(repeated(R"({"index": "i", "count": 1})",
                                R"({"repeat": {"index": "i", "count": 1}, "items": []})")),
              HasSubstr("is taken"));
  EXPECT_THAT(error_of(scene_with(R"({"repeat": {"index": "i", "count": 1}, "items": []},
                                     {"name": "p{i}", "kind": "particle", "mass": 1})")),
              HasSubstr("\"i\" is not known here"));
}

// No file can ask for more than the machine has, neither of elements nor of empty rounds.
TEST(Repetition, is_limited) {
  EXPECT_THAT(error_of(repeated(R"({"index": "i", "count": 1500000})",
                                R"({"when": 0, "kind": "particle", "mass": 1},
                                   {"when": 0, "kind": "particle", "mass": 1})")),
              HasSubstr("more than 2000000 elements"));
  std::string nested = "[]";
  for (int level = 0; level < 8; ++level)
    nested = R"([{"repeat": {"index": "i)" + std::to_string(level) +
             R"(", "count": 1000000}, "items": )" + nested + "}]";
  EXPECT_THAT(error_of(R"({"ligament": 1, "run": {"steps": 1}, "bodies": )" + nested + "}"),
              HasSubstr("more than 2000000 elements"));
}

TEST(Repetition, of_a_hundred_thousand_links_takes_seconds_at_most) {
  const auto start = std::chrono::steady_clock::now();
  const Scene scene =
      read_scene(std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / "scenes" / "chain.json",
                 {{.key = "N", .value = "100000"}, {.key = "every", .value = "1000"}});
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(scene.model.moving_bodies(), 100'000);
  EXPECT_LT(seconds, 60.0);  // 0.6 s on a laptop; the margin is for instrumented builds
}

}  // namespace
}  // namespace ligament
