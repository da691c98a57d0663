// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/elimination_plan.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <tuple>

namespace ligament::direct {
namespace {

// Counts the numbers in the factor and gives up before they fill the machine (2²⁸ of them are 2
// GiB).
class Budget {
 public:
  void spend(std::int64_t numbers) {
    spent_ += numbers;
    if (spent_ > (std::int64_t{1} << 28)) throw PlanTooLarge();
  }

 private:
  std::int64_t spent_ = 0;
};

// Structure of the factor by columns, in places of the order: list k are the places of the blocks
// under pivot k. A column inherits the structure of the columns whose first block below is its own.
Lists find_fill(const EliminationOrder& nodes) {
  const std::size_t n = nodes.order.size();
  Lists below(nodes.memory());
  Scratch<int> seen(n, -1, nodes.memory());
  // The columns that each one inherits from.
  Scratch<int> child(n, -1, nodes.memory()), sibling(n, -1, nodes.memory());
  Budget budget;
  for (std::size_t k = 0; k < n; ++k) {
    const auto column = static_cast<int>(k);
    const auto add = [&](int i) {
      if (i <= column || seen[static_cast<std::size_t>(i)] == column) return;
      seen[static_cast<std::size_t>(i)] = column;
      below.items.push_back(i);
    };
    for (const int neighbour : nodes.neighbours[static_cast<std::size_t>(nodes.order[k])])
      add(nodes.place[static_cast<std::size_t>(neighbour)]);
    for (int c = child[k]; c >= 0; c = sibling[static_cast<std::size_t>(c)])
      for (int i = below.starts[static_cast<std::size_t>(c)];
           i < below.starts[static_cast<std::size_t>(c) + 1]; ++i)
        add(below.items[static_cast<std::size_t>(i)]);
    const auto begin = below.items.begin() + below.starts.back();
    std::sort(begin, below.items.end());
    budget.spend(9 * (below.items.end() - begin) + 9);
    if (begin != below.items.end()) {
      const auto parent = static_cast<std::size_t>(*begin);
      sibling[k] = child[parent];
      child[parent] = column;
    }
    below.starts.push_back(static_cast<int>(below.items.size()));
  }
  return below;
}

void add_nodes(const BlockDiagonal& M, const BlockRows& G, const EliminationOrder& nodes,
               EliminationPlan& plan) {
  const Lists below = find_fill(nodes);
  plan.nodes.reserve(nodes.order.size());
  for (const int i : nodes.order) {
    const auto at = static_cast<std::size_t>(i);
    const bool hub = at >= nodes.blocks.size();
    const int source = hub ? nodes.hubs[at - nodes.blocks.size()] : nodes.blocks[at];
    const int size = hub ? M.blocks[static_cast<std::size_t>(source)].size
                         : G.blocks[static_cast<std::size_t>(source)].rows;
    plan.nodes.push_back({.size = size, .source = source, .hub = hub, .first = plan.reduced_size});
    plan.reduced_size += size;
  }
  Budget budget;
  plan.belows.reserve(below.items.size());
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    Node& node = plan.nodes[k];
    budget.spend(36 * static_cast<std::int64_t>(below[k].size() + 1));
    node.diagonal = plan.values;
    plan.values += node.size * node.size;
    node.below = static_cast<int>(plan.belows.size());
    node.below_count = static_cast<int>(below[k].size());
    for (const int i : below[k]) {
      const int size = plan.nodes[static_cast<std::size_t>(i)].size;
      plan.belows.push_back({.node = i, .values = plan.values});
      plan.values += size * node.size;
      node.uniform = node.uniform && size == node.size;
    }
    const int first_below = node.diagonal + node.size * node.size;
    plan.widest_column = std::max(plan.widest_column, plan.values - first_below);
  }
}

// Offset of the block in row i and column k of the factor, i ≥ k, which must be there.
int find_block(const EliminationPlan& plan, int i, int k) {
  const Node& column = plan.nodes[static_cast<std::size_t>(k)];
  if (i == k) return column.diagonal;
  const auto begin = plan.belows.begin() + column.below;
  const auto found = std::lower_bound(begin, begin + column.below_count, i,
                                      [](const Below& block, int row) { return block.node < row; });
  assert(found != begin + column.below_count && found->node == i);
  return found->values;
}

// Where A_ij of [DI.2] is for all pairs i ≥ j of blocks below each pivot: column j has them all, in
// the same order, with others between.
void add_update_targets(EliminationPlan& plan) {
  std::size_t pairs = 0;
  for (const Node& node : plan.nodes)
    pairs += static_cast<std::size_t>(node.below_count) *
             static_cast<std::size_t>(node.below_count + 1) / 2;
  plan.targets.resize(pairs);
  int* target = plan.targets.data();
  for (Node& node : plan.nodes) {
    node.targets = static_cast<int>(target - plan.targets.data());
    const Below* below = plan.belows.data() + node.below;
    int rows = 0;
    for (int j = 0; j < node.below_count; ++j) {
      const Node& column = plan.nodes[static_cast<std::size_t>(below[j].node)];
      rows += column.size;
      *target++ = column.diagonal;
      const Below* in_column = plan.belows.data() + column.below;
      for (int i = j + 1; i < node.below_count; ++i, ++in_column) {
        while (in_column->node != below[i].node) ++in_column;
        *target++ = in_column->values;
      }
    }
    plan.work +=
        node.size * (node.size * node.size / 3.0 + rows * (rows + 1) / 2.0 + rows * node.size);
  }
}

struct PlacedTouch {
  int body, node;
  Touch touch;
};

// Entries of G on hubs go into the matrix as they are. Returns the others, body by body in the
// order of elimination.
Scratch<PlacedTouch> add_hub_entries(const BlockRows& G, const EliminationOrder& nodes,
                                     EliminationPlan& plan) {
  Scratch<PlacedTouch> touching(nodes.memory());
  for (std::size_t i = 0; i < nodes.blocks.size(); ++i) {
    const RowBlock& block = G.blocks[static_cast<std::size_t>(nodes.blocks[i])];
    const int node = nodes.place[i];
    for (const BlockEntry& entry : G.entries_of(block)) {
      const int hub = plan.node_of_hub[static_cast<std::size_t>(entry.body)];
      if (hub < 0) {
        touching.push_back({entry.body, node, {.entry_values = entry.values, .rows = block.rows}});
        continue;
      }
      plan.hub_entries.push_back(
          {.entry_values = entry.values,
           .rows = block.rows,
           .columns = entry.columns,
           .values = find_block(plan, std::max(hub, node), std::min(hub, node)),
           .transposed = hub > node});
    }
  }
  std::ranges::sort(touching, {}, [](const PlacedTouch& x) {
    return std::tuple(x.body, x.node, x.touch.entry_values);
  });
  return touching;
}

// The bodies that are eliminated first: their touches, and where G_i M⁻¹ G_jᵀ goes.
void add_bodies(const BlockDiagonal& M, const Scratch<PlacedTouch>& touching,
                EliminationPlan& plan) {
  for (std::size_t first = 0, end = 0; first < touching.size(); first = end) {
    const int body = touching[first].body;
    while (end < touching.size() && touching[end].body == body) ++end;
    plan.bodies.push_back({.body = body,
                           .touch = static_cast<int>(plan.touches.size()),
                           .touch_count = static_cast<int>(end - first),
                           .targets = static_cast<int>(plan.pair_targets.size())});
    for (std::size_t j = first; j < end; ++j) {
      plan.touches.push_back(touching[j].touch);
      plan.bodies.back().uniform &= touching[j].touch.rows == touching[first].touch.rows;
      for (std::size_t i = j; i < end; ++i) {
        plan.pair_targets.push_back(find_block(plan, touching[i].node, touching[j].node));
        plan.work += M.blocks[static_cast<std::size_t>(body)].size * touching[i].touch.rows *
                     touching[j].touch.rows;
      }
    }
  }
}

void add_ties(const Condensation& condensation, EliminationPlan& plan) {
  plan.tie_starts.assign(plan.node_of_hub.size() + 1, 0);
  plan.ties.reserve(condensation.ties.size());
  for (const Tie& tie : condensation.ties) {
    const int a = plan.node_of_hub[static_cast<std::size_t>(tie.a)];
    const int b = plan.node_of_hub[static_cast<std::size_t>(tie.b)];
    plan.ties.push_back({.other = tie.b,
                         .values = find_block(plan, std::max(a, b), std::min(a, b)),
                         .transposed = b < a});
    ++plan.tie_starts[static_cast<std::size_t>(tie.a) + 1];
  }
  for (std::size_t i = 1; i < plan.tie_starts.size(); ++i)
    plan.tie_starts[i] += plan.tie_starts[i - 1];
}

void remember(const BlockDiagonal& M, const BlockRows& G, const EliminationOrder& nodes,
              EliminationPlan& plan) {
  for (const int block : nodes.blocks) {
    const RowBlock& rows = G.blocks[static_cast<std::size_t>(block)];
    plan.blocks.push_back({block, rows});
    const auto entries = G.entries_of(rows);
    plan.entries.insert(plan.entries.end(), entries.begin(), entries.end());
  }
  for (const BodyBlock& body : M.blocks) plan.body_sizes.push_back(body.size);
}

// Empties the plan and keeps its memory.
void clear(EliminationPlan& plan) {
  plan.nodes.clear();
  plan.belows.clear();
  plan.targets.clear();
  plan.bodies.clear();
  plan.touches.clear();
  plan.pair_targets.clear();
  plan.hub_entries.clear();
  plan.ties.clear();
  plan.blocks.clear();
  plan.entries.clear();
  plan.body_sizes.clear();
  plan.reduced_size = plan.values = plan.widest_column = 0;
  plan.work = 0.0;
  plan.scratch.reset();
}

bool same(const BlockEntry& x, const BlockEntry& y) {
  return x.body == y.body && x.column == y.column && x.columns == y.columns && x.values == y.values;
}

}  // namespace

void build_plan(const BlockDiagonal& M, const BlockRows& G, const Condensation& condensation,
                EliminationPlan& plan) {
  clear(plan);
  const EliminationOrder nodes = find_order(M, G, condensation, &plan.scratch);
  plan.node_of_hub.assign(M.blocks.size(), -1);
  for (const int hub : nodes.hubs) {
    const int node = nodes.node_of_hub[static_cast<std::size_t>(hub)];
    plan.node_of_hub[static_cast<std::size_t>(hub)] = nodes.place[static_cast<std::size_t>(node)];
  }
  add_nodes(M, G, nodes, plan);
  add_update_targets(plan);
  add_bodies(M, add_hub_entries(G, nodes, plan), plan);
  add_ties(condensation, plan);
  remember(M, G, nodes, plan);
}

bool fits(const EliminationPlan& plan, const BlockDiagonal& M, const BlockRows& G,
          const Condensation& condensation) {
  const auto same_size = [](const BodyBlock& body, int size) { return body.size == size; };
  if (!std::ranges::equal(M.blocks, plan.body_sizes, same_size)) return false;
  std::size_t next = 0, next_entry = 0;
  for (std::size_t i = 0; i < G.blocks.size(); ++i) {
    if (condensation.is_condensed(i)) continue;
    if (next == plan.blocks.size()) return false;
    const EliminationPlan::PlannedBlock& planned = plan.blocks[next++];
    const RowBlock& block = G.blocks[i];
    if (planned.block != static_cast<int>(i) || planned.rows.rows != block.rows ||
        planned.rows.first_row != block.first_row || planned.rows.entries != block.entries)
      return false;
    for (const BlockEntry& entry : G.entries_of(block))
      if (!same(entry, plan.entries[next_entry++])) return false;
  }
  return next == plan.blocks.size();
}

const TieTarget* find_tie(const EliminationPlan& plan, int a, int b) {
  const TieTarget* begin = plan.ties.data() + plan.tie_starts[static_cast<std::size_t>(a)];
  const TieTarget* end = plan.ties.data() + plan.tie_starts[static_cast<std::size_t>(a) + 1];
  const TieTarget* found = std::lower_bound(
      begin, end, b, [](const TieTarget& tie, int body) { return tie.other < body; });
  return found != end && found->other == b ? found : nullptr;
}

}  // namespace ligament::direct
