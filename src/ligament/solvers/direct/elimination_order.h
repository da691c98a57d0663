// SPDX-License-Identifier: Apache-2.0
// Which bodies and row blocks are nodes of the matrix that Direct factors, and in which order they
// are eliminated.
//
// A body that touches few rows is eliminated before the nodes: its block of M is its pivot. A
// *hub*, a body with many rows or one that a condensed row block touches [DI.4], is a node of its
// own; so is every row block that is not condensed. The nodes are ordered by minimum degree (CAMD)
// under the constraint that a row block comes after at least one of its bodies, so that its pivot
// has that body's mobility in it and is no bare compliance:
//
// - Without condensed row blocks hubs are few, and are peeled in rounds: rows that touch an
//   eliminated body, then hubs that only few rows are left of, then their rows, and so on.
// - With them hubs are many, and tied to each other: rounds would eliminate all bodies before any
//   joint and leave joints that all depend on each other. Instead a row block between hubs is
//   ordered together with one of them, which goes first. (In a tree that is each body with the
//   joint that carries it: the order of articulated-body algorithms.)
#pragma once

#include <compare>
#include <memory_resource>
#include <span>
#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::direct {

// A body with more rows than this is a hub: a clique of them would cost more than the body's own
// node.
constexpr int most_rows_of_a_plain_body = 40;

// Two blocks of M, a ≤ b, that a condensed row block touches; a = b says that it touches this one.
struct Tie {
  int a = 0, b = 0;
  friend auto operator<=>(const Tie&, const Tie&) = default;
};

// The row blocks that are condensed into their bodies and what they tie.                 [DI.4]
struct Condensation {
  std::vector<char> condensed;  // row block of G → whether it is; empty: none is
  std::vector<Tie> ties;        // sorted, each once

  bool is_condensed(std::size_t block) const { return !condensed.empty() && condensed[block]; }
};

// The arrays of planning live as long as it takes; see math/arena.h.
template <class T>
using Scratch = std::pmr::vector<T>;
using Allocator = std::pmr::polymorphic_allocator<>;

// Many short lists in one array: list i is items[starts[i] … starts[i + 1]).
struct Lists {
  explicit Lists(const Allocator& memory) : starts(1, 0, memory), items(memory) {}

  Scratch<int> starts;
  Scratch<int> items;

  std::size_t size() const { return starts.size() - 1; }
  std::span<const int> operator[](std::size_t i) const {
    return {items.data() + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
  }
};

struct EliminationOrder {
  explicit EliminationOrder(const Allocator& memory)
      : blocks(memory),
        hubs(memory),
        node_of_hub(memory),
        neighbours(memory),
        order(memory),
        place(memory) {}
  Allocator memory() const { return blocks.get_allocator(); }

  Scratch<int> blocks;       // row blocks of G, the nodes 0 … B − 1
  Scratch<int> hubs;         // blocks of M, the nodes B …
  Scratch<int> node_of_hub;  // block of M → node, −1 if it is eliminated before the nodes
  Lists neighbours;          // of each node, sorted
  Scratch<int> order;        // nodes, first to last
  Scratch<int> place;        // node → place in the order
};

// The factor would not fit: a mechanism in which nearly everything is tied to everything.
struct PlanTooLarge {};

// Throws PlanTooLarge.
EliminationOrder find_order(const BlockDiagonal& M, const BlockRows& G,
                            const Condensation& condensation, const Allocator& memory);

}  // namespace ligament::direct
