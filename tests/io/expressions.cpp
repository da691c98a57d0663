// SPDX-License-Identifier: Apache-2.0
// Numbers may be expressions, and names may have numbers in them.

#include "ligament/io/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "io/scene_files.h"
#include "ligament/io/text_template.h"

namespace ligament {
namespace {

using ::testing::HasSubstr;

double value_of(const std::string& text) {
  const Variable N{"N", 3.0}, l{"l", 0.5};
  const Variable* const variables[] = {&N, &l};
  return Expression(text, variables).evaluate();
}

std::string problem_of(const std::string& text) {
  try {
    value_of(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return {};
}

TEST(Expressions, have_their_values) {
  EXPECT_EQ(value_of("1/60"), 1.0 / 60.0);
  EXPECT_EQ(value_of("N*l/2"), 0.75);
  EXPECT_EQ(value_of("-N^2"), -9.0);
  EXPECT_EQ(value_of("N > 2 && l != 1 ? 1 : 2"), 1.0);
  EXPECT_EQ(value_of("N == 3 || N >= 7"), 1.0);
  EXPECT_EQ(value_of("sin(pi/2) + cos(0)"), 2.0);
  EXPECT_EQ(value_of("mod(-1, 4)"), 3.0);
  EXPECT_EQ(value_of("min(N, l) + max(1, 2)"), 2.5);
  EXPECT_EQ(value_of("floor(2.7) + ceil(2.1) + round(2.5)"), 8.0);
  EXPECT_EQ(value_of("ln(exp(2))"), 2.0);
  EXPECT_EQ(value_of("log10(1000)"), 3.0);
  EXPECT_EQ(value_of("atan2(1, 0)"), std::numbers::pi / 2);
  EXPECT_EQ(value_of("1e-3"), 1e-3);
}

TEST(Expressions, that_are_none_are_refused) {
  EXPECT_THAT(problem_of("M"), HasSubstr("\"M\" is not known here"));
  EXPECT_THAT(problem_of("1 +"), HasSubstr("Unexpected end"));
  EXPECT_THAT(problem_of("1/0"), HasSubstr("inf"));
  EXPECT_THAT(problem_of("0/0"), HasSubstr("nan"));
  EXPECT_THAT(problem_of("sqrt(-1)"), HasSubstr("nan"));
  EXPECT_THAT(problem_of("N = 4"), HasSubstr("=="));
  EXPECT_THAT(problem_of("1, 2"), HasSubstr("one value"));
  EXPECT_THAT(problem_of("\"text\""), HasSubstr("only names"));
  EXPECT_THAT(problem_of(std::string(2000, '(')), HasSubstr("longer than"));
  for (const char* text :
       {"", " ", "()", "nan", "inf", "1e999", "sin", "sin()", "sin(1", "N(2)", "1 2"})
    EXPECT_NE(problem_of(text), "") << text;
}

TEST(Expressions, survive_any_text) {
  const char* const words[] = {"N", "l",    "1",    "2.5", "+", "-", "*",  "/",  "^",
                               "(", ")",    "?",    ":",   "<", ">", "==", "&&", "||",
                               ",", "sin(", "max(", "pi",  "e", ".", " ",  "!"};
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (auto n = 1 + random() % 12; n > 0; --n) text += words[random() % std::size(words)];
    const bool fine = problem_of(text).empty();
    EXPECT_TRUE(!fine || std::isfinite(value_of(text))) << text;
  }
}

TEST(Expressions, variables_may_use_those_before_them) {
  const auto scene = [](const std::string& variables) {
    return R"({"ligament": 1, "variables": )" + variables +
           R"(, "bodies": [{"name": "p", "kind": "particle", "mass": "b"}], "run": {"steps": 1}})";
  };
  EXPECT_EQ(read_text_as_scene(scene(R"({"a": 2, "b": "a^3"})")).model.bodies()[1].mass, 8.0);
  EXPECT_THAT(error_of(scene(R"({"b": "a^3", "a": 2})")), HasSubstr("variables.b: "));
  EXPECT_THAT(error_of(scene(R"({"b": [1]})")), HasSubstr("variables.b: must be a number"));
  EXPECT_THAT(error_of(scene(R"({"2b": 1})")), HasSubstr("cannot be the name"));
  EXPECT_THAT(error_of(scene(R"({"sin": 1})")), HasSubstr("name of a function"));
  EXPECT_THAT(error_of(scene(R"({"pi": 3})")), HasSubstr("name of a function or constant"));
}

TEST(Expressions, in_names_are_filled_in) {
  const Variable i{"i", 4.0};
  const Variable* const variables[] = {&i};
  const auto fill = [&](const std::string& text) { return TextTemplate(text, variables).fill(); };
  EXPECT_EQ(fill("link {i+1}"), "link 5");
  EXPECT_EQ(fill("{i}{i*i}"), "416");
  EXPECT_EQ(fill("{{i}} }}"), "{i} }");
  EXPECT_EQ(fill("{-i}"), "-4");
  EXPECT_THROW(fill("{i/3}"), ExpressionError);
  EXPECT_THROW(fill("{j}"), ExpressionError);
  EXPECT_THROW(fill("{i"), ExpressionError);
  EXPECT_THROW(fill("i}"), ExpressionError);
  EXPECT_THROW(fill("{}"), ExpressionError);
  EXPECT_THROW(fill("{1e300}"), ExpressionError);
}

}  // namespace
}  // namespace ligament
