// SPDX-License-Identifier: Apache-2.0
// Convex hulls against polyhedra that are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <tuple>

#include "geometry/solids.h"
#include "ligament/geometry/geometry_error.h"
#include "ligament/geometry/hull.h"
#include "support/random.h"

namespace ligament {
namespace {

std::vector<Vec3> make_cube(double half) { return make_box(Vec3::Constant(half)).vertices; }

std::vector<Vec3> make_prism(int sides) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / sides;
    for (const double z : {-0.3, 0.3}) points.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  return points;
}

std::vector<Vec3> make_icosahedron() {
  const double g = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g})
      for (int k = 0; k < 3; ++k) {
        Vec3 point = Vec3::Zero();
        point((k + 1) % 3) = a;
        point((k + 2) % 3) = b;
        points.push_back(point);
      }
  return points;
}

std::vector<Vec3> make_ball(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.direction());
  return points;
}

// What holds for each hull: points below all faces to `rounding`, corners of the faces in their
// planes to `flatness` and convex seen from outside, each edge a side of both its faces, neighbours
// both ways.
void expect_hull(const Hull& hull, const std::vector<Vec3>& points, double rounding,
                 double flatness) {
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  std::set<std::tuple<int, int, int>> sides;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Hull::Face& face = hull.faces[f];
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-15);
    for (const Vec3& point : points) ASSERT_LE(face.normal.dot(point), face.offset + rounding);
    const auto corners = hull.corners(face);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto at = [&](std::size_t i) {
        return hull.vertices[static_cast<std::size_t>(corners[i % corners.size()])];
      };
      EXPECT_NEAR(face.normal.dot(at(k)), face.offset, flatness);
      EXPECT_GT(face.normal.dot((at(k + 1) - at(k)).cross(at(k + 2) - at(k + 1))), 0.0);
      sides.emplace(corners[k], corners[(k + 1) % corners.size()], static_cast<int>(f));
    }
  }
  EXPECT_EQ(sides.size(), 2 * hull.edges.size());
  EXPECT_EQ(hull.neighbours.size(), 2 * hull.edges.size());
  for (const Hull::Edge& edge : hull.edges) {
    EXPECT_LT(edge.a, edge.b);
    EXPECT_TRUE(sides.contains({edge.a, edge.b, edge.left}));
    EXPECT_TRUE(sides.contains({edge.b, edge.a, edge.right}));
    EXPECT_EQ(std::ranges::count(hull.neighbours_of(edge.a), edge.b), 1);
    EXPECT_EQ(std::ranges::count(hull.neighbours_of(edge.b), edge.a), 1);
  }
}

std::vector<int> count_corners(const Hull& hull) {
  std::vector<int> counts;
  for (const Hull::Face& face : hull.faces) counts.push_back(face.count);
  std::ranges::sort(counts);
  return counts;
}

// Rounding of a distance to a face: a few ulp of the coordinates, 8 · 1.1e-16 · size.
constexpr double ulps = 1e-15;
// Faces within 2.5e-7 of one plane at their middle are one; a corner is up to three times as far.
constexpr double merging = 3.0 * 2.5e-7;

TEST(Hulls, of_a_cube_have_six_squares) {
  for (const double size : {5e-4, 1.0, 500.0}) {
    const auto points = make_cube(size);
    const auto hull = make_hull(points);
    EXPECT_EQ(hull->vertices, points);
    EXPECT_EQ(hull->edges.size(), 12U);
    EXPECT_EQ(count_corners(*hull), std::vector<int>(6, 4));
    for (const Hull::Face& face : hull->faces) EXPECT_NEAR(face.offset, size, ulps * size);
    expect_hull(*hull, points, ulps * size, ulps * size);
  }
}

TEST(Hulls, have_the_corners_in_the_order_of_the_points_and_no_others) {
  auto points = make_cube(1.0);
  std::swap(points[0], points[6]);
  const auto corners = points;
  points.insert(points.end(), corners.begin(), corners.end());  // doubles
  for (const double x : {-1.0, 0.0, 0.7}) points.insert(points.begin() + 3, Vec3(x, 0.0, 0.0));
  points.emplace_back(1.0, 1.0, 0.0);  // on an edge
  const auto hull = make_hull(points);
  EXPECT_EQ(hull->vertices, corners);
  EXPECT_EQ(hull->faces.size(), 6U);
}

TEST(Hulls, of_an_icosahedron_and_a_prism_have_their_faces) {
  const auto icosahedron = make_icosahedron();
  const auto hull = make_hull(icosahedron);
  EXPECT_EQ(hull->vertices.size(), 12U);
  EXPECT_EQ(count_corners(*hull), std::vector<int>(20, 3));
  expect_hull(*hull, icosahedron, 2 * ulps, 2 * ulps);
  const auto prism = make_prism(64);
  const auto prism_hull = make_hull(prism);
  std::vector<int> counts(64, 4);
  counts.insert(counts.end(), {64, 64});
  EXPECT_EQ(count_corners(*prism_hull), counts);
  expect_hull(*prism_hull, prism, 5 * ulps, 5 * ulps);  // the sides are a tenth as wide as long
}

// Four of them may lie in one plane to the tolerance of merging, and be one face: triangles are
// counted. Thin triangles lose digits: the ulps are over their relative height.
TEST(Hulls, of_points_on_a_sphere_have_all_of_them_as_corners) {
  const auto points = make_ball(500, 3);
  const auto hull = make_hull(points);
  EXPECT_EQ(hull->vertices, points);
  int triangles = 0;
  for (const Hull::Face& face : hull->faces) triangles += face.count - 2;
  EXPECT_EQ(triangles, 2 * 500 - 4);
  expect_hull(*hull, points, merging, merging);
}

TEST(Hulls, of_random_points_hold_all_of_them) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const double size = random.scale(1e-3, 1e3), far = random.scale(1e-3, 1e4);
    const Vec3 centre = far * random.direction();
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i) points.push_back(centre + size * random.vector());
    const double rounding = 1000.0 * ulps * (size + far);
    expect_hull(*make_hull(points), points, rounding, rounding + merging * size);
  }
}

// A rotated cube whose corners are rounded to floats is no longer one with flat faces: its corners
// are 6e-8 off. It must still rest on squares.
TEST(Hulls, in_single_precision_keep_their_polygons) {
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Quat R = random.rotation();
    auto points = make_cube(1.0);
    for (Vec3& point : points) point = (R * point).cast<float>().cast<double>();
    const auto hull = make_hull(points);
    EXPECT_EQ(count_corners(*hull), std::vector<int>(6, 4));
    expect_hull(*hull, points, merging, merging);
  }
}

TEST(Hulls, of_thin_plates_and_needles_are_made) {
  for (const Vec3& half : {Vec3(1.0, 1.0, 1e-5), Vec3(1e-4, 1e-4, 1.0), Vec3(0.01, 1.0, 1e3)}) {
    auto points = make_cube(1.0);
    for (Vec3& point : points) point = point.cwiseProduct(half);
    EXPECT_EQ(count_corners(*make_hull(points)), std::vector<int>(6, 4)) << half.transpose();
  }
}

TEST(Hulls, are_the_same_each_time) {
  const auto points = make_ball(300, 5);
  const auto one = make_hull(points), other = make_hull(points);
  EXPECT_EQ(one->face_vertices, other->face_vertices);
  EXPECT_EQ(one->neighbours, other->neighbours);
}

void expect_error(const std::vector<Vec3>& points, const std::string& part) {
  testing::internal::CaptureStderr();
  try {
    make_hull(points);
    ADD_FAILURE() << "no error: " << part;
  } catch (const GeometryError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Hulls, of_points_without_volume_are_refused_quietly) {
  expect_error({}, "0 points");
  expect_error({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, "four or more");
  expect_error(std::vector<Vec3>(9, Vec3(1, 2, 3)), "one place");
  auto points = make_cube(1.0);
  points[5].y() = std::numeric_limits<double>::quiet_NaN();
  expect_error(points, "point 5");
  Random random(4);
  const Quat R = random.rotation();
  for (Vec3& point : points) point = R * Vec3(random.uniform(), random.uniform(), 3.0);
  expect_error(points, "in one plane");
  for (Vec3& point : points) point = R * Vec3(random.uniform(), 1.0, 3.0);
  expect_error(points, "in one plane");
  expect_error(std::vector<Vec3>(1'000'001, Vec3::Zero()), "1000000 at most");
  expect_error(make_ball(33'000, 1), "32768 at most");
}

}  // namespace
}  // namespace ligament
