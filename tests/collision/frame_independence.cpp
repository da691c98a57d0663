// SPDX-License-Identifier: Apache-2.0
// A pair that is turned and moved as a whole has the same gap, normal and points.
#include "collision/found.h"
#include "collision/random_pairs.h"

namespace ligament {
namespace {

class Frames : public ::testing::TestWithParam<std::array<Core, 2>> {};

Convex place(const Convex& body, const Vec3& p, const Mat3& R) {
  Convex result = body;
  result.p = p + R * body.p;
  result.R = R * body.R;
  return result;
}

struct Change {
  Worst gap, normal, points;
};

// Differences of gap, normal and points, each seen from the frame that the pair was given in.
void compare(const Pair& pair, const Vec3& p, const Mat3& R, Change& change) {
  const Pair placed{place(pair.a, p, R), place(pair.b, p, R)};
  Found here, there;
  find_found(pair.a, pair.b, 1e9, here);
  find_found(placed.a, placed.b, 1e9, there);
  change.gap.look(std::abs(here.gap - there.gap), pair);
  const double core_distance = here.gap + pair.a.radius + pair.b.radius;
  if (core_distance < 0.05 * size_of(pair.a, pair.b)) return;
  change.normal.look((here.n - R.transpose() * there.n).norm(), pair);
  change.points.look((here.x - R.transpose() * (there.x - p)).norm(), pair);
  change.points.look((here.y - R.transpose() * (there.y - p)).norm(), pair);
}

// Each coordinate of a position of 1e4 m is rounded by 1e-12 m, and so is each of a support point;
// the gap follows them one to one: ten such roundings. Special poses too.
TEST_P(Frames, far_away_have_the_same_gap) {
  const auto [core_a, core_b] = GetParam();
  Random random(301);
  Change near, far;
  for (int i = 0; i < 4000; ++i) {
    const Pair pair = random_pair(core_a, core_b, static_cast<Style>(i % style_count), random);
    const Mat3 R = random.rotation().toRotationMatrix();
    compare(pair, Vec3::Zero(), R, near);
    compare(pair, 1e4 * random.direction(), R, far);
  }
  // Gaps are right to 1e-9, sizes up to 4 m.
  expect_below(4e-9, near.gap, "gap, turned");
  expect_below(4e-9, far.gap, "gap, moved by 1e4 m");
}

// Apart by 5% of the size, n turns by the rounding over the distance: 1e-12/0.05 = 2e-11 at 1e4 m
// and 1e-14 near by. The points then slide by at most that over the curvature or the angle between
// the cores that holds them in place: of 4000 random pairs some are parallel to 2e-3, where it
// becomes 1e-8.
TEST_P(Frames, far_away_have_the_same_normal_and_points) {
  const auto [core_a, core_b] = GetParam();
  Random random(302);
  Change near, far;
  for (int i = 0; i < 4000; ++i) {
    const Pair pair = random_pair(core_a, core_b, Style::general, random);
    const Mat3 R = random.rotation().toRotationMatrix();
    compare(pair, Vec3::Zero(), R, near);
    compare(pair, 1e4 * random.direction(), R, far);
  }
  expect_below(1e-12, near.normal, "normal, turned");
  expect_below(1e-11, near.points, "points, turned");
  expect_below(1e-10, far.normal, "normal, moved by 1e4 m");
  expect_below(1e-8, far.points, "points, moved by 1e4 m");
}

INSTANTIATE_TEST_SUITE_P(Other, Frames, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });
INSTANTIATE_TEST_SUITE_P(OfHulls, Frames, ::testing::ValuesIn(hull_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

}  // namespace
}  // namespace ligament
