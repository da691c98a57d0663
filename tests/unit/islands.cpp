// SPDX-License-Identifier: Apache-2.0
// Islands: a step problem taken apart has the same solution as the whole, on any number of threads.
#include "ligament/solvers/islands/islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ligament/solvers/solver.h"
#include "support/random.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

// Several random problems side by side, their bodies and rows shuffled among each other.
StepProblem make_archipelago(int parts, const ProblemShape& shape, Random& random) {
  std::vector<StepProblem> islands;
  for (int i = 0; i < parts; ++i) islands.push_back(make_random_problem(shape, random));
  StepProblem whole;
  std::vector<std::vector<int>> place(islands.size());
  for (int body = 0; body < shape.bodies; ++body)
    for (std::size_t i = 0; i < islands.size(); ++i) {
      const BodyBlock& from = islands[i].M.blocks[static_cast<std::size_t>(body)];
      place[i].push_back(whole.M.add_block(from.size));
      const int offset = whole.M.blocks.back().offset;
      whole.M.blocks.back() = from;
      whole.M.blocks.back().offset = offset;
    }
  for (int block = 0; block < shape.row_blocks; ++block)
    for (std::size_t i = 0; i < islands.size(); ++i) {
      const RowBlock& from = islands[i].G.blocks[static_cast<std::size_t>(block)];
      whole.G.add_block(from.rows, {}, whole.M);
      for (const BlockEntry& entry : islands[i].G.entries_of(from)) {
        double* values =
            whole.G.extend_last_block(place[i][static_cast<std::size_t>(entry.body)], whole.M);
        std::copy_n(islands[i].G.entry_values(entry), from.rows * entry.columns, values);
      }
    }
  whole.G.columns = whole.M.columns;
  resize_to_structure(whole);
  for (double& value : whole.p) value = random.uniform();
  for (double& value : whole.b) value = random.uniform();
  for (double& value : whole.Sigma) value = random.scale(0.1, 1.0);
  for (Law& law : whole.laws)
    if (random.index(2) == 0) law = Unilateral{};
  return whole;
}

// The bodies that rows tie to each one, by following rows until nothing is added.
std::vector<int> find_components(const StepProblem& problem) {
  std::vector<int> label(problem.M.blocks.size());
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<int>(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (const RowBlock& block : problem.G.blocks)
      for (const BlockEntry& one : problem.G.entries_of(block))
        for (const BlockEntry& other : problem.G.entries_of(block)) {
          int& a = label[static_cast<std::size_t>(one.body)];
          const int b = label[static_cast<std::size_t>(other.body)];
          if (b < a) a = b, changed = true;
        }
  }
  return label;
}

TEST(Islands, are_the_connected_parts) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem problem = make_archipelago(
        4, {.bodies = 2 + random.index(9), .row_blocks = 1 + random.index(8)}, random);
    const std::vector<int> label = find_components(problem);
    islands::Islands islands;
    islands.find(problem, islands::Small::apart);
    std::vector<char> seen(problem.M.blocks.size(), 0);
    std::size_t blocks = 0;
    for (int i = 0; i < islands.count(); ++i) {
      for (const int body : islands.bodies(i)) {
        EXPECT_EQ(label[static_cast<std::size_t>(body)],
                  label[static_cast<std::size_t>(islands.bodies(i).front())]);
        EXPECT_EQ(seen[static_cast<std::size_t>(body)]++, 0);
      }
      for (const int block : islands.blocks(i))
        for (const BlockEntry& entry :
             problem.G.entries_of(problem.G.blocks[static_cast<std::size_t>(block)]))
          EXPECT_TRUE(std::ranges::binary_search(islands.bodies(i), entry.body));
      blocks += islands.blocks(i).size();
    }
    EXPECT_EQ(blocks, problem.G.blocks.size());
    // Bodies that are in no island have no rows.
    for (const BlockEntry& entry : problem.G.entries)
      EXPECT_EQ(seen[static_cast<std::size_t>(entry.body)], 1);
  }
}

// The laws are bounds, so that BlockPivot solves the whole: both are exact, to rounding times the
// condition of the problem, which Σ ≥ 0.1 keeps below 1e3.
TEST(Islands, have_the_solution_of_the_whole_on_any_number_of_threads) {
  Random random(4);
  for (int trial = 0; trial < 5; ++trial) {
    const StepProblem problem =
        make_archipelago(12, {.bodies = 12, .row_blocks = 16, .least_sigma = 0.1}, random);
    SolverWorkspace whole, one, two;
    StepSolution expected, solution, again;
    ASSERT_EQ(solve(BlockPivot{}, problem, whole, expected).status, SolveStatus::solved);
    const SolveReport report = solve(Automatic{}, problem, one, solution);
    ASSERT_EQ(report.status, SolveStatus::solved);
    int solved = 0;
    for (const int count : report.chosen) solved += count;
    EXPECT_GT(solved, 1);
    EXPECT_LT((solution.u - expected.u).lpNorm<Eigen::Infinity>(), 1e-9);
    EXPECT_LT((solution.lambda - expected.lambda).lpNorm<Eigen::Infinity>(), 1e-9);
    ASSERT_TRUE(solve(Automatic{.threads = 2}, problem, two, again).ok());
    EXPECT_EQ(solution.u, again.u);
    EXPECT_EQ(solution.lambda, again.lambda);
  }
}

}  // namespace
}  // namespace ligament
