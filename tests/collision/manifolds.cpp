// SPDX-License-Identifier: Apache-2.0
// Contact points: how many, where, with which gaps [CO.7], and the same ones from step to step.
#include "ligament/collision/manifold.h"

#include <set>

#include "collision/random_pairs.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;
const Mat3 lying = turn(pi / 2, Vec3::UnitY());  // z becomes x

Manifold find_manifold(const Convex& a, const Convex& b, double margin) {
  Separation nearest;
  Manifold manifold;
  if (find_separation(a, b, margin, nearest)) build_manifold(a, b, nearest, margin, manifold);
  return manifold;
}

std::vector<ManifoldPoint> points_of(const Manifold& manifold) {
  return {manifold.points.begin(), manifold.points.begin() + manifold.count};
}
std::set<std::uint64_t> features_of(const Manifold& manifold) {
  std::set<std::uint64_t> features;
  for (const ManifoldPoint& point : points_of(manifold)) features.insert(point.feature);
  return features;
}

// Each of the expected points x, on A, is there once, with the gap; to 1e-12 for sizes of 1 m.
void expect_points(const Manifold& manifold, const std::vector<Vec3>& expected, double gap) {
  ASSERT_EQ(manifold.count, static_cast<int>(expected.size()));
  EXPECT_EQ(features_of(manifold).size(), expected.size());
  for (const Vec3& x : expected) {
    int found = 0;
    for (const ManifoldPoint& point : points_of(manifold)) found += (point.x - x).norm() < 1e-12;
    EXPECT_EQ(found, 1) << x.transpose();
  }
  for (const ManifoldPoint& point : points_of(manifold)) EXPECT_NEAR(point.gap, gap, 1e-13);
}

TEST(Manifold, of_a_box_on_a_box_is_the_corners_of_the_face) {
  const Convex a = make_box({2, 2, 0.5}), b = make_box({0.5, 0.4, 0.3}, {0.2, 0.1, 0.81});
  expect_points(find_manifold(a, b, 0.1),
                {{0.7, 0.5, 0.5}, {-0.3, 0.5, 0.5}, {-0.3, -0.3, 0.5}, {0.7, -0.3, 0.5}}, 0.01);
}

TEST(Manifold, of_an_overhanging_box_ends_where_the_lower_one_does) {
  const Convex a = make_box({1, 1, 0.5}), b = make_box({0.5, 0.4, 0.3}, {0.9, 0.8, 0.79});
  expect_points(find_manifold(a, b, 0.1),
                {{1.0, 1.0, 0.5}, {0.4, 1.0, 0.5}, {0.4, 0.4, 0.5}, {1.0, 0.4, 0.5}}, -0.01);
}

// Two unit squares at 45° share a regular octagon of width 1. Its corner farthest from the first
// one is opposite, and the two beside them are a quarter turn away: a square again.
TEST(Manifold, of_crossed_squares_is_four_corners_of_the_octagon_far_apart) {
  const Convex a = make_box({0.5, 0.5, 0.5});
  const Convex b = make_box({0.5, 0.5, 0.5}, {0, 0, 1.01}, turn(pi / 4, Vec3::UnitZ()));
  const Manifold manifold = find_manifold(a, b, 0.1);
  ASSERT_EQ(manifold.count, 4);
  EXPECT_EQ(features_of(manifold).size(), 4u);
  const double radius = 0.5 / std::cos(pi / 8);
  Vec3 low = Vec3::Constant(1e9), high = -low;
  for (const ManifoldPoint& point : points_of(manifold)) {
    EXPECT_NEAR(point.x.head<2>().norm(), radius, 1e-12);
    EXPECT_NEAR(point.gap, 0.01, 1e-13);
    low = low.cwiseMin(point.x), high = high.cwiseMax(point.x);
  }
  EXPECT_GT((high - low).head<2>().minCoeff(), 0.9);
}

TEST(Manifold, is_the_same_for_neighbouring_poses_where_choices_tie) {
  const Convex a = make_box({0.5, 0.5, 0.5});
  const auto features = [&](double shift, double angle) {
    const Vec3 p(shift, -0.3 * shift, 1.0 + 0.1 * shift);
    return features_of(find_manifold(
        a, make_box({0.5, 0.5, 0.5}, p, turn(pi / 4 + angle, {0.1 * angle, 0, 1})), 0.1));
  };
  const auto first = features(0.0, 0.0);
  Random random(501);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(features(random.uniform(-1e-12, 1e-12), random.uniform(-1e-12, 1e-12)), first) << i;
}

TEST(Manifold, of_crossed_edges_is_one_point) {
  const double out = std::sqrt(0.5);
  const Convex a = make_box({0.5, 0.5, 0.5}, {0, 0, -out}, turn(pi / 4, Vec3::UnitX()));
  const Convex b = make_box({0.5, 0.5, 0.5}, {0.1, 0.2, out - 0.01}, turn(pi / 4, Vec3::UnitY()));
  expect_points(find_manifold(a, b, 0.1), {{0.1, 0, 0}}, -0.01);
}

TEST(Manifold, of_a_lying_capsule_is_its_two_ends) {
  const Convex box = make_box({2, 2, 0.5});
  const Convex capsule = make_capsule(0.2, 0.6, {0.3, 0.1, 0.69}, lying);
  expect_points(find_manifold(box, capsule, 0.1), {{-0.3, 0.1, 0.5}, {0.9, 0.1, 0.5}}, -0.01);
  const Convex out = make_capsule(0.2, 0.6, {1.8, 0.1, 0.69}, lying);
  expect_points(find_manifold(box, out, 0.1), {{1.2, 0.1, 0.5}, {2.0, 0.1, 0.5}}, -0.01);
  const Convex other = make_capsule(0.3, 1.0, {1.0, 0.1, 0.0}, lying);
  expect_points(find_manifold(other, make_capsule(0.2, 0.6, {0.3, 0.1, 0.51}, lying), 0.1),
                {{0.0, 0.1, 0.3}, {0.9, 0.1, 0.3}}, 0.01);
}

TEST(Manifold, of_a_cylinder_is_four_points_standing_and_two_lying) {
  const Convex box = make_box({2, 2, 0.5});
  const Manifold standing = find_manifold(box, make_cylinder(0.4, 0.6, {0.3, 0.1, 1.1}), 0.1);
  ASSERT_EQ(standing.count, 4);
  Vec3 low = Vec3::Constant(1e9), high = -low;
  for (const ManifoldPoint& point : points_of(standing)) {
    EXPECT_NEAR((point.x - Vec3(0.3, 0.1, 0.5)).norm(), 0.4, 1e-12);
    EXPECT_NEAR(point.gap, 0.0, 1e-13);
    low = low.cwiseMin(point.x), high = high.cwiseMax(point.x);
  }
  EXPECT_NEAR((high - low).x(), 0.8, 1e-12);
  EXPECT_NEAR((high - low).y(), 0.8, 1e-12);
  const Convex flat = make_cylinder(0.4, 0.6, {0.3, 0.1, 0.9}, lying);
  expect_points(find_manifold(box, flat, 0.1), {{-0.3, 0.1, 0.5}, {0.9, 0.1, 0.5}}, 0.0);
}

class ManifoldOf : public ::testing::TestWithParam<std::array<Core, 2>> {};

struct Flaws {
  Worst least;    // of the points' gaps against the pair's
  Worst line;     // |y − x − gap n|
  Worst outside;  // of a body: distance from its core − radius
  Worst beside;   // the same, of points that nearly parallel edges share
  int repeated = 0, none = 0, above = 0;
};

void look_at(const Pair& pair, double margin, Flaws& flaws) {
  const auto& [a, b] = pair;
  Separation nearest;
  find_separation(a, b, 1e9, nearest);
  Manifold manifold;
  build_manifold(a, b, nearest, nearest.gap + margin, manifold);
  Feature feature_a, feature_b;
  find_feature(a, nearest.n, feature_a);
  find_feature(b, -nearest.n, feature_b);
  const bool edges = feature_a.count == 2 && feature_b.count == 2;
  const double size = size_of(a, b);
  double least = 1e300;
  for (const ManifoldPoint& point : points_of(manifold)) {
    least = std::min(least, point.gap);
    flaws.above += point.gap > nearest.gap + margin * (1 + 1e-9);
    flaws.line.look((point.y - point.x - point.gap * manifold.n).norm() / size, pair);
    Worst& outside = edges && point.feature >> 60 != 0 ? flaws.beside : flaws.outside;
    outside.look((distance_outside(a, point.x) - a.radius) / size, pair);
    outside.look((distance_outside(b, point.y) - b.radius) / size, pair);
  }
  flaws.none += manifold.count == 0;
  flaws.repeated += static_cast<int>(features_of(manifold).size()) != manifold.count;
  flaws.least.look(std::abs(least - nearest.gap) / size, pair);
}

// The points are as good as the nearest pair, 1e-6 of the size, where the bodies are nearly
// parallel; their gaps are exact to the ties that choose_points makes, 1e-10. Edges that cross at
// an angle of up to asin(flat_sine) share points that lie beside one of them by that much of their
// half length, itself at most half of the size.
TEST_P(ManifoldOf, primitives_holds_the_gap_on_points_of_both) {
  const auto [core_a, core_b] = GetParam();
  Random random(502);
  Flaws flaws;
  for (int i = 0; i < 10000; ++i) {
    const Style style = i % 2 == 0 ? Style::general : static_cast<Style>(i / 2 % style_count);
    const Pair pair = random_pair(core_a, core_b, style, random);
    look_at(pair, random.scale(1e-6, 0.1), flaws);
  }
  EXPECT_EQ(flaws.none, 0);
  EXPECT_EQ(flaws.repeated, 0);
  EXPECT_EQ(flaws.above, 0);
  expect_below(1e-9, flaws.least, "least gap");
  expect_below(1e-9, flaws.line, "y - x along n");
  // The rim points of caps that are parallel to ζ are known to 1e-8/ζ; some here have ζ = 1e-5.
  expect_below(1e-5, flaws.outside, "points outside");
  expect_below(0.5 * flat_sine, flaws.beside, "points beside an edge");
}

INSTANTIATE_TEST_SUITE_P(Pairs, ManifoldOf, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

}  // namespace
}  // namespace ligament
