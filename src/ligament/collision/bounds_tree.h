// SPDX-License-Identifier: Apache-2.0
// A tree of boxes over boxes: the shapes of a world, the triangles of a mesh.
//
// The items are sorted by size class and, within a class, along a space-filling curve (Morton's);
// the tree is then the complete binary tree over groups of four neighbours. Small and large items
// live in branches of their own, so that a planet among marbles disturbs nobody and nothing needs
// tuning.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ligament/collision/bounds.h"

namespace ligament {

class BoundsTree {
 public:
  // Allocates only if there are more items than ever before.
  void build(std::span<const Bounds> items);
  // The item has new bounds.
  void update(int item, const Bounds& bounds);

  int size() const { return static_cast<int>(order_.size()); }
  const Bounds& bounds(int item) const {
    return sorted_[static_cast<std::size_t>(place_[static_cast<std::size_t>(item)])];
  }

  // visit(item) for each item whose bounds overlap the given ones.
  template <class Visit>
  void for_each_overlap(const Bounds& query, const Visit& visit) const {
    for_each_in([&](const Bounds& bounds) { return overlaps(bounds, query); }, visit);
  }

  // visit(item) for each item in a branch that `enter(bounds)` lets in, itself included.
  template <class Enter, class Visit>
  void for_each_in(const Enter& enter, const Visit& visit) const {
    if (order_.empty()) return;
    std::array<int, 128> stack;
    int depth = 0;
    stack[0] = 0;
    while (depth >= 0) {
      const int node = stack[static_cast<std::size_t>(depth--)];
      if (!enter(nodes_[static_cast<std::size_t>(node)])) continue;
      if (node < leaves_ - 1) {
        stack[static_cast<std::size_t>(++depth)] = 2 * node + 2;
        stack[static_cast<std::size_t>(++depth)] = 2 * node + 1;
        continue;
      }
      const int first = 4 * rank_of(node), last = std::min(first + 4, size());
      for (int i = first; i < last; ++i)
        if (enter(sorted_[static_cast<std::size_t>(i)])) visit(order_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  // Leaves are nodes leaves_ − 1 … 2 leaves_ − 2. The ones on the deepest level come first from
  // left to right.
  int node_of(int rank) const {
    const int node = deepest_ + rank;
    return node > 2 * leaves_ - 2 ? node - leaves_ : node;
  }
  int rank_of(int node) const {
    return node >= deepest_ ? node - deepest_ : node + leaves_ - deepest_;
  }
  Bounds compute_leaf(int rank) const;
  void sort(std::span<const Bounds> items);

  int leaves_ = 0, deepest_ = 0;
  std::vector<Bounds> nodes_;
  std::vector<Bounds> sorted_;  // of the items, in tree order
  std::vector<int> order_;      // items in tree order
  std::vector<int> place_;      // where in the order an item is
  struct Key {
    std::uint64_t code;
    int item;
  };
  std::vector<Key> keys_, spare_;
};

}  // namespace ligament
