// SPDX-License-Identifier: Apache-2.0
// Which shapes are near each other.
//
// Each moving shape has a roomy box around its real one. The pairs of shapes whose roomy boxes
// overlap are kept until a shape leaves its roomy box; then this shape gets a new one and looks for
// neighbours anew, in a tree of the moving shapes and in a tree of the fixed ones. Fixed shapes
// cost nothing while nothing comes near them. A tree out of which many shapes have moved is built
// again.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ligament/collision/bounds_tree.h"

namespace ligament {

class BroadPhase {
 public:
  struct Pair {
    int owner, other;  // shapes: the owner moves, and has the smaller index if both do
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };
  // Whether two shapes may touch at all.
  using Filter = std::function<bool(int, int)>;

  // Shapes are 0 … n − 1: those in `moving` may move, `fixed` never do, and `endless` ones do not
  // either and are near everybody.
  BroadPhase(std::vector<int> moving, std::vector<int> fixed, std::vector<int> endless,
             Filter filter);

  // All pairs whose bounds overlap, and some more, sorted. `bounds` has one entry a shape; those of
  // fixed shapes are read at the first call only.
  std::span<const Pair> update(std::span<const Bounds> bounds, int threads);

  std::size_t rebuilds() const { return rebuilds_; }
  const BoundsTree& moving_tree() const { return moving_tree_; }
  const BoundsTree& fixed_tree() const { return fixed_tree_; }
  std::span<const int> moving() const { return moving_; }
  std::span<const int> fixed() const { return fixed_; }
  std::span<const int> endless() const { return endless_; }

 private:
  void rebuild(std::span<const Bounds> bounds, int threads);
  void renew(std::span<const Bounds> bounds);
  Bounds make_room(int i, const Bounds& bounds);
  template <class Add>
  void find_neighbours(int i, bool all, const Add& add) const;

  std::vector<int> moving_, fixed_, endless_;
  Filter filter_;
  BoundsTree moving_tree_, fixed_tree_;  // items: indices into moving_ and fixed_
  std::vector<Bounds> roomy_;            // of moving_
  std::vector<Vec3> centres_;            // when the box was made
  std::vector<long> made_;               // the call that it was made in
  std::vector<unsigned char> left_;      // by shape: whether it left its box
  std::vector<int> leavers_;             // indices into moving_
  std::vector<Pair> pairs_, spare_, added_;
  std::vector<std::vector<Pair>> chunks_;
  std::size_t left_since_build_ = 0, rebuilds_ = 0;
  long call_ = 0;
};

}  // namespace ligament
