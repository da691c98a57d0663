// SPDX-License-Identifier: Apache-2.0
// Points of a manifold that stay the same while a body slides, spins and rocks: their features do,
// and they move no farther than the body does.
#include <map>

#include "collision/shapes.h"
#include "ligament/collision/manifold.h"

namespace ligament {
namespace {

constexpr double margin = 0.01;

enum class Ground { plane, large_box };

Manifold find_on_ground(Ground ground, const Convex& body) {
  Manifold manifold;
  if (ground == Ground::plane) {
    build_manifold_on_plane(Vec3::UnitZ(), 0.0, body, margin, manifold);
    return manifold;
  }
  const Convex block = make_box({10, 10, 1}, {0, 0, -1});
  Separation nearest;
  if (find_separation(block, body, margin, nearest))
    build_manifold(block, body, nearest, margin, manifold);
  return manifold;
}

using Points = std::map<std::uint64_t, Vec3>;

Points points_by_feature(const Manifold& manifold) {
  Points points;
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(i)];
    points[point.feature] = point.y;
  }
  return points;
}

struct Placing {
  Vec3 p;
  Mat3 R;
};

// Slides in a circle, spins about the normal, and rocks by 1e-3 about an axis that turns.
Placing rock(double t, double height) {
  const Mat3 tilt = turn(1e-3 * std::sin(37.0 * t), {std::cos(5.0 * t), std::sin(5.0 * t), 0.0});
  return {{std::cos(t), std::sin(t), height + 1e-4 * std::sin(11.0 * t)},
          tilt * turn(3.0 * t, Vec3::UnitZ())};
}

class RockingOn : public ::testing::TestWithParam<Ground> {};

// y is a corner of the body and goes where the body takes it, to a few roundings of 1 m.
void expect_corners_stay(Ground ground, const Vec3& half) {
  Convex box = make_box(half);
  Points last;
  Placing before = rock(0.0, half.z());
  double farthest = 0.0;
  for (int step = 0; step <= 1000; ++step) {
    const Placing now = rock(0.005 * step, half.z());
    box.p = now.p, box.R = now.R;
    const Points points = points_by_feature(find_on_ground(ground, box));
    ASSERT_EQ(points.size(), 4u) << step;
    const Mat3 turned = now.R * before.R.transpose();
    for (const auto& [feature, y] : points) {
      if (step == 0) break;
      ASSERT_TRUE(last.contains(feature)) << "step " << step << ": another feature";
      const Vec3 taken = now.p + turned * (last[feature] - before.p);
      farthest = std::max(farthest, (y - taken).norm());
    }
    last = points, before = now;
  }
  EXPECT_LT(measured("off the way of the body", farthest), 1e-14);
}

TEST_P(RockingOn, it_a_box_keeps_its_four_corners) {
  expect_corners_stay(GetParam(), {0.5, 0.4, 0.3});
}
TEST_P(RockingOn, it_a_cube_keeps_its_four_corners) {
  expect_corners_stay(GetParam(), {0.5, 0.5, 0.5});
}

// A step of 0.005 moves an end by 0.005 (1 + 3 · 0.5), and rocks it by 0.5 · 1e-3 · 37 of that.
TEST_P(RockingOn, it_a_capsule_keeps_its_two_ends) {
  Convex capsule = make_capsule(0.2, 0.5);
  Points last;
  for (int step = 0; step <= 1000; ++step) {
    const Placing now = rock(0.005 * step, 0.2);
    capsule.p = now.p, capsule.R = now.R * turn(std::numbers::pi / 2, Vec3::UnitY());
    const Points points = points_by_feature(find_on_ground(GetParam(), capsule));
    ASSERT_EQ(points.size(), 2u) << step;
    for (const auto& [feature, y] : points) {
      if (step == 0) break;
      ASSERT_TRUE(last.contains(feature)) << step;
      ASSERT_LT((y - last[feature]).norm(), 0.0126) << step;
    }
    last = points;
  }
}

INSTANTIATE_TEST_SUITE_P(Body, RockingOn, ::testing::Values(Ground::plane, Ground::large_box),
                         [](const auto& at) {
                           return at.param == Ground::plane ? "a_plane" : "a_large_box";
                         });

// A plate across a beam: the points are crossings of edges, and keep their features while the plate
// slides along, turns and rocks. A step slides by 0.002 (1 + 7 · 0.05) m and turns by 0.1 · 3 ·
// 0.002 rad, which moves the crossings by that times their distance of 0.63 m.
TEST(Features, of_crossings_of_edges_stay) {
  const Convex beam = make_box({5, 0.2, 0.5}, {0, 0, -0.5});
  Points last;
  for (int step = 0; step <= 1000; ++step) {
    const double t = 0.002 * step;
    const Mat3 tilt = turn(1e-4 * std::sin(37.0 * t), {std::cos(5.0 * t), std::sin(5.0 * t), 0.0});
    const Convex plate = make_box({0.6, 0.8, 0.1}, {t, 0.05 * std::sin(7.0 * t), 0.1},
                                  tilt * turn(0.1 * std::sin(3.0 * t), Vec3::UnitZ()));
    Separation nearest;
    ASSERT_TRUE(find_separation(beam, plate, margin, nearest));
    Manifold manifold;
    build_manifold(beam, plate, nearest, margin, manifold);
    const Points points = points_by_feature(manifold);
    ASSERT_EQ(points.size(), 4u) << step;
    for (const auto& [feature, y] : points) {
      if (step == 0) break;
      ASSERT_TRUE(last.contains(feature)) << step;
      ASSERT_LT((y - last[feature]).norm(), 0.0031) << step;
    }
    last = points;
  }
}

}  // namespace
}  // namespace ligament
