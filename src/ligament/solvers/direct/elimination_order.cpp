// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/elimination_order.h"

#include <camd.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <utility>

namespace ligament::direct {
namespace {

struct Edge {
  int from, to;
};

// The lists of all `to` by `from`, sorted, each once.
Lists make_lists(std::size_t count, const Scratch<Edge>& edges) {
  const Allocator memory = edges.get_allocator();
  Scratch<int> at(count + 1, 0, memory);
  for (const Edge& edge : edges) ++at[static_cast<std::size_t>(edge.from) + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  Scratch<int> items(edges.size(), memory);
  Scratch<int> next(at, memory);
  for (const Edge& edge : edges)
    items[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.from)]++)] = edge.to;
  Lists lists(memory);
  lists.starts.reserve(count + 1);
  lists.items.reserve(items.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = items.begin() + at[i], end = items.begin() + at[i + 1];
    std::sort(begin, end);
    lists.items.insert(lists.items.end(), begin, std::unique(begin, end));
    lists.starts.push_back(static_cast<int>(lists.items.size()));
  }
  return lists;
}

// The nodes that are row blocks, body by body.
Lists find_blocks_of_bodies(const BlockDiagonal& M, const BlockRows& G,
                            const EliminationOrder& nodes) {
  Scratch<Edge> edges(nodes.memory());
  for (std::size_t i = 0; i < nodes.blocks.size(); ++i)
    for (const BlockEntry& entry :
         G.entries_of(G.blocks[static_cast<std::size_t>(nodes.blocks[i])]))
      edges.push_back({entry.body, static_cast<int>(i)});
  return make_lists(M.blocks.size(), edges);
}

int count_rows(std::span<const int> blocks, const BlockRows& G, const EliminationOrder& nodes,
               const Scratch<char>& counted) {
  int rows = 0;
  for (const int i : blocks)
    if (counted[static_cast<std::size_t>(i)])
      rows += G.blocks[static_cast<std::size_t>(nodes.blocks[static_cast<std::size_t>(i)])].rows;
  return rows;
}

void add_hub(int body, EliminationOrder& nodes) {
  nodes.node_of_hub[static_cast<std::size_t>(body)] =
      static_cast<int>(nodes.blocks.size() + nodes.hubs.size());
  nodes.hubs.push_back(body);
}

// Peels the bodies in rounds and returns the rank of every node: round r takes the bodies that few
// of the rows left touch (or, if there are none, those that the fewest do), then the rows that
// touch them.
Scratch<int> peel(const BlockRows& G, const Lists& blocks_of_body, EliminationOrder& nodes) {
  const Allocator memory = nodes.memory();
  const std::size_t bodies = blocks_of_body.size();
  Scratch<char> body_left(bodies, 1, memory), block_left(nodes.blocks.size(), 1, memory);
  Scratch<int> rank(nodes.blocks.size(), 0, memory);
  Scratch<int> body_rank(bodies, 0, memory), rows(bodies, 0, memory);
  std::size_t bodies_left = bodies;
  for (int round = 0; bodies_left > 0; ++round) {
    int fewest = round == 0 ? 0 : INT_MAX;
    for (std::size_t i = 0; i < bodies; ++i) {
      if (!body_left[i]) continue;
      rows[i] = count_rows(blocks_of_body[i], G, nodes, block_left);
      fewest = std::min(fewest, rows[i]);
    }
    fewest = std::max(fewest, most_rows_of_a_plain_body);
    for (std::size_t i = 0; i < bodies; ++i) {
      if (!body_left[i] || rows[i] > fewest) continue;
      body_left[i] = 0;
      --bodies_left;
      body_rank[i] = 2 * round;
      for (const int block : blocks_of_body[i]) {
        if (!block_left[static_cast<std::size_t>(block)]) continue;
        block_left[static_cast<std::size_t>(block)] = 0;
        rank[static_cast<std::size_t>(block)] = 2 * round + 1;
      }
    }
  }
  for (std::size_t i = 0; i < bodies; ++i) {
    if (body_rank[i] == 0) continue;
    add_hub(static_cast<int>(i), nodes);
    rank.push_back(body_rank[i]);
  }
  return rank;
}

// With ties: every body that is tied, and every one with many rows.
void find_tied_hubs(const BlockRows& G, const Condensation& condensation,
                    const Lists& blocks_of_body, EliminationOrder& nodes) {
  Scratch<char> tied(blocks_of_body.size(), 0, nodes.memory());
  for (const Tie& tie : condensation.ties)
    tied[static_cast<std::size_t>(tie.a)] = tied[static_cast<std::size_t>(tie.b)] = 1;
  const Scratch<char> all(nodes.blocks.size(), 1, nodes.memory());
  for (std::size_t i = 0; i < tied.size(); ++i)
    if (tied[i] || count_rows(blocks_of_body[i], G, nodes, all) > most_rows_of_a_plain_body)
      add_hub(static_cast<int>(i), nodes);
}

Lists find_neighbours(const Condensation& condensation, const Lists& blocks_of_body,
                      const EliminationOrder& nodes) {
  Scratch<Edge> edges(nodes.memory());
  const auto tie = [&](int i, int j) {
    edges.push_back({i, j});
    edges.push_back({j, i});
  };
  for (std::size_t body = 0; body < blocks_of_body.size(); ++body) {
    const std::span<const int> blocks = blocks_of_body[body];
    const int hub = nodes.node_of_hub[body];
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (hub >= 0) {
        tie(blocks[i], hub);
        continue;
      }
      for (std::size_t j = 0; j < i; ++j) tie(blocks[i], blocks[j]);
    }
  }
  for (const Tie& pair : condensation.ties)
    if (pair.a != pair.b)
      tie(nodes.node_of_hub[static_cast<std::size_t>(pair.a)],
          nodes.node_of_hub[static_cast<std::size_t>(pair.b)]);
  return make_lists(nodes.blocks.size() + nodes.hubs.size(), edges);
}

// Minimum degree under the ranks, if there are any. Returns the nodes in the order of elimination.
Scratch<int> order_by_degree(const Lists& neighbours, Scratch<int> rank) {
  const Allocator memory = neighbours.starts.get_allocator();
  const std::size_t n = neighbours.size();
  if (n == 0) return Scratch<int>(memory);
  // CAMD wants constraints numbered without gaps.
  Scratch<int> used(rank, memory);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (int& c : rank) c = static_cast<int>(std::ranges::lower_bound(used, c) - used.begin());
  // camd_2 and not camd_order: neighbours are as it wants them, and it works in our memory. It
  // destroys the lists, and asks for room behind them.
  const std::size_t edges = neighbours.items.size(), room = edges + edges / 5 + 2 * n;
  if (room > INT_MAX) throw PlanTooLarge();
  Scratch<int> lists(neighbours.items, memory);
  lists.resize(room);
  Scratch<int> starts(neighbours.starts.begin(), neighbours.starts.end() - 1, memory);
  Scratch<int> length(n, memory);
  for (std::size_t i = 0; i < n; ++i) length[i] = static_cast<int>(neighbours[i].size());
  const auto make_work = [&] { return Scratch<int>(n + 1, 0, memory); };
  Scratch<int> Nv = make_work(), next = make_work(), order = make_work(), head = make_work(),
               element = make_work(), degree = make_work(), W = make_work(), bucket = make_work();
  double control[CAMD_CONTROL], info[CAMD_INFO] = {};
  camd_defaults(control);
  camd_2(static_cast<int>(n), starts.data(), lists.data(), length.data(), static_cast<int>(room),
         static_cast<int>(edges), Nv.data(), next.data(), order.data(), head.data(), element.data(),
         degree.data(), W.data(), control, info, rank.empty() ? nullptr : rank.data(),
         bucket.data());
  order.resize(n);
  return order;
}

// Nodes that are ordered as one, hubs first.
class Groups {
 public:
  Groups(const BlockDiagonal& M, const EliminationOrder& nodes)
      : leader_(nodes.blocks.size() + nodes.hubs.size(), nodes.memory()),
        room_(leader_.size(), 0, nodes.memory()),
        hubs_(leader_.size(), 0, nodes.memory()) {
    std::iota(leader_.begin(), leader_.end(), 0);
    for (std::size_t i = 0; i < nodes.hubs.size(); ++i) {
      room_[nodes.blocks.size() + i] = M.blocks[static_cast<std::size_t>(nodes.hubs[i])].size;
      hubs_[nodes.blocks.size() + i] = 1;
    }
  }
  int find(int i) {
    while (leader_[at(i)] != i) i = leader_[at(i)] = leader_[at(leader_[at(i)])];
    return i;
  }
  void unite(int i, int j) {
    const int from = std::max(find(i), find(j)), to = std::min(find(i), find(j));
    if (from == to) return;
    leader_[at(from)] = to;
    room_[at(to)] += room_[at(from)];
    hubs_[at(to)] += hubs_[at(from)];
  }
  // Degrees of freedom that no row of the group has taken yet.
  int room(int i) { return room_[at(find(i))]; }
  int hubs(int i) { return hubs_[at(find(i))]; }
  void take(int i, int rows) { room_[at(find(i))] -= rows; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Scratch<int> leader_, room_, hubs_;
};

// Each row block that touches hubs only joins the group of the hub with the most room. Where no one
// has enough, the last joint of a loop, say, the groups of all its hubs become one, so that it
// comes after all of them; unless they are large already.
void join_groups(const BlockRows& G, EliminationOrder& nodes, Groups& groups) {
  constexpr int most_hubs = 8;  // of a group: larger ones would make chains dense
  for (std::size_t i = 0; i < nodes.blocks.size(); ++i) {
    const RowBlock& block = G.blocks[static_cast<std::size_t>(nodes.blocks[i])];
    int best = -1;
    bool free = false;  // whether a body was eliminated before: the block may come at any time
    const auto entries = G.entries_of(block);
    for (const BlockEntry& entry : entries) {
      const int hub = nodes.node_of_hub[static_cast<std::size_t>(entry.body)];
      free = free || hub < 0;
      if (hub >= 0 && (best < 0 || groups.room(hub) > groups.room(best))) best = hub;
    }
    if (free || best < 0) continue;
    for (const BlockEntry& entry : entries) {
      const int hub = nodes.node_of_hub[static_cast<std::size_t>(entry.body)];
      if (groups.find(hub) == groups.find(best)) continue;
      if (groups.room(best) >= block.rows || groups.hubs(hub) + groups.hubs(best) > most_hubs)
        continue;
      groups.unite(hub, best);
    }
    groups.unite(static_cast<int>(i), best);
    groups.take(best, block.rows);
  }
}

// Minimum degree over the groups.
Scratch<int> order_groups(const BlockDiagonal& M, const BlockRows& G, EliminationOrder& nodes) {
  const Allocator memory = nodes.memory();
  Groups groups(M, nodes);
  join_groups(G, nodes, groups);
  const std::size_t count = nodes.neighbours.size();
  Scratch<int> number(count, -1, memory), group(count, memory);
  int group_count = 0;
  Scratch<Edge> members(memory), edges(memory);
  for (std::size_t k = 0; k < count; ++k) {  // hubs before row blocks
    const std::size_t i = (k + nodes.blocks.size()) % count;
    int& leader = number[static_cast<std::size_t>(groups.find(static_cast<int>(i)))];
    if (leader < 0) leader = group_count++;
    group[i] = leader;
    members.push_back({leader, static_cast<int>(k)});
  }
  for (std::size_t i = 0; i < count; ++i)
    for (const int j : nodes.neighbours[i])
      if (group[i] != group[static_cast<std::size_t>(j)])
        edges.push_back({group[i], group[static_cast<std::size_t>(j)]});
  const auto n = static_cast<std::size_t>(group_count);
  const Lists lists = make_lists(n, members);
  Scratch<int> order(memory);
  for (const int g : order_by_degree(make_lists(n, edges), Scratch<int>(memory)))
    for (const int k : lists[static_cast<std::size_t>(g)])
      order.push_back(
          static_cast<int>((static_cast<std::size_t>(k) + nodes.blocks.size()) % count));
  return order;
}

}  // namespace

EliminationOrder find_order(const BlockDiagonal& M, const BlockRows& G,
                            const Condensation& condensation, const Allocator& memory) {
  EliminationOrder nodes(memory);
  for (std::size_t i = 0; i < G.blocks.size(); ++i)
    if (!condensation.is_condensed(i)) nodes.blocks.push_back(static_cast<int>(i));
  nodes.node_of_hub.assign(M.blocks.size(), -1);
  const Lists blocks_of_body = find_blocks_of_bodies(M, G, nodes);
  Scratch<int> rank(memory);
  if (condensation.ties.empty())
    rank = peel(G, blocks_of_body, nodes);
  else
    find_tied_hubs(G, condensation, blocks_of_body, nodes);
  nodes.neighbours = find_neighbours(condensation, blocks_of_body, nodes);
  nodes.order = condensation.ties.empty() ? order_by_degree(nodes.neighbours, std::move(rank))
                                          : order_groups(M, G, nodes);
  nodes.place.resize(nodes.order.size());
  for (std::size_t k = 0; k < nodes.order.size(); ++k)
    nodes.place[static_cast<std::size_t>(nodes.order[k])] = static_cast<int>(k);
  return nodes;
}

}  // namespace ligament::direct
