// SPDX-License-Identifier: Apache-2.0
// Numbers that may change with time: constants, formulas of t, tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <span>
#include <thread>

#include "io/scene_files.h"
#include "ligament/io/time_formula.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A scene whose only control has this target.
std::string target_of(const std::string& function) {
  return R"({"ligament": 1, "variables": {"f": 2, "A": 0.5}, "bodies": [
               {"name": "b", "mass": 1, "inertia": [1, 1, 1]}],
             "joints": [{"name": "j", "type": "hinge", "b": "b", "point": [0, 0, 0],
                         "axis": [0, 0, 1]}],
             "controls": [{"name": "c", "type": "motion", "joint": "j", "target": )" +
         function + R"(}], "run": {"steps": 1}})";
}

TimeFunction read_target(const std::string& function) {
  return read_text_as_scene(target_of(function)).model.controls()[0].target;
}

TEST(TimeFunctions, of_numbers_and_of_formulas_without_t_are_constants) {
  EXPECT_TRUE(read_target("3").is_constant());
  EXPECT_EQ(read_target("3")(7.0), 3.0);
  EXPECT_TRUE(read_target("\"A*f\"").is_constant());
  EXPECT_EQ(read_target("\"A*f\"")(7.0), 1.0);
}

TEST(TimeFunctions, may_use_t_and_the_variables) {
  const TimeFunction wave = read_target("\"A*sin(2*pi*f*t)\"");
  EXPECT_FALSE(wave.is_constant());
  for (const double t : {0.0, 0.1, 0.73, -2.0})
    EXPECT_NEAR(wave(t), 0.5 * std::sin(4 * std::acos(-1.0) * t), 1e-15);
  const TimeFunction ramp = read_target("\"t < 1 ? t : 1\"");
  EXPECT_EQ(ramp(0.25), 0.25);
  EXPECT_EQ(ramp(5.0), 1.0);
}

TEST(TimeFunctions, have_no_number_where_they_have_no_value) {
  EXPECT_TRUE(std::isnan(read_target("\"sqrt(0.5 - t)\"")(0.6)));
  EXPECT_TRUE(std::isnan(read_target("\"1/(t - 0.5)\"")(0.5)));
  EXPECT_EQ(read_target("\"1/(t - 0.5)\"")(1.0), 2.0) << "and have one again afterwards";
}

TEST(TimeFunctions, tables_join_their_points_by_lines) {
  const TimeFunction table = read_target(R"({"times": [0, "1/2", 2], "values": ["A", 1, "-f"]})");
  EXPECT_EQ(table(-1.0), 0.5);
  EXPECT_EQ(table(0.25), 0.75);
  EXPECT_EQ(table(1.25), -0.5);
  EXPECT_EQ(table(9.0), -2.0);
}

TEST(TimeFunctions, outlive_the_scene_they_were_read_from) {
  TimeFunction function;
  {
    const Scene scene = read_text_as_scene(target_of("\"A*t\""));
    function = scene.model.controls()[0].target;
  }
  EXPECT_EQ(function(3.0), 1.5);
}

// One formula for all elements that repeat it: values must not leak from one to another.
TEST(TimeFunctions, can_be_asked_by_several_threads) {
  const Variable i{"i", 1.0};
  const Variable* const variables[] = {&i};
  TimeFormula formula("i*t", variables);
  std::atomic<int> wrong{0};
  const auto ask = [&](double value) {
    for (int t = 0; t < 20'000; ++t)
      if (formula.evaluate(std::span(&value, 1), t) != value * t) ++wrong;
  };
  { std::jthread one(ask, 2.0), other(ask, 3.0); }
  EXPECT_EQ(wrong, 0);
}

TEST(TimeFunctions, that_are_none_are_refused) {
  const struct {
    const char *function, *what;
  } mistakes[] = {
      {"true", "must be a number, an expression that may use t, or a table"},
      {"[1, 2]", "(is an array of 2)"},
      {"null", "(is null)"},
      {"\"A*T\"", "\"T\" is not known here"},
      {"\"sin(t\"", "expression \"sin(t\""},
      {"\"1/t\"", "it has no finite value at t = 0"},
      {"\"t = 3\"", "write == to compare"},
      {"\"\"", "expression \"\""},
      {"{}", "\"times\" is missing"},
      {R"({"times": [0]})", "\"values\" is missing"},
      {R"({"times": [0], "values": [0], "unit": 1})", "unknown key \"unit\""},
      {R"({"times": [], "values": []})", "at least one time"},
      {R"({"times": [0, 1], "values": [0]})", "2 times and 1 values"},
      {R"({"times": [1, 0], "values": [0, 1]})", "0 follows 1"},
      {R"({"times": [0, 0], "values": [0, 1]})", "must increase"},
      {R"({"times": 0, "values": [0, 1]})", "must be an array of numbers"},
      {R"({"times": [0, 1], "values": [0, "t"]})", "\"t\" is the time"},
      {R"({"times": [0, 1], "values": [0, {"times": [0], "values": [0]}]})", "(is an object)"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(error_of(target_of(mistake.function)),
                AllOf(HasSubstr("controls[0].target"), HasSubstr(mistake.what)))
        << mistake.function;
}

TEST(TimeFunctions, t_is_the_time_and_nothing_else) {
  EXPECT_THAT(error_of(R"({"ligament": 1, "variables": {"t": 1}, "bodies": [],
                          "run": {"steps": 1}})"),
              HasSubstr("variables.t: \"t\" is the time in functions of time: take another name"));
  EXPECT_THAT(error_of(scene_with(R"({"repeat": {"index": "t", "count": 1}, "items": []})")),
              HasSubstr("bodies[0].repeat.index: \"t\" is the time"));
  EXPECT_THAT(error_of(scene_with(R"({"kind": "particle", "mass": "1 + t"})")),
              HasSubstr("bodies[0].mass: expression \"1 + t\": \"t\" is the time, and this number "
                        "cannot change with it"));
}

// Repetition must not multiply a large table beyond the memory of the machine.
TEST(TimeFunctions, tables_are_limited_in_size) {
  std::string times = "0", values = "0";
  for (int i = 1; i < 10'000; ++i) {
    times += "," + std::to_string(i);
    values += ",0";
  }
  const std::string table = R"({"times": [)" + times + R"(], "values": [)" + values + "]}";
  EXPECT_EQ(error_of(target_of(table)), "");
  const std::string load = R"({"body": "p", "force": [0, 0, )" + table + "]}";
  EXPECT_THAT(error_of(scene_with(
                  R"({"name": "p", "kind": "particle", "mass": 1})", "", "",
                  R"({"repeat": {"index": "i", "count": 1000000}, "items": [)" + load + "]}")),
              HasSubstr("tables of the scene have more than 8000000 numbers"));
}

TEST(TimeFunctions, formulas_are_limited_in_number_and_repeated_ones_are_cheap) {
  const auto start = std::chrono::steady_clock::now();
  const std::string particle = R"({"name": "p", "kind": "particle", "mass": 1})";
  std::string loads;
  for (int i = 0; i < 4000; ++i)
    loads += std::string(i > 0 ? "," : "") + R"({"body": "p", "force": ["t", "t", "t"]})";
  EXPECT_THAT(error_of(scene_with(particle, "", "", loads)),
              HasSubstr("more than 10000 expressions"));
  const Scene scene =
      read_text_as_scene(scene_with(particle, "", "",
                                    R"({"repeat": {"index": "i", "count": 100000}, "items": [
                      {"body": "p", "force": ["i*t", "i", "i"]}]})"));
  EXPECT_EQ(scene.model.loads()[99'999].force[0](2.0), 2 * 99'999.0);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 60.0);  // 1 s on a laptop; the margin is for instrumented builds
}

}  // namespace
}  // namespace ligament
