// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/elimination_plan.h"

#include <camd.h>

#include <algorithm>
#include <cassert>
#include <climits>
#include <cstdint>

namespace ligament::direct {
namespace {

using Adjacency = std::vector<std::vector<int>>;

// The graph whose nodes are ordered: row blocks first (0 … B−1), then hubs.
struct Graph {
  std::vector<std::vector<int>> blocks_of_body;  // row blocks that touch each block of M
  std::vector<int> hubs;                         // blocks of M
  std::vector<int> node_of_hub;                  // block of M → node, −1 if it is not a hub
  std::vector<int> rank;                         // constraint of each node's place in the order
  Adjacency neighbours;
};

std::vector<int> count_rows(const Graph& graph, const BlockRows& G,
                            const std::vector<char>& counted) {
  std::vector<int> rows(graph.blocks_of_body.size(), 0);
  for (std::size_t body = 0; body < rows.size(); ++body)
    for (const int block : graph.blocks_of_body[body])
      if (counted[static_cast<std::size_t>(block)])
        rows[body] += G.blocks[static_cast<std::size_t>(block)].rows;
  return rows;
}

// Peels the bodies in rounds and sets the rank of every node: round r takes the bodies that few of
// the rows left touch (or, if there are none, those that the fewest do), then the rows that touch
// them.
void rank_nodes(const BlockRows& G, Graph& graph) {
  const std::size_t body_count = graph.blocks_of_body.size();
  std::vector<char> body_left(body_count, 1), block_left(G.blocks.size(), 1);
  graph.rank.assign(G.blocks.size(), 0);
  std::vector<int> body_rank(body_count, 0);
  std::size_t bodies_left = body_count;
  for (int round = 0; bodies_left > 0; ++round) {
    const std::vector<int> rows = count_rows(graph, G, block_left);
    int fewest = most_rows_of_a_plain_body;
    if (round > 0) {
      fewest = INT_MAX;
      for (std::size_t i = 0; i < body_count; ++i)
        if (body_left[i]) fewest = std::min(fewest, rows[i]);
      fewest = std::max(fewest, most_rows_of_a_plain_body);
    }
    for (std::size_t i = 0; i < body_count; ++i) {
      if (!body_left[i] || rows[i] > fewest) continue;
      body_left[i] = 0;
      --bodies_left;
      body_rank[i] = 2 * round;
      for (const int block : graph.blocks_of_body[i]) {
        if (!block_left[static_cast<std::size_t>(block)]) continue;
        block_left[static_cast<std::size_t>(block)] = 0;
        graph.rank[static_cast<std::size_t>(block)] = 2 * round + 1;
      }
    }
  }
  graph.node_of_hub.assign(body_count, -1);
  for (std::size_t i = 0; i < body_count; ++i) {
    if (body_rank[i] == 0) continue;
    graph.node_of_hub[i] = static_cast<int>(G.blocks.size() + graph.hubs.size());
    graph.hubs.push_back(static_cast<int>(i));
    graph.rank.push_back(body_rank[i]);
  }
}

Graph make_graph(const BlockDiagonal& M, const BlockRows& G) {
  Graph graph;
  graph.blocks_of_body.resize(M.blocks.size());
  for (std::size_t i = 0; i < G.blocks.size(); ++i)
    for (const BlockEntry& entry : G.entries_of(G.blocks[i]))
      graph.blocks_of_body[static_cast<std::size_t>(entry.body)].push_back(static_cast<int>(i));
  rank_nodes(G, graph);

  graph.neighbours.resize(graph.rank.size());
  for (std::size_t body = 0; body < M.blocks.size(); ++body) {
    const std::vector<int>& blocks = graph.blocks_of_body[body];
    const int hub = graph.node_of_hub[body];
    for (const int i : blocks) {
      auto& list = graph.neighbours[static_cast<std::size_t>(i)];
      if (hub >= 0) {
        list.push_back(hub);
        graph.neighbours[static_cast<std::size_t>(hub)].push_back(i);
      } else {
        for (const int j : blocks)
          if (j != i) list.push_back(j);
      }
    }
  }
  for (auto& list : graph.neighbours) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return graph;
}

// Minimum degree under the ranks. Returns the nodes in the order of elimination.
std::vector<int> order_nodes(const Graph& graph) {
  const int n = static_cast<int>(graph.neighbours.size());
  std::vector<int> starts{0}, indices, constraint = graph.rank;
  for (const auto& list : graph.neighbours) {
    indices.insert(indices.end(), list.begin(), list.end());
    starts.push_back(static_cast<int>(indices.size()));
  }
  indices.push_back(0);  // CAMD takes no null pointer, even for no edges
  // CAMD wants constraints numbered without gaps.
  std::vector<int> used = constraint;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (int& c : constraint) c = static_cast<int>(std::ranges::lower_bound(used, c) - used.begin());
  std::vector<int> order(static_cast<std::size_t>(n));
  double control[CAMD_CONTROL], info[CAMD_INFO];
  camd_defaults(control);
  const int status = n == 0 ? CAMD_OK
                            : camd_order(n, starts.data(), indices.data(), order.data(), control,
                                         info, constraint.data());
  if (status != CAMD_OK) throw PlanTooLarge();
  return order;
}

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

// Structure of the factor by columns, in places of the order: below[k] are the places of the blocks
// under pivot k. A column inherits the structure of the columns whose first block below is its own.
Adjacency find_fill(const Graph& graph, const std::vector<int>& order,
                    const std::vector<int>& place) {
  const std::size_t n = order.size();
  Adjacency below(n);
  std::vector<std::vector<int>> children(n);
  std::vector<int> seen(n, -1);
  Budget budget;
  for (std::size_t k = 0; k < n; ++k) {
    seen[k] = static_cast<int>(k);
    const auto add = [&](int i) {
      if (i <= static_cast<int>(k) || seen[static_cast<std::size_t>(i)] == static_cast<int>(k))
        return;
      seen[static_cast<std::size_t>(i)] = static_cast<int>(k);
      below[k].push_back(i);
    };
    for (const int neighbour : graph.neighbours[static_cast<std::size_t>(order[k])])
      add(place[static_cast<std::size_t>(neighbour)]);
    for (const int child : children[k])
      for (const int i : below[static_cast<std::size_t>(child)]) add(i);
    std::ranges::sort(below[k]);
    budget.spend(9 * static_cast<std::int64_t>(below[k].size()) + 9);
    if (!below[k].empty())
      children[static_cast<std::size_t>(below[k].front())].push_back(static_cast<int>(k));
  }
  return below;
}

void add_nodes(const BlockDiagonal& M, const BlockRows& G, const Graph& graph,
               const std::vector<int>& order, const Adjacency& below, EliminationPlan& plan) {
  for (const int node : order) {
    const bool hub = node >= static_cast<int>(G.blocks.size());
    const int source = hub ? graph.hubs[static_cast<std::size_t>(node) - G.blocks.size()] : node;
    const auto at = static_cast<std::size_t>(source);
    const int size = hub ? M.blocks[at].size : G.blocks[at].rows;
    plan.nodes.push_back({.size = size, .source = source, .hub = hub, .first = plan.reduced_size});
    plan.reduced_size += size;
  }
  Budget budget;
  for (std::size_t k = 0; k < order.size(); ++k) {
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

void add_update_targets(EliminationPlan& plan) {
  for (Node& node : plan.nodes) {
    node.targets = static_cast<int>(plan.targets.size());
    const Below* below = plan.belows.data() + node.below;
    int rows = 0;
    for (int j = 0; j < node.below_count; ++j) {
      rows += plan.nodes[static_cast<std::size_t>(below[j].node)].size;
      for (int i = j; i < node.below_count; ++i)
        plan.targets.push_back(find_block(plan, below[i].node, below[j].node));
    }
    plan.work +=
        node.size * (node.size * node.size / 3.0 + rows * (rows + 1) / 2.0 + rows * node.size);
  }
}

// The bodies that are eliminated first: their touches, and where G_i M⁻¹ G_jᵀ goes.
void add_bodies(const BlockDiagonal& M, const BlockRows& G, const Graph& graph,
                const std::vector<int>& place, EliminationPlan& plan) {
  struct Place {
    int node;
    Touch touch;
  };
  std::vector<std::vector<Place>> touching(M.blocks.size());
  for (std::size_t i = 0; i < G.blocks.size(); ++i)
    for (const BlockEntry& entry : G.entries_of(G.blocks[i])) {
      const auto body = static_cast<std::size_t>(entry.body);
      const int node = plan.node_of_block[i];
      const int rows = G.blocks[i].rows;
      if (graph.node_of_hub[body] < 0) {
        touching[body].push_back({node, {.entry_values = entry.values, .rows = rows}});
        continue;
      }
      const int hub = place[static_cast<std::size_t>(graph.node_of_hub[body])];
      plan.hub_entries.push_back(
          {.entry_values = entry.values,
           .rows = rows,
           .columns = entry.columns,
           .values = find_block(plan, std::max(hub, node), std::min(hub, node)),
           .transposed = hub > node});
    }
  for (std::size_t body = 0; body < M.blocks.size(); ++body) {
    std::vector<Place>& list = touching[body];
    if (graph.node_of_hub[body] >= 0 || list.empty()) continue;
    std::ranges::sort(list, {}, &Place::node);
    plan.bodies.push_back({.body = static_cast<int>(body),
                           .touch = static_cast<int>(plan.touches.size()),
                           .touch_count = static_cast<int>(list.size()),
                           .targets = static_cast<int>(plan.pair_targets.size())});
    for (std::size_t j = 0; j < list.size(); ++j) {
      plan.touches.push_back(list[j].touch);
      plan.bodies.back().uniform &= list[j].touch.rows == list.front().touch.rows;
      for (std::size_t i = j; i < list.size(); ++i) {
        plan.pair_targets.push_back(find_block(plan, list[i].node, list[j].node));
        plan.work += M.blocks[body].size * list[i].touch.rows * list[j].touch.rows;
      }
    }
  }
}

}  // namespace

EliminationPlan make_plan(const BlockDiagonal& M, const BlockRows& G) {
  const Graph graph = make_graph(M, G);
  const std::vector<int> order = order_nodes(graph);
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);

  EliminationPlan plan;
  plan.node_of_block.assign(place.begin(), place.begin() + static_cast<int>(G.blocks.size()));
  plan.is_hub.assign(M.blocks.size(), 0);
  for (const int hub : graph.hubs) plan.is_hub[static_cast<std::size_t>(hub)] = 1;
  add_nodes(M, G, graph, order, find_fill(graph, order, place), plan);
  add_update_targets(plan);
  add_bodies(M, G, graph, place, plan);
  plan.structure = G;
  plan.structure.values.clear();
  return plan;
}

}  // namespace ligament::direct
