// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/bounds_tree.h"

#include <bit>
#include <cmath>

namespace ligament {
namespace {

constexpr int curve_bits = 18;  // along each axis

// The bits of x, two zeros between each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

// Sizes within a factor of four are of one class.
std::uint64_t size_class(const Bounds& bounds, double largest) {
  const double size = (bounds.high - bounds.low).maxCoeff();
  if (!(size > 0.0) || !(largest > 0.0)) return 0;
  const int octaves = std::ilogb(largest) - std::ilogb(size);
  return static_cast<std::uint64_t>(std::clamp(31 - octaves / 2, 0, 31));
}

}  // namespace

void BoundsTree::sort(std::span<const Bounds> items) {
  Bounds all;
  double largest = 0.0;
  for (const Bounds& item : items) {
    if (item.is_empty()) continue;
    const Vec3 centre = item.centre();
    all.include({centre, centre});
    largest = std::max(largest, (item.high - item.low).maxCoeff());
  }
  const double extent = std::max((all.high - all.low).maxCoeff(), 1e-300);
  const double scale = (1 << curve_bits) / extent * (1.0 - 1e-12);
  keys_.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_empty()) {
      keys_[i] = {0, static_cast<int>(i)};
      continue;
    }
    const Vec3 cell = (items[i].centre() - all.low) * scale;
    const auto along = [&](int k) { return spread(static_cast<std::uint64_t>(cell(k))); };
    keys_[i] = {
        size_class(items[i], largest) << 3 * curve_bits | along(0) << 2 | along(1) << 1 | along(2),
        static_cast<int>(i)};
  }
  // By 12 bits at a time, from the lowest; equal keys stay in the order of the items.
  spare_.resize(items.size());
  constexpr int digit = 12, bits = 3 * curve_bits + 5;
  std::array<std::uint32_t, (1 << digit) + 1> first;
  for (int shift = 0; shift < bits; shift += digit) {
    const auto digit_of = [&](const Key& key) { return (key.code >> shift) & ((1 << digit) - 1); };
    first.fill(0);
    for (const Key& key : keys_) ++first[digit_of(key) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    for (const Key& key : keys_) spare_[first[digit_of(key)]++] = key;
    keys_.swap(spare_);
  }
}

Bounds BoundsTree::compute_leaf(int rank) const {
  Bounds bounds;
  for (int i = 4 * rank; i < std::min(4 * rank + 4, size()); ++i)
    bounds.include(sorted_[static_cast<std::size_t>(i)]);
  return bounds;
}

void BoundsTree::build(std::span<const Bounds> items) {
  sort(items);
  order_.resize(items.size());
  place_.resize(items.size());
  sorted_.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto item = static_cast<std::size_t>(keys_[i].item);
    order_[i] = keys_[i].item;
    place_[item] = static_cast<int>(i);
    sorted_[i] = items[item];
  }
  leaves_ = static_cast<int>((items.size() + 3) / 4);
  if (leaves_ == 0) return;
  deepest_ = static_cast<int>(std::bit_ceil(static_cast<unsigned>(leaves_))) - 1;
  nodes_.resize(static_cast<std::size_t>(2 * leaves_ - 1));
  for (int rank = 0; rank < leaves_; ++rank)
    nodes_[static_cast<std::size_t>(node_of(rank))] = compute_leaf(rank);
  for (int node = leaves_ - 2; node >= 0; --node) {
    Bounds& bounds = nodes_[static_cast<std::size_t>(node)];
    bounds = nodes_[static_cast<std::size_t>(2 * node + 1)];
    bounds.include(nodes_[static_cast<std::size_t>(2 * node + 2)]);
  }
}

void BoundsTree::update(int item, const Bounds& bounds) {
  const int place = place_[static_cast<std::size_t>(item)];
  sorted_[static_cast<std::size_t>(place)] = bounds;
  int node = node_of(place / 4);
  nodes_[static_cast<std::size_t>(node)] = compute_leaf(place / 4);
  while (node > 0) {
    node = (node - 1) / 2;
    Bounds& parent = nodes_[static_cast<std::size_t>(node)];
    parent = nodes_[static_cast<std::size_t>(2 * node + 1)];
    parent.include(nodes_[static_cast<std::size_t>(2 * node + 2)]);
  }
}

}  // namespace ligament
