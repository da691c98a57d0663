// SPDX-License-Identifier: Apache-2.0
// Values from the command line replace those of the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::HasSubstr;

constexpr const char* text = R"({
  "ligament": 1, "variables": {"N": 2, "h": 5},
  "bodies": [{"repeat": {"index": "i", "count": "N"}, "items": [{"kind": "particle", "mass": 1}]}],
  "stepper": {"h": 0.1, "solver": "direct"}, "run": {"duration": 1}})";

Scene with(const std::string& key, const std::string& value) {
  return read_text_as_scene(text, {{.key = key, .value = value}});
}

std::string problem_of(const std::string& key, const std::string& value) {
  return error_of(text, {{.key = key, .value = value}});
}

TEST(Overrides, reach_their_place_by_path_and_by_short_form) {
  EXPECT_EQ(step_size(with("stepper.h", "0.5").stepper), 0.5);
  EXPECT_EQ(step_size(with("h", "0.5").stepper), 0.5);  // and not the variable of this name
  EXPECT_EQ(step_size(with("h", "1/4").stepper), 0.25);
  EXPECT_EQ(with("variables.N", "7").model.moving_bodies(), 7);
  EXPECT_EQ(with("N", "7").model.moving_bodies(), 7);
  EXPECT_EQ(with("N", "3*2").model.moving_bodies(), 6);
}

TEST(Overrides, may_be_any_json) {
  EXPECT_EQ(with("gravity", "[0, 0, -1.6]").model.gravity(), Vec3(0, 0, -1.6));
  EXPECT_EQ(with("name", "other").name, "other");
  EXPECT_EQ(with("name", "\"quoted\"").name, "quoted");
  const Scene scene = with("solver", R"({"type": "direct", "refinements": 3})");
  EXPECT_EQ(std::get<Direct>(solver_of(scene.stepper)).refinements, 3);
}

TEST(Overrides, go_into_a_solver_that_is_only_a_name) {
  const Scene scene = with("solver.refinements", "2");
  EXPECT_EQ(std::get<Direct>(solver_of(scene.stepper)).refinements, 2);
  EXPECT_TRUE(std::holds_alternative<Umfpack>(solver_of(with("solver", "umfpack").stepper)));
  const Scene plain = read_text_as_scene(R"({"ligament": 1, "bodies": [], "run": {"steps": 1}})",
                                         {{.key = "solver.threads", .value = "2"}});
  EXPECT_EQ(std::get<Automatic>(solver_of(plain.stepper)).threads, 2);
}

TEST(Overrides, go_into_all_objects_of_a_stepper) {
  EXPECT_EQ(std::get<Spook>(with("contacts.friction", "cone").stepper).contacts.friction,
            FrictionLaw::cone);
  EXPECT_EQ(std::get<Spook>(with("stepper.contacts.slack", "1/8").stepper).contacts.slack, 0.125);
  const Scene printed =
      read_text_as_scene(text, {{.key = "stepper.type", .value = "trapezoidal"},
                                {.key = "as_printed.active_set", .value = "true"}});
  EXPECT_TRUE(std::get<Trapezoidal>(printed.stepper).as_printed.active_set);
}

TEST(Overrides, of_steps_and_duration_replace_each_other) {
  EXPECT_EQ(with("steps", "3").steps, 3);
  EXPECT_EQ(with("run.duration", "2").steps, 20);
  const Scene both =
      read_text_as_scene(text, {{.key = "steps", .value = "3"}, {.key = "duration", .value = "2"}});
  EXPECT_EQ(both.steps, 20);
}

TEST(Overrides, of_the_duration_leave_the_rest_of_the_run_alone) {
  const Scene scene = read_text_as_scene(
      text, {{.key = "staggered", .value = "true"}, {.key = "steps", .value = "3"}});
  EXPECT_TRUE(scene.staggered);
  EXPECT_EQ(scene.steps, 3);
}

TEST(Overrides, switch_assembly_and_columns) {
  EXPECT_TRUE(with("assemble", "true").assemble);
  EXPECT_TRUE(with("output.joints", "true").joints.empty());  // there are none, and that is fine
  EXPECT_THAT(problem_of("joints", "true"), HasSubstr("cannot be set from outside"));
}

TEST(Overrides, make_objects_that_are_not_there) {
  EXPECT_EQ(with("output.every", "5").every, 5);
  EXPECT_EQ(with("every", "5").every, 5);
}

TEST(Overrides, with_unknown_keys_name_the_nearest) {
  EXPECT_EQ(problem_of("hh", "1"), R"(--set hh=1: unknown key "hh": did you mean "h"?)");
  EXPECT_THAT(problem_of("stepper.damping_step", "1"),
              HasSubstr("did you mean \"damping_steps\"?"));
  EXPECT_THAT(problem_of("solver.refinement", "1"), HasSubstr("did you mean \"refinements\"?"));
  EXPECT_THAT(problem_of("variables.M", "1"), HasSubstr("no variable \"M\""));
  EXPECT_THAT(problem_of("stepper", "1"), HasSubstr("name one key of stepper"));
  EXPECT_THAT(problem_of("bodies", "[]"), HasSubstr("use a variable"));
  EXPECT_THAT(problem_of("gravity.x", "1"), HasSubstr("has no keys"));
  EXPECT_THAT(problem_of("stepper.h.x", "1"), HasSubstr("has no keys"));
  EXPECT_THAT(problem_of("contacts.frictoin", "cone"), HasSubstr("did you mean \"friction\"?"));
  EXPECT_THAT(problem_of("contacts.friction.x", "1"), HasSubstr("\"friction\" has no keys"));
  EXPECT_THAT(problem_of("", "1"), HasSubstr("unknown key"));
  EXPECT_THAT(problem_of("..", "1"), HasSubstr("unknown key"));
}

TEST(Overrides, are_named_in_the_errors_they_cause) {
  EXPECT_THAT(problem_of("h", "-1"), HasSubstr("scene.json: stepper.h (--set h=-1): "));
  EXPECT_THAT(problem_of("h", "nan"), HasSubstr("stepper.h (--set h=nan): expression \"nan\""));
  EXPECT_THAT(problem_of("gravity", "[1]"),
              HasSubstr("gravity (--set gravity=[1]): must be three"));
  EXPECT_THAT(error_of(text, {{"run.duration", "-1", "--duration -1"}}),
              HasSubstr("run.duration (--duration -1): "));
  EXPECT_THAT(problem_of("h", std::string(100, '[')), HasSubstr("stepper.h"));
}

}  // namespace
}  // namespace ligament
