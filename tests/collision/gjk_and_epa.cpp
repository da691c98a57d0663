// SPDX-License-Identifier: Apache-2.0
// The two searches for themselves: GJK between cores that are apart [CO.2], EPA between cores that
// overlap [CO.4], against the gap of the pair, which other tests prove.
#include "collision/found.h"
#include "collision/random_pairs.h"
#include "ligament/collision/epa.h"
#include "ligament/collision/gjk.h"

namespace ligament {
namespace {

class Search : public ::testing::TestWithParam<std::array<Core, 2>> {};
class EpaOf : public ::testing::TestWithParam<std::array<Core, 2>> {};

double core_gap(const Pair& pair) {
  Found found;
  find_found(pair.a, pair.b, 1e9, found);
  return found.gap + pair.a.radius + pair.b.radius;
}

// Where some direction separates the cores by more than rounding, they do not overlap; where none
// does, they are not apart. In between, within 1e-7 of the size, a round body may be either.
TEST_P(Search, by_gjk_tells_apart_from_overlapping) {
  const auto [core_a, core_b] = GetParam();
  Random random(701);
  Worst false_overlap, false_apart;
  for (int i = 0; i < 10000; ++i) {
    const Style style = i % 2 == 0 ? Style::general : static_cast<Style>(i / 2 % style_count);
    const Pair pair = random_pair(core_a, core_b, style, random);
    const double gap = core_gap(pair) / size_of(pair.a, pair.b);
    const Nearest nearest = find_nearest(pair.a, pair.b);
    if (nearest.overlap)
      false_overlap.look(gap, pair);
    else
      false_apart.look(-gap, pair);
  }
  expect_below(1e-7, false_overlap, "said to overlap at a distance of");
  expect_below(1e-7, false_apart, "said to be apart at a depth of");
}

// On flat bodies to a few roundings; on round ones the bounds stop coming closer at some 1e-8.
TEST_P(Search, by_gjk_finds_the_distance_and_points_on_the_cores) {
  const auto [core_a, core_b] = GetParam();
  const bool round = core_a == Core::cylinder || core_b == Core::cylinder;
  Random random(702);
  Worst distance, outside, line;
  for (int i = 0; i < 10000; ++i) {
    const Pair pair = random_pair(core_a, core_b, Style::general, random);
    const Nearest nearest = find_nearest(pair.a, pair.b);
    if (nearest.overlap) continue;
    const double size = size_of(pair.a, pair.b), gap = core_gap(pair);
    distance.look(std::abs(nearest.distance - gap) / size, pair);
    outside.look(distance_outside(pair.a, nearest.a) / size, pair);
    outside.look(distance_outside(pair.b, nearest.b) / size, pair);
    line.look(std::abs((nearest.b - nearest.a).norm() - nearest.distance) / size, pair);
  }
  expect_below(round ? 1e-7 : 1e-14, distance, "distance");
  expect_below(1e-14, outside, "points outside");
  expect_below(1e-14, line, "distance of the points");
}

// Near the axis of a cylinder a point has a ring of ways out that are as short, and the polytope
// fills up before it finds the best: points have closed forms instead.
TEST_P(EpaOf, finds_the_depth) {
  const auto [core_a, core_b] = GetParam();
  const bool round = core_b == Core::cylinder;
  Random random(703);
  Worst depth, consistency;
  for (int i = 0; i < 5000; ++i) {
    const Pair pair = random_pair(core_a, core_b, Style::general, random);
    const double size = size_of(pair.a, pair.b), gap = core_gap(pair);
    if (gap > -0.01 * size) continue;
    const Depth found = find_depth(pair.a, pair.b);
    depth.look(std::abs(found.gap - gap) / size, pair);
    consistency.look(std::abs(compute_separation(pair.a, pair.b, found.n) - found.gap) / size,
                     pair);
  }
  expect_below(round ? 1e-6 : 1e-13, depth, "depth");
  expect_below(1e-14, consistency, "depth along n");
}

INSTANTIATE_TEST_SUITE_P(Of, EpaOf,
                         ::testing::Values(std::array{Core::segment, Core::box},
                                           std::array{Core::segment, Core::cylinder},
                                           std::array{Core::box, Core::box},
                                           std::array{Core::box, Core::cylinder},
                                           std::array{Core::cylinder, Core::cylinder}),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });
INSTANTIATE_TEST_SUITE_P(Of, Search, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

}  // namespace
}  // namespace ligament
