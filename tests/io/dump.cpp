// SPDX-License-Identifier: Apache-2.0
// A step problem survives its dump bit by bit, and nothing else passes for one.

#include "ligament/problem/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/scene_files.h"
#include "ligament/steppers/workspace.h"

namespace ligament {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double infinite = std::numeric_limits<double>::infinity();

// Bodies of both sizes, blocks of 1 … 6 rows on 1 … 3 bodies, all laws, numbers of all sizes.
StepProblem make_problem() {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> mantissa(-1.0, 1.0), exponent(-300.0, 300.0);
  const auto number = [&] { return mantissa(random) * std::pow(10.0, exponent(random)); };
  StepProblem problem;
  for (int i = 0; i < 6; ++i) {
    BodyBlock& body =
        problem.M.blocks[static_cast<std::size_t>(problem.M.add_block(i % 2 ? 3 : 6))];
    body.mass = std::abs(number());
    body.symmetric = i % 4 != 0;
    if (body.size == 6) body.rotation << 2, 0.1, 0.3, 0.1, 3, 0.7, 0.3, 0.7, 1.0 / 3.0;
    if (!body.symmetric) body.rotation(0, 1) = -5;
  }
  const Law laws[] = {Equality{}, Unilateral{}, Box{-1.5, infinite},
                      Disc{0.1},  Cone{0.7},    Equality{}};
  for (int rows = 1; rows <= 6; ++rows) {
    const std::vector<int> bodies = rows == 5   ? std::vector{5, 0, 3}
                                    : rows == 1 ? std::vector{2}
                                                : std::vector{rows - 1, rows - 2};
    problem.G.add_block(rows, bodies, problem.M);
  }
  resize_to_structure(problem);
  problem.laws.assign(std::begin(laws), std::end(laws));
  for (double& x : problem.G.values) x = number();
  for (double& x : problem.p) x = number();
  for (double& x : problem.b) x = number();
  for (double& x : problem.Sigma) x = std::abs(number());
  problem.b(0) = -0.0;
  problem.b(1) = std::numeric_limits<double>::denorm_min();
  problem.b(2) = std::numeric_limits<double>::max();
  return problem;
}

std::string dump_of(const StepProblem& problem) {
  std::ostringstream out;
  write_dump(problem, out);
  return out.str();
}

StepProblem load(const std::string& text) {
  std::istringstream in(text);
  return read_dump(in);
}

std::string problem_with(const std::string& text) {
  try {
    load(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

template <class Numbers>
bool same_bits(const Numbers& a, const Numbers& b) {
  const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

void expect_same(const StepProblem& a, const StepProblem& b) {
  ASSERT_EQ(a.M.blocks.size(), b.M.blocks.size());
  EXPECT_EQ(a.M.columns, b.M.columns);
  for (std::size_t i = 0; i < a.M.blocks.size(); ++i) {
    EXPECT_EQ(a.M.blocks[i].offset, b.M.blocks[i].offset);
    EXPECT_EQ(a.M.blocks[i].size, b.M.blocks[i].size);
    EXPECT_EQ(a.M.blocks[i].mass, b.M.blocks[i].mass);
    if (a.M.blocks[i].size == 3) continue;
    EXPECT_EQ(a.M.blocks[i].symmetric, b.M.blocks[i].symmetric);
    EXPECT_TRUE(same_bits(a.M.blocks[i].rotation, b.M.blocks[i].rotation));
  }
  EXPECT_TRUE(same_structure(a.G, b.G));
  EXPECT_TRUE(same_bits(a.G.values, b.G.values));
  EXPECT_TRUE(same_bits(a.p, b.p));
  EXPECT_TRUE(same_bits(a.b, b.b));
  EXPECT_TRUE(same_bits(a.Sigma, b.Sigma));
  ASSERT_EQ(a.laws.size(), b.laws.size());
  for (std::size_t i = 0; i < a.laws.size(); ++i) EXPECT_EQ(a.laws[i].index(), b.laws[i].index());
}

TEST(Dump, gives_back_the_same_bits) {
  const StepProblem problem = make_problem();
  const std::string text = dump_of(problem);
  const StepProblem loaded = load(text);
  expect_same(problem, loaded);
  EXPECT_EQ(std::get<Box>(loaded.laws[2]).lower, -1.5);
  EXPECT_EQ(std::get<Box>(loaded.laws[2]).upper, infinite);
  EXPECT_EQ(std::get<Disc>(loaded.laws[3]).radius, 0.1);
  EXPECT_EQ(std::get<Cone>(loaded.laws[4]).mu, 0.7);
  EXPECT_EQ(dump_of(loaded), text);
}

TEST(Dump, of_nothing_is_a_problem_too) { expect_same(StepProblem{}, load(dump_of({}))); }

TEST(Dump, of_a_real_step_has_the_same_solution) {
  const Scene scene =
      read_scene(std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / "scenes" / "slider_crank.json");
  Workspace work(scene.model);
  State state = scene.model.initial_state();
  ASSERT_TRUE(step(scene.stepper, scene.model, state, work).ok());
  const StepProblem loaded = load(dump_of(work.problem));
  expect_same(work.problem, loaded);
  SolverWorkspace solver;
  StepSolution solution;
  ASSERT_TRUE(solve(Direct{}, loaded, solver, solution).ok());
  EXPECT_TRUE(same_bits(solution.u, work.solution.u));
}

TEST(Dump, blanks_and_line_ends_mean_nothing) {
  std::string text = dump_of(make_problem());
  for (std::size_t i = 0; (i = text.find('\n', i)) != text.npos; i += 4)
    text.replace(i, 1, " \r\n\t");
  expect_same(make_problem(), load(text + "\n\n"));
}

TEST(Dump, cut_off_anywhere_is_refused) {
  const std::string text = dump_of(make_problem());
  // At every line, and inside of the last number of every line.
  for (std::size_t end = 0; end != text.npos && end < text.size() - 1;
       end = text.find('\n', end + 1)) {
    EXPECT_THAT(problem_with(text.substr(0, end)), StartsWith("line ")) << text.substr(0, end);
  }
  EXPECT_EQ(problem_with(text.substr(0, text.size() - 1)), "");  // only the last line break
}

// Every word replaced by others: what cannot stand there is refused with its line, and whatever can
// gives a problem that is well formed.
TEST(Dump, with_other_words_is_refused_or_well_formed) {
  const std::string text = dump_of(make_problem());
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(" \n", begin)) != text.npos) {
    const std::size_t end = text.find_first_of(" \n", begin);
    const auto replaced = [&](const std::string& word) {
      return text.substr(0, begin) + word + text.substr(end);
    };
    EXPECT_THAT(problem_with(replaced("x")), StartsWith("line ")) << begin;
    EXPECT_THAT(problem_with(replaced("nan")), StartsWith("line ")) << begin;
    EXPECT_THAT(problem_with(replaced("")), StartsWith("line ")) << begin;
    EXPECT_THAT(problem_with(replaced("1e999")), StartsWith("line ")) << begin;
    for (const char* word : {"-1", "0", "3", "99999999", "99999999999999999999", "inf", "cone"}) {
      try {
        const StepProblem problem = load(replaced(word));
        EXPECT_EQ(problem.p.size(), problem.columns());
        EXPECT_EQ(problem.b.size(), problem.rows());
      } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), StartsWith("line "));
      }
    }
    begin = end;
  }
}

TEST(Dump, that_lies_about_its_size_takes_no_memory) {
  EXPECT_EQ(problem_with("ligament-step-problem 1\nbodies 30000000\nbody 3 mass 1 p 0 0 0\n"),
            "line 4: the file ends too early; expected \"body\"");
  EXPECT_THAT(problem_with("ligament-step-problem 1\nbodies 2000000000\n"),
              HasSubstr("their number"));
  EXPECT_THAT(problem_with(std::string(1 << 20, 'x')), HasSubstr("longer than"));
}

TEST(Dump, errors_say_what_was_expected) {
  const std::string head = "ligament-step-problem 1\nbodies 1\nbody 3 mass 1 p 0 0 0\nblocks 1\n";
  const auto problem = [&](const std::string& rest) { return problem_with(head + rest); };
  const std::string entry = "sigma 0\nb 0\nentry 0 1 2 3\nend\n";
  ASSERT_EQ(problem("block 1 equality entries 1\n" + entry), "");
  EXPECT_EQ(problem_with("ligament-step-problem 2\n"),
            "line 1: this is version 2 of the format; only 1 is known");
  EXPECT_EQ(problem_with("{}"), "line 1: expected \"ligament-step-problem\", found \"{}\"");
  EXPECT_EQ(problem("block 7 equality entries 1\n" + entry),
            "line 5: expected the number of rows, 1 … 6, found \"7\"");
  EXPECT_THAT(problem("block 1 equal entries 1\n" + entry),
              HasSubstr("a law: equality, unilateral"));
  EXPECT_THAT(problem("block 1 box 2 1 entries 1\n" + entry), HasSubstr("ordered"));
  EXPECT_THAT(problem("block 1 disc -1 entries 1\n" + entry), HasSubstr("radius must be ≥ 0"));
  EXPECT_THAT(problem("block 1 cone inf entries 1\n" + entry), HasSubstr("mu must be finite"));
  EXPECT_THAT(problem("block 1 equality entries 1\nsigma -1\n"), HasSubstr("sigma must be ≥ 0"));
  EXPECT_EQ(problem("block 1 equality entries 1\nsigma 0\nb 0\nentry 1 1 2 3\nend\n"),
            "line 8: expected a body, 0 … 0, found \"1\"");
  EXPECT_EQ(problem("block 1 equality entries 1\nsigma 0\nb 0\nentry 0 1 2 3 4\nend\n"),
            "line 8: expected the end of the line, found \"4\"");
  EXPECT_THAT(problem("block 1 equality entries 1\n" + entry + "more"), HasSubstr("nothing after"));
  EXPECT_THAT(problem_with("ligament-step-problem 1\nbodies 1\nbody 3 mass 0 p 0 0 0\n"),
              HasSubstr("mass must be > 0"));
  EXPECT_THAT(problem_with("ligament-step-problem 1\nbodies 1\nbody 4 mass 1 p 0 0 0\n"),
              HasSubstr("3 or 6"));
}

TEST(Dump, body_twice_in_a_block_is_refused) {
  EXPECT_EQ(
      problem_with("ligament-step-problem 1\nbodies 2\nbody 3 mass 1 p 0 0 0\n"
                   "body 3 mass 1 p 0 0 0\nblocks 1\nblock 1 equality entries 2\nsigma 0\nb 0\n"
                   "entry 1 1 2 3\nentry 1 1 2 3\nend\n"),
      "line 10: body 1 is already in this block");
}

}  // namespace
}  // namespace ligament
