// SPDX-License-Identifier: Apache-2.0
// The gap is the largest separation over all directions, in random and in awkward poses.
#include "collision/found.h"
#include "collision/random_pairs.h"

#include "ligament/collision/manifold.h"

namespace ligament {
namespace {

// All over the size of the pair, but for the length of n.
struct Errors {
  Worst consistency;  // |gap − s(n)|, above what rounding must do
  Worst better;       // s of a sampled direction above the gap
  Worst length;       // | |n| − 1 |
  Worst line;         // |y − x − (gap + r_A + r_B) n|
  Worst outside;      // x outside the core of A, y outside B's
  Worst swapped;      // the gap of (B, A) against that of (A, B)
  Worst turned;       // s of its normal, turned around, below the gap
  Worst unlike;       // its normal, turned around, against that of (A, B), where it is unique
};

// Apart, n is the direction of y − x. Each of its coordinates is a sum of terms of the size L of
// the pair, rounded some five times by 1.1e-16 L: 1e-15 L in length, and as much from the pose that
// the test gives. n turns by that over the distance of the cores, and takes L times as much off
// s(n).
// Nearer than 1e-10 L the normal comes from the surfaces instead.
double rounding_of_normal(double core_distance, double size) {
  return core_distance > 0.0 ? 2e-15 / std::max(core_distance / size, 1e-10) : 0.0;
}

void look_at(const Pair& pair, const Found& found, Errors& errors) {
  const auto& [a, b] = pair;
  const double size = size_of(a, b), core_distance = found.gap + a.radius + b.radius;
  const double turning = rounding_of_normal(core_distance, size);
  const double s = separation_along(a, b, found.n);
  errors.consistency.look(std::abs(found.gap - s) / size - turning, pair);
  errors.length.look(std::abs(found.n.norm() - 1.0), pair);
  errors.line.look((found.y - found.x - core_distance * found.n).norm() / size, pair);
  errors.outside.look(distance_outside(a, found.x) / size, pair);
  errors.outside.look(distance_outside(b, found.y) / size, pair);
}

// The same pair the other way round.
void look_back(const Pair& pair, const Found& found, Errors& errors) {
  const auto& [a, b] = pair;
  const double size = size_of(a, b), core_distance = found.gap + a.radius + b.radius;
  const double turning = rounding_of_normal(core_distance, size);
  Found back;
  find_found(b, a, 1e9, back);
  errors.swapped.look(std::abs(back.gap - found.gap) / size, pair);
  errors.turned.look((found.gap - separation_along(a, b, -back.n)) / size - turning, pair);
  if (core_distance > 0.01 * size) errors.unlike.look((found.n + back.n).norm(), pair);
}

void sample(const Pair& pair, double gap, std::span<const Vec3> directions, Errors& errors) {
  const Convex &a = pair.a, &b = pair.b;
  double most = -1e300;
  const auto look = [&](const Vec3& n) { most = std::max(most, separation_along(a, b, n)); };
  for (const Vec3& n : directions) look(n);
  for_special_directions(a, b, look);
  errors.better.look((most - gap) / size_of(a, b), pair);
}

// Uphill from the best few of all directions and from the special ones.
double search_all(const Convex& a, const Convex& b, std::span<const Vec3> directions) {
  std::vector<std::pair<double, Vec3>> starts;
  const auto add = [&](const Vec3& n) { starts.push_back({separation_along(a, b, n), n}); };
  for (const Vec3& n : directions) add(n);
  for_special_directions(a, b, add);
  const std::size_t few = 6;
  std::partial_sort(starts.begin(), starts.begin() + few, starts.end(),
                    [](const auto& one, const auto& other) { return one.first > other.first; });
  double most = starts[0].first;
  for (std::size_t i = 0; i < few; ++i)
    most = std::max(most, climb_separation(a, b, starts[i].second, 0.1));
  return most;
}

// All over the size.
struct Tolerances {
  double gap, normal, points;
};

// Faces win over edges of the same separation to 1e-11 of the size, so that what touches with faces
// says so: by that much a gap may be below the best, and no more.
constexpr Tolerances exact{.gap = 2e-11, .normal = 2e-11, .points = 1e-6};

// Nearly parallel and nearly touching at once: the gap must be right to 1e-9 all the same. But
// faces tilted by 1e-8 meet at a point that is known to 1e-16/1e-8 of their size over the sine of
// what crosses there.
constexpr Tolerances awkward{.gap = 1e-9, .normal = 2e-9, .points = 1e-4};

void report(const Errors& errors, const Tolerances& tolerances) {
  expect_below(1e-14, errors.length, "length of n");
  expect_below(0.5 * tolerances.normal, errors.consistency, "gap against s(n)");
  expect_below(tolerances.gap, errors.better, "better direction");
  expect_below(1e-9, errors.line, "y - x along n");
  expect_below(tolerances.points, errors.outside, "points outside");
  expect_below(tolerances.gap, errors.swapped, "gap of the swapped pair");
  expect_below(tolerances.normal, errors.turned, "normal of the swapped pair");
  // The distance grows by θ²/2 · 0.01 of the size as n turns by θ off its best.
  expect_below(std::sqrt(200.0 * tolerances.gap), errors.unlike, "normal turned around");
}

// Pairs that are left to GJK and EPA: on a hull and a cylinder EPA ends at 1e-7.
constexpr Tolerances searched{.gap = 1e-6, .normal = 1e-6, .points = 1e-6};
constexpr Tolerances searched_awkward{.gap = 1e-6, .normal = 1e-6, .points = awkward.points};

class PairOf : public ::testing::TestWithParam<std::array<Core, 2>> {};

// Poses of the styles in turn.
void check_many(std::array<Core, 2> cores, std::span<const Style> styles, std::size_t count,
                const Tolerances& tolerances, Random random) {
  const std::vector<Vec3> directions = spread_directions(40);
  Errors errors;
  for (std::size_t i = 0; i < count; ++i) {
    const Pair pair = random_pair(cores[0], cores[1], styles[i % styles.size()], random);
    Found found;
    find_found(pair.a, pair.b, 1e9, found);
    look_at(pair, found, errors);
    if (i % 8 == 0) look_back(pair, found, errors);
    sample(pair, found.gap, directions, errors);
  }
  report(errors, tolerances);
}

TEST_P(PairOf, primitives_in_general_poses_has_the_largest_separation_as_gap) {
  const Style styles[] = {Style::general};
  check_many(GetParam(), styles, 50000, exact, Random(101));
}

constexpr Style special_styles[] = {
    Style::quarter_turns, Style::eighth_turns,     Style::tilt_of_1e_6,   Style::tilt_of_1e_3,
    Style::one_centre,    Style::parallel_centred, Style::one_to_thousand};

TEST_P(PairOf, primitives_in_special_poses_has_the_largest_separation_as_gap) {
  check_many(GetParam(), special_styles, 50000, awkward, Random(104));
}

// s has two tips beside each other where caps are nearly parallel, and few poses are the worst.
TEST(Gap, of_caps_that_tilt_a_little_is_the_largest_separation) {
  const Style styles[] = {Style::tilt_of_1e_3};
  for (const Core other : {Core::box, Core::cylinder})
    check_many({other, Core::cylinder}, styles, 100000, awkward, Random(107));
}

// Searched for as well as we can, in fewer poses.
void search_better(std::array<Core, 2> cores, double tolerance) {
  Random random(102);
  const std::vector<Vec3> directions = spread_directions(400);
  Worst better;
  for (int i = 0; i < 480; ++i) {
    const Pair pair = random_pair(cores[0], cores[1], static_cast<Style>(i % style_count), random);
    Found found;
    find_found(pair.a, pair.b, 1e9, found);
    const double most = search_all(pair.a, pair.b, directions);
    better.look((most - found.gap) / size_of(pair.a, pair.b), pair);
  }
  expect_below(tolerance, better, "better direction");
}

TEST_P(PairOf, primitives_has_no_better_direction_anywhere) {
  search_better(GetParam(), awkward.gap);
}

INSTANTIATE_TEST_SUITE_P(Gap, PairOf, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

class HullAnd : public ::testing::TestWithParam<std::array<Core, 2>> {};

TEST_P(HullAnd, another_body_in_general_poses_has_the_largest_separation_as_gap) {
  const Style styles[] = {Style::general};
  check_many(GetParam(), styles, 50000, searched, Random(103));
}

TEST_P(HullAnd, another_body_in_special_poses_has_the_largest_separation_as_gap) {
  check_many(GetParam(), special_styles, 50000, searched_awkward, Random(106));
}

TEST_P(HullAnd, another_body_has_no_better_direction_anywhere) {
  search_better(GetParam(), searched.gap);
}

INSTANTIATE_TEST_SUITE_P(Gap, HullAnd, ::testing::ValuesIn(hull_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

// A plane against every body: the least gap is n·p − offset − reach, 10^5 poses each. The lowest
// corner of a hull need not be on the face that is most nearly level.
class OnPlane : public ::testing::TestWithParam<Core> {};

TEST_P(OnPlane, the_least_gap_is_the_height_of_the_lowest_point) {
  Random random(105);
  Worst off;
  for (int i = 0; i < 100000; ++i) {
    const Style style = static_cast<Style>(i % style_count);
    const Pair pair = random_pair(GetParam(), Core::box, style, random);
    const Vec3 n = pair.b.R.col(i % 3);
    const double offset = random.uniform(-1.0, 1.0);
    Manifold manifold;
    build_manifold_on_plane(n, offset, pair.a, 1e9, manifold);
    ASSERT_GE(manifold.count, 1);
    double least = 1e300;
    for (int k = 0; k < manifold.count; ++k)
      least = std::min(least, manifold.points[static_cast<std::size_t>(k)].gap);
    const double lowest = n.dot(pair.a.p) - reach_along(pair.a, pair.a.R.transpose() * -n);
    off.look(std::abs(least - (lowest - offset)) / reach_of(pair.a), pair);
  }
  // Four of many points are chosen to 1e-10 of the size; a cap is level below a tilt of 1e-9.
  expect_below(1e-9, off, "least gap on a plane");
}

INSTANTIATE_TEST_SUITE_P(Gap, OnPlane,
                         ::testing::Values(Core::point, Core::segment, Core::box, Core::cylinder,
                                           Core::hull),
                         [](const auto& at) { return name_of(at.param); });

}  // namespace
}  // namespace ligament
