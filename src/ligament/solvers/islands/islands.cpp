// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/islands/islands.h"

#include <algorithm>

namespace ligament::islands {
namespace {

// Islands of fewer bodies than this are put together, up to as many.
constexpr int few = 32;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A row of the whole as a row of the part. Rows of a contact are in one island.
int find_row(const StepProblem& whole, std::span<const int> blocks, const BlockRows& part,
             int row) {
  const auto after = std::ranges::upper_bound(
      blocks, row, {}, [&](int block) { return whole.G.blocks[at(block)].first_row; });
  const auto i = static_cast<std::size_t>(after - blocks.begin()) - 1;
  return part.blocks[i].first_row + row - whole.G.blocks[at(blocks[i])].first_row;
}

}  // namespace

std::span<const int> Islands::part(const std::vector<int>& all, const std::vector<int>& first,
                                   int island) {
  const auto begin = at(first[at(island)]), end = at(first[at(island) + 1]);
  return std::span(all).subspan(begin, end - begin);
}

int Islands::find_root(int body) {
  while (parent_[at(body)] != body) {
    parent_[at(body)] = parent_[at(parent_[at(body)])];
    body = parent_[at(body)];
  }
  return body;
}

void Islands::find(const StepProblem& problem, Small small) {
  const std::size_t bodies = problem.M.blocks.size();
  parent_.resize(bodies);
  for (std::size_t i = 0; i < bodies; ++i) parent_[i] = static_cast<int>(i);
  size_.assign(bodies, 1);
  tied_.assign(bodies, 0);
  for (const RowBlock& block : problem.G.blocks) {
    const auto entries = problem.G.entries_of(block);
    for (const BlockEntry& entry : entries) tied_[at(entry.body)] = 1;
    for (std::size_t k = 1; k < entries.size(); ++k) {
      int one = find_root(entries[0].body), other = find_root(entries[k].body);
      if (one == other) continue;
      if (one > other) std::swap(one, other);  // the root is the first body
      parent_[at(other)] = one;
      size_[at(one)] += size_[at(other)];
    }
  }
  number_islands(small);
  sort_by_island(problem);
}

void Islands::number_islands(Small small) {
  const std::size_t bodies = parent_.size();
  island_of_root_.assign(bodies, -1);
  island_of_body_.assign(bodies, -1);
  count_ = 0;
  int open = -1, in_open = 0;  // the group of small islands that is being filled
  for (std::size_t i = 0; i < bodies; ++i) {
    if (!tied_[i]) continue;
    const auto root = at(find_root(static_cast<int>(i)));
    if (island_of_root_[root] < 0) {
      const bool is_small = small == Small::together && size_[root] < few;
      if (!is_small) {
        island_of_root_[root] = count_++;
      } else {
        if (open < 0 || in_open + size_[root] > few) {
          open = count_++;
          in_open = 0;
        }
        in_open += size_[root];
        island_of_root_[root] = open;
      }
    }
    island_of_body_[i] = island_of_root_[root];
  }
}

// A counting sort of bodies and blocks.
void Islands::sort_by_island(const StepProblem& problem) {
  const std::size_t bodies = parent_.size();
  first_body_.assign(at(count_) + 1, 0);
  first_block_.assign(at(count_) + 1, 0);
  const auto island_of_block = [&](const RowBlock& block) {
    return island_of_body_[at(problem.G.entries_of(block)[0].body)];
  };
  int tied = 0, live = 0;
  for (const int island : island_of_body_)
    if (island >= 0) ++first_body_[at(island) + 1], ++tied;
  for (const RowBlock& block : problem.G.blocks)
    if (block.entries > 0) ++first_block_[at(island_of_block(block)) + 1], ++live;
  for (std::size_t i = 0; i < at(count_); ++i) {
    first_body_[i + 1] += first_body_[i];
    first_block_[i + 1] += first_block_[i];
  }
  bodies_.resize(at(tied));
  blocks_.resize(at(live));
  for (std::size_t i = 0; i < bodies; ++i)
    if (island_of_body_[i] >= 0)
      bodies_[at(first_body_[at(island_of_body_[i])]++)] = static_cast<int>(i);
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i)
    if (problem.G.blocks[i].entries > 0)
      blocks_[at(first_block_[at(island_of_block(problem.G.blocks[i]))]++)] = static_cast<int>(i);
  // The counters have moved to the ends: move them back.
  for (std::size_t i = at(count_); i > 0; --i) {
    first_body_[i] = first_body_[i - 1];
    first_block_[i] = first_block_[i - 1];
  }
  first_body_[0] = first_block_[0] = 0;
}

void extract(const StepProblem& whole, const VecX& lambda, std::span<const int> bodies,
             std::span<const int> blocks, std::span<int> place_of_body, StepProblem& part,
             StepSolution& guess) {
  part.M.blocks.clear();
  part.M.columns = 0;
  for (const int body : bodies) {
    const BodyBlock& from = whole.M.blocks[at(body)];
    place_of_body[at(body)] = part.M.add_block(from.size);
    BodyBlock& to = part.M.blocks.back();
    const int offset = to.offset;
    to = from;
    to.offset = offset;
  }
  part.p.resize(part.M.columns);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyBlock& from = whole.M.blocks[at(bodies[i])];
    part.p.segment(part.M.blocks[i].offset, from.size) = whole.p.segment(from.offset, from.size);
  }
  part.G.truncate(0);
  part.G.columns = part.M.columns;
  part.laws.clear();
  for (const int block : blocks) {
    const RowBlock& from = whole.G.blocks[at(block)];
    part.G.add_block(from.rows, {}, part.M);
    for (const BlockEntry& entry : whole.G.entries_of(from)) {
      double* values = part.G.extend_last_block(place_of_body[at(entry.body)], part.M);
      std::copy_n(whole.G.entry_values(entry), from.rows * entry.columns, values);
    }
  }
  for (VecX* of_rows : {&part.Sigma, &part.b, &guess.lambda}) of_rows->resize(part.rows());
  const bool guessed = lambda.size() == whole.rows();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& from = whole.G.blocks[at(blocks[i])];
    const int to = part.G.blocks[i].first_row;
    part.Sigma.segment(to, from.rows) = whole.Sigma.segment(from.first_row, from.rows);
    part.b.segment(to, from.rows) = whole.b.segment(from.first_row, from.rows);
    if (guessed)
      guess.lambda.segment(to, from.rows) = lambda.segment(from.first_row, from.rows);
    else
      guess.lambda.segment(to, from.rows).setZero();
    Law law = whole.laws[at(blocks[i])];
    const int normal = normal_row_of(law);
    if (normal >= 0) {
      const int row = find_row(whole, blocks, part.G, normal);
      if (Box* box = std::get_if<Box>(&law)) box->normal = row;
      if (Disc* disc = std::get_if<Disc>(&law)) disc->normal = row;
    }
    part.laws.push_back(law);
  }
}

void insert(const StepProblem& whole, std::span<const int> bodies, std::span<const int> blocks,
            const StepProblem& part, const StepSolution& from, StepSolution& to) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyBlock& body = whole.M.blocks[at(bodies[i])];
    to.u.segment(body.offset, body.size) = from.u.segment(part.M.blocks[i].offset, body.size);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& block = whole.G.blocks[at(blocks[i])];
    to.lambda.segment(block.first_row, block.rows) =
        from.lambda.segment(part.G.blocks[i].first_row, block.rows);
  }
}

}  // namespace ligament::islands
