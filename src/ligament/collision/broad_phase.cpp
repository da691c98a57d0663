// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/broad_phase.h"

#include <algorithm>

#include "ligament/math/parallel.h"

namespace ligament {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

BroadPhase::BroadPhase(std::vector<int> moving, std::vector<int> fixed, std::vector<int> endless,
                       Filter filter)
    : moving_(std::move(moving)),
      fixed_(std::move(fixed)),
      endless_(std::move(endless)),
      filter_(std::move(filter)),
      roomy_(moving_.size()),
      centres_(moving_.size(), Vec3::Zero()),
      made_(moving_.size(), 0) {}

// Room for a tenth of the smallest side, and for the way of the next steps if it goes on as it did
// since it got its last box.
Bounds BroadPhase::make_room(int i, const Bounds& bounds) {
  constexpr double steps = 3.0;
  Bounds room = bounds;
  if (bounds.is_empty()) return room;
  room.low.array() -= 0.1 * (bounds.high - bounds.low).minCoeff();
  room.high.array() += 0.1 * (bounds.high - bounds.low).minCoeff();
  const Vec3 centre = bounds.centre();
  if (made_[at(i)] > 0) {
    const Vec3 way =
        (centre - centres_[at(i)]) * (steps / static_cast<double>(call_ - made_[at(i)]));
    room.low += way.cwiseMin(0.0);
    room.high += way.cwiseMax(0.0);
  }
  centres_[at(i)] = centre;
  made_[at(i)] = call_;
  return room;
}

// Pairs that moving shape i owns; all that it is part of, if asked.
template <class Add>
void BroadPhase::find_neighbours(int i, bool all, const Add& add) const {
  const int shape = moving_[at(i)];
  const Bounds& room = roomy_[at(i)];
  if (room.is_empty()) return;
  moving_tree_.for_each_overlap(room, [&](int j) {
    const int other = moving_[at(j)];
    if (other == shape || (!all && other < shape) || !filter_(shape, other)) return;
    add(Pair{std::min(shape, other), std::max(shape, other)});
  });
  fixed_tree_.for_each_overlap(room, [&](int j) {
    if (filter_(shape, fixed_[at(j)])) add(Pair{shape, fixed_[at(j)]});
  });
  for (const int other : endless_)
    if (filter_(shape, other)) add(Pair{shape, other});
}

void BroadPhase::rebuild(std::span<const Bounds> bounds, int threads) {
  ++rebuilds_;
  left_since_build_ = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i)
    roomy_[i] = make_room(static_cast<int>(i), bounds[at(moving_[i])]);
  moving_tree_.build(roomy_);
  constexpr std::size_t chunk_size = 256;
  const std::size_t chunks = chunks_of(moving_.size(), chunk_size);
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  for_each_chunk(threads, moving_.size(), chunk_size,
                 [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                   std::vector<Pair>& pairs = chunks_[chunk];
                   pairs.clear();
                   for (std::size_t i = begin; i < end; ++i) {
                     const auto first = static_cast<std::ptrdiff_t>(pairs.size());
                     find_neighbours(static_cast<int>(i), false,
                                     [&](const Pair& pair) { pairs.push_back(pair); });
                     std::sort(pairs.begin() + first, pairs.end());
                   }
                 });
  pairs_.clear();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    pairs_.insert(pairs_.end(), chunks_[chunk].begin(), chunks_[chunk].end());
}

void BroadPhase::renew(std::span<const Bounds> bounds) {
  for (const int i : leavers_) {
    const int shape = moving_[at(i)];
    left_[at(shape)] = 1;
    roomy_[at(i)] = make_room(i, bounds[at(shape)]);
    moving_tree_.update(i, roomy_[at(i)]);
  }
  added_.clear();
  for (const int i : leavers_)
    find_neighbours(i, true, [&](const Pair& pair) { added_.push_back(pair); });
  std::ranges::sort(added_);
  added_.erase(std::unique(added_.begin(), added_.end()), added_.end());
  // The pairs of those that stayed, and the new ones, in order.
  spare_.clear();
  auto next = added_.begin();
  for (const Pair& pair : pairs_) {
    if (left_[at(pair.owner)] || left_[at(pair.other)]) continue;
    while (next != added_.end() && *next < pair) spare_.push_back(*next++);
    spare_.push_back(pair);
  }
  spare_.insert(spare_.end(), next, added_.end());
  pairs_.swap(spare_);
  for (const int i : leavers_) left_[at(moving_[at(i)])] = 0;
}

std::span<const BroadPhase::Pair> BroadPhase::update(std::span<const Bounds> bounds, int threads) {
  ++call_;
  if (call_ == 1) {
    left_.assign(bounds.size(), 0);
    std::vector<Bounds> boxes;
    for (const int shape : fixed_) boxes.push_back(bounds[at(shape)]);
    fixed_tree_.build(boxes);
  }
  leavers_.clear();
  for (std::size_t i = 0; i < moving_.size(); ++i)
    if (!roomy_[i].contains(bounds[at(moving_[i])])) leavers_.push_back(static_cast<int>(i));
  left_since_build_ += leavers_.size();
  if (call_ == 1 || 3 * leavers_.size() > moving_.size() || left_since_build_ > 2 * moving_.size())
    rebuild(bounds, threads);
  else if (!leavers_.empty())
    renew(bounds);
  return pairs_;
}

}  // namespace ligament
