// SPDX-License-Identifier: Apache-2.0
// The parts of a step problem that no row ties to each other. Each is a problem of its own: what
// happens in one does not touch the others, and they can be solved at the same time.
#pragma once

#include <span>
#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::islands {

// What becomes of small islands that follow each other: problems of a handful of bodies cost more
// to set up than to solve.
enum class Small : unsigned char { together, apart };

// Bodies and row blocks of each island, in their order in the problem; islands in the order of
// their first bodies. Bodies without rows are in none.
class Islands {
 public:
  void find(const StepProblem& problem, Small small = Small::together);

  int count() const { return count_; }
  int island_of(int body) const { return island_of_body_[static_cast<std::size_t>(body)]; }
  std::span<const int> bodies(int island) const { return part(bodies_, first_body_, island); }
  std::span<const int> blocks(int island) const { return part(blocks_, first_block_, island); }

 private:
  static std::span<const int> part(const std::vector<int>& all, const std::vector<int>& first,
                                   int island);
  int find_root(int body);
  void number_islands(Small small);
  void sort_by_island(const StepProblem& problem);

  std::vector<int> parent_;          // union–find over the bodies
  std::vector<int> size_;            // bodies of the tree below a root
  std::vector<int> island_of_root_;  // −1: not numbered yet
  std::vector<char> tied_;           // whether a row touches the body
  std::vector<int> island_of_body_;  // −1: none
  std::vector<int> bodies_, blocks_, first_body_, first_block_;
  int count_ = 0;
};

// The problem of some bodies and of the row blocks that touch no others, with the impulses of the
// whole as its first guess. `place_of_body` has an entry for each body of the whole, and gets the
// places in the part of those that are in it.
void extract(const StepProblem& whole, const VecX& lambda, std::span<const int> bodies,
             std::span<const int> blocks, std::span<int> place_of_body, StepProblem& part,
             StepSolution& guess);

// Writes the solution of a part into that of the whole.
void insert(const StepProblem& whole, std::span<const int> bodies, std::span<const int> blocks,
            const StepProblem& part, const StepSolution& from, StepSolution& to);

}  // namespace ligament::islands
