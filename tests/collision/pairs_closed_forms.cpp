// SPDX-License-Identifier: Apache-2.0
// Gaps worked out by hand, each pair of primitives in plain and in degenerate poses.
//
// All lengths are about 1 m, and a closed form of a handful of products and a root is good to
// 1e-15; 1e-13 leaves room for GJK, which ends at 4 roundings of the size, and for sines of angles
// like π/4 in the poses. Where the normal is unique, it is checked too: to 1e-7, because the gap
// does not see a smaller turn, 1e-14 = θ²/2; and so are points, to the same angle times 1 m.
#include "collision/found.h"
#include "collision/shapes.h"

#include "ligament/collision/manifold.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;
const Mat3 lying = turn(pi / 2, Vec3::UnitY());      // z becomes x
const Mat3 sideways = turn(-pi / 2, Vec3::UnitX());  // z becomes y
const Mat3 diamond = turn(pi / 4, Vec3::UnitZ());

struct Case {
  const char* name;
  Convex a, b;
  double gap;
  Vec3 n = Vec3::Zero();  // zero: not unique
};

// As it stands, and turned and shifted as a whole; and with A and B swapped.
void check(const Case& c, double tolerance = 1e-13) {
  Random random(401);
  for (int i = 0; i < 40; ++i) {
    const Mat3 R = i < 2 ? Mat3(Mat3::Identity()) : random.rotation().toRotationMatrix();
    const Vec3 shift = i < 2 ? Vec3(Vec3::Zero()) : random.vector();
    Pair pair{c.a, c.b};
    for (Convex* body : {&pair.a, &pair.b}) body->p = shift + R * body->p, body->R = R * body->R;
    const bool swapped = i % 2 == 1;
    if (swapped) std::swap(pair.a, pair.b);
    Found found;
    ASSERT_TRUE(find_found(pair.a, pair.b, 100.0, found)) << c.name;
    ASSERT_NEAR(found.gap, c.gap, tolerance) << c.name << describe(pair);
    ASSERT_NEAR(separation_along(pair.a, pair.b, found.n), c.gap, tolerance)
        << c.name << ", not the gap along its normal " << found.n.transpose() << describe(pair);
    const Vec3 n = (swapped ? -1.0 : 1.0) * (R.transpose() * found.n);
    if (!c.n.isZero()) {
      ASSERT_LT((n - c.n).norm(), 1e-7) << c.name << ": normal " << n.transpose() << describe(pair);
    }
    ASSERT_LT(distance_outside(pair.a, found.x), 1e-7) << c.name << ": x outside" << describe(pair);
    ASSERT_LT(distance_outside(pair.b, found.y), 1e-7) << c.name << ": y outside" << describe(pair);
    // Just below the margin, and just above.
    ASSERT_TRUE(find_found(pair.a, pair.b, found.gap + 1e-9, found));
    ASSERT_FALSE(find_found(pair.a, pair.b, found.gap - 1e-9, found));
  }
}

TEST(Gap, of_spheres) {
  check({"apart", make_sphere(0.3), make_sphere(0.2, {0, 0, 2}), 1.5, {0, 0, 1}});
  check({"oblique", make_sphere(0.3), make_sphere(0.2, {0.6, 0, 0.8}), 0.5, {0.6, 0, 0.8}});
  check({"overlapping", make_sphere(0.5), make_sphere(0.4, {0.3, 0, 0}), -0.6, {1, 0, 0}});
  check({"touching", make_sphere(0.5), make_sphere(0.25, {0, 0.75, 0}), 0.0, {0, 1, 0}});
  check({"nearly touching", make_sphere(0.5), make_sphere(0.25, {0, 0.75 + 1e-9, 0}), 1e-9});
  check({"centred", make_sphere(0.5), make_sphere(0.4), -0.9});
  check({"nearly centred", make_sphere(0.5), make_sphere(0.4, {1e-15, 0, 0}), -0.9});
}

TEST(Gap, of_a_sphere_and_a_capsule) {
  const Convex capsule = make_capsule(0.2, 1.0);
  check({"beside", make_sphere(0.3, {2, 0, 0.5}), capsule, 1.5, {-1, 0, 0}});
  check({"above", make_sphere(0.3, {0, 0, 3}), capsule, 1.5, {0, 0, -1}});
  check({"beyond the end", make_sphere(0.1, {3, 0, 5}), capsule, 4.7, {-0.6, 0, -0.8}});
  check({"level with the end", make_sphere(0.3, {0, 0.5, 1}), capsule, 0.0, {0, -1, 0}});
  check({"overlapping", make_sphere(0.3, {0.1, 0, 0.2}), capsule, -0.4, {-1, 0, 0}});
  check({"on the axis", make_sphere(0.3, {0, 0, 0.5}), capsule, -0.5});
  check({"on the end", make_sphere(0.3, {0, 0, 1}), capsule, -0.5});
  check({"centred", make_sphere(0.3), capsule, -0.5});
}

TEST(Gap, of_a_sphere_and_a_box) {
  const Convex box = make_box({1, 2, 3});
  check({"over a face", make_sphere(0.5, {0.3, 0.7, 4}), box, 0.5, {0, 0, -1}});
  check({"at an edge", make_sphere(0.5, {1.3, 0.2, 3.4}), box, 0.0, {-0.6, 0, -0.8}});
  check({"at a corner", make_sphere(0.5, {2, 4, 5}), box, 2.5, {-1 / 3., -2 / 3., -2 / 3.}});
  check({"half in", make_sphere(0.5, {0.75, 0.2, 0.1}), box, -0.75, {-1, 0, 0}});
  check({"centre on a face", make_sphere(0.5, {0.2, 0.1, 3}), box, -0.5, {0, 0, -1}});
  check({"centre on an edge", make_sphere(0.5, {1, 0.1, 3}), box, -0.5});
  check({"centre on a corner", make_sphere(0.5, {1, 2, 3}), box, -0.5});
  check({"centred", make_sphere(0.5), box, -1.5});
  check({"inside, nearly touching", make_sphere(0.5, {1.5 + 1e-9, 0, 0}), box, 1e-9, {-1, 0, 0}});
}

TEST(Gap, of_a_sphere_and_a_cylinder) {
  const Convex cylinder = make_cylinder(1, 2);
  check({"over the cap", make_sphere(0.5, {0.6, 0.3, 3}), cylinder, 0.5, {0, 0, -1}});
  check({"beside", make_sphere(0.5, {1.8, 2.4, 1}), cylinder, 1.5, {-0.6, -0.8, 0}});
  check({"at the rim", make_sphere(0.5, {0, 1.3, 2.4}), cylinder, 0.0, {0, -0.6, -0.8}});
  check({"inside, near the side", make_sphere(0.5, {0.9, 0, 0}), cylinder, -0.6, {-1, 0, 0}});
  check({"inside, near the cap", make_sphere(0.5, {0.1, 0, 1.9}), cylinder, -0.6, {0, 0, -1}});
  check({"centre on the rim", make_sphere(0.5, {1, 0, 2}), cylinder, -0.5});
  check({"centre on the cap", make_sphere(0.5, {0.1, 0.2, 2}), cylinder, -0.5, {0, 0, -1}});
  check({"centred", make_sphere(0.5), cylinder, -1.5});
}

TEST(Gap, of_capsules) {
  const Convex a = make_capsule(0.2, 1.0);
  const auto along = [&](const Vec3& p) { return make_capsule(0.3, 0.5, p); };
  const auto across = [&](const Vec3& p) { return make_capsule(0.3, 0.5, p, lying); };
  check({"parallel", a, along({1, 0, 0.4}), 0.5, {1, 0, 0}});
  check({"end to end", a, along({0, 0, 3}), 1.0, {0, 0, 1}});
  check({"coaxial, touching", a, along({0, 0, 2}), 0.0, {0, 0, 1}});
  check({"offset ends", a, along({0.6, 0, 2.3}), 0.5, {0.6, 0, 0.8}});
  check({"coaxial, overlapping ends", a, along({0, 0, 1.8}), -0.2, {0, 0, 1}});
  check({"crossed", a, across({0.1, 0.7, 0.3}), 0.2, {0, 1, 0}});
  check({"crossed, nearly touching", a, across({0.1, 0.5 + 1e-9, 0.3}), 1e-9, {0, 1, 0}});
  check({"crossing", a, across({0.1, 0, 0.3}), -0.5});
  check({"end on side", a, across({1.5, 0, 0.3}), 0.5, {1, 0, 0}});
  check({"skewed", a, make_capsule(0.3, 1, {0, 0.9, 0}, turn(pi / 6, {0, 1, 0})), 0.4, {0, 1, 0}});
  // Segments in one line: the way out is across it, whatever the radii.
  check({"centred, one line", a, along({0, 0, 0}), -0.5});
  check({"one line", a, along({0, 0, 0.7}), -0.5});
}

TEST(Gap, of_a_capsule_and_a_box) {
  const Convex box = make_box({1, 2, 3});
  const auto up = [&](const Vec3& p) { return make_capsule(0.25, 0.5, p); };
  const auto flat = [&](const Vec3& p) { return make_capsule(0.25, 0.5, p, lying); };
  check({"lying on a face", flat({0.2, 0.3, 3.25}), box, 0.0, {0, 0, -1}});
  check({"overhanging", flat({1.2, 0.3, 3.5}), box, 0.25, {0, 0, -1}});
  check({"standing over a face", up({0.2, 0.3, 4}), box, 0.25, {0, 0, -1}});
  check({"along an edge", up({1.3, 2.4, 1}), box, 0.25, {-0.6, -0.8, 0}});
  check({"over a corner", up({2, 4, 5.5}), box, 2.75, {-1 / 3., -2 / 3., -2 / 3.}});
  // Across the edge x = 1, z = 3 at 45°, its middle 0.5 over it.
  const double d = 0.5 / std::sqrt(2.0);
  const Convex tilted = make_capsule(0.25, 0.5, {1 + d, 0.1, 3 + d}, turn(3 * pi / 4, {0, 1, 0}));
  check({"across an edge", tilted, box, 0.25, {-d / 0.5, 0, -d / 0.5}});
  check({"stuck in a face", up({0.2, 0.3, 3.25}), box, -0.5, {0, 0, -1}});
  check({"centred", up({0, 0, 0}), box, -1.25});
  check({"axis in a face", up({1, 0.3, 0.2}), box, -0.25, {-1, 0, 0}});
  check({"axis in an edge", up({1, 2, 0.2}), box, -0.25});
  check({"nearly touching", flat({0.2, 0.3, 3.25 + 1e-9}), box, 1e-9, {0, 0, -1}});
  // A long capsule through the box: out sideways, across its own axis.
  check({"skewered", make_capsule(0.25, 5, {0, 0, 0}), box, -1.25});
}

TEST(Gap, of_a_capsule_and_a_cylinder) {
  const Convex cylinder = make_cylinder(1, 2);
  const auto up = [&](const Vec3& p) { return make_capsule(0.25, 0.5, p); };
  const auto flat = [&](const Vec3& p) { return make_capsule(0.25, 0.5, p, lying); };
  check({"coaxial", up({0, 0, 3}), cylinder, 0.25, {0, 0, -1}});
  check({"coaxial, overlapping", up({0, 0, 2.25}), cylinder, -0.5, {0, 0, -1}});
  check({"centred, coaxial", up({0, 0, 0}), cylinder, -1.25});
  check({"parallel", up({1.5, 0, 0.3}), cylinder, 0.25, {-1, 0, 0}});
  check({"inside, parallel", up({0.6, 0, 0.3}), cylinder, -0.65, {-1, 0, 0}});
  check({"lying on the cap", flat({0.2, 0.1, 2.25}), cylinder, 0.0, {0, 0, -1}});
  check({"crossed", make_capsule(0.25, 0.5, {0.3, 2, 0.4}, lying), cylinder, 0.75, {0, -1, 0}});
  check({"end to the side", flat({2, 0, 0.3}), cylinder, 0.25, {-1, 0, 0}});
  check({"end to the rim", up({1.3, 0, 2.9}), cylinder, 0.25, {-0.6, 0, -0.8}});
  check({"axis in the side", up({1, 0, 0.3}), cylinder, -0.25, {-1, 0, 0}});
  check({"nearly touching", up({1.25 + 1e-9, 0, 0.3}), cylinder, 1e-9, {-1, 0, 0}});
}

TEST(Gap, of_boxes) {
  const Convex a = make_box({1, 2, 3});
  const Vec3 cube(0.5, 0.5, 0.5);
  const double corner = 0.5 * std::sqrt(3.0), edge = 0.5 * std::sqrt(2.0);
  const Mat3 on_corner = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, -1)).toRotationMatrix();
  check({"face on face", a, make_box(cube, {0.3, 0.4, 4}), 0.5, {0, 0, 1}});
  check({"overhanging", a, make_box(cube, {1.3, 2.4, 3.5}), 0.0, {0, 0, 1}});
  check({"turned, face on face", a, make_box(cube, {0.3, 0.4, 4}, diamond), 0.5, {0, 0, 1}});
  check({"parallel edges", a, make_box(cube, {1.8, 2.9, 0.3}), 0.5, {0.6, 0.8, 0}});
  check({"corners", a, make_box(cube, {2.5, 4.5, 5.5}), 3.0, {1 / 3., 2 / 3., 2 / 3.}});
  check({"corner on face", a, make_box(cube, {0.3, 0.4, 4}, on_corner), 1 - corner, {0, 0, 1}});
  check({"edge on face",
         a,
         make_box(cube, {0.3, 0.4, 4}, turn(pi / 4, {1, 0, 0})),
         1 - edge,
         {0, 0, 1}});
  check({"corner in face", a, make_box(cube, {0.3, 0.4, 3.5}, on_corner), 0.5 - corner, {0, 0, 1}});
  // A's edge along y at (1, 3), B's across it, both at 45° to the line between their centres.
  const Vec3 out = Vec3(1, 0, 1) / std::sqrt(2.0);
  Mat3 crossing;  // B's edge at −x', −y' runs along z', across y and across the line
  crossing.col(2) = Vec3(1, 0, -1) / std::sqrt(2.0);
  crossing.col(0) = (out + Vec3::UnitY()) / std::sqrt(2.0);
  crossing.col(1) = crossing.col(2).cross(crossing.col(0));
  for (const double gap : {0.5, 1e-9, 0.0, -0.1}) {
    const Vec3 middle = Vec3(1, 0.2, 3) + (gap + edge) * out;
    check({"crossed edges", a, make_box(cube, middle, crossing), gap, out});
  }
  check({"centred", a, make_box(cube), -1.5});
  check({"centred, equal", make_box(cube), make_box(cube), -1.0});
  check({"centred, turned", make_box(cube), make_box(cube, {0, 0, 0}, diamond), -1.0});
  check({"nearly touching", a, make_box(cube, {1.5 + 1e-9, 0.1, 0.2}), 1e-9, {1, 0, 0}});
  check({"deep", a, make_box({2, 0.5, 0.5}, {0.2, 0.1, 0.3}), -2.4, {0, 1, 0}});
}

TEST(Gap, of_a_box_and_a_cylinder) {
  const Convex box = make_box({1, 2, 3});
  const auto up = [&](const Vec3& p) { return make_cylinder(0.5, 1, p); };
  const auto flat = [&](const Vec3& p) { return make_cylinder(0.5, 1, p, lying); };
  check({"standing", box, up({0.2, 0.1, 4}), 0.0, {0, 0, 1}});
  check({"standing, overhanging", box, up({1.3, 0.1, 4.5}), 0.5, {0, 0, 1}});
  check({"lying", box, flat({0.2, 0.1, 4}), 0.5, {0, 0, 1}});
  check({"lying, sunk", box, flat({0.2, 0.1, 3.25}), -0.25, {0, 0, 1}});
  check({"beside an edge", box, up({1.6, 2.8, 1}), 0.5, {0.6, 0.8, 0}});
  check({"side on face", box, up({1.5 + 1e-9, 0.2, 0.1}), 1e-9, {1, 0, 0}});
  // Tilted by 30° over the face: the rim reaches r cos 60° … l cos 30° + r sin 30° down.
  const double c = std::cos(pi / 6), s = std::sin(pi / 6);
  check({"rim on face",
         box,
         make_cylinder(0.5, 1, {0.2, 0.1, 5}, turn(pi / 6, {0, 1, 0})),
         2.0 - (1.0 * c + 0.5 * s),
         {0, 0, 1}});
  check({"centred", box, up({0, 0, 0}), -1.5});
  check({"axis in an edge", box, up({1, 2, 0}), -0.5});
  // Over a corner: its lower cap's rim against the corner.
  check({"rim and corner", box, up({1 + 0.3 + 0.3, 2 + 0.4 + 0.4, 5}), std::sqrt(1.25)});
}

TEST(Gap, of_cylinders) {
  const Convex a = make_cylinder(1, 2);
  check({"coaxial", a, make_cylinder(0.5, 1, {0, 0, 3.5}), 0.5, {0, 0, 1}});
  check({"coaxial, touching", a, make_cylinder(0.5, 1, {0, 0, 3}), 0.0, {0, 0, 1}});
  check({"coaxial, equal, sunk", a, make_cylinder(1, 2, {0, 0, 3.5}), -0.5, {0, 0, 1}});
  check({"cap on cap, offset", a, make_cylinder(0.5, 1, {1.2, 0, 3.25}), 0.25, {0, 0, 1}});
  check({"parallel", a, make_cylinder(0.5, 1, {1.2, 1.6, 0.3}), 0.5, {0.6, 0.8, 0}});
  check({"parallel, overlapping", a, make_cylinder(0.5, 1, {0.6, 0.8, 0.3}), -0.5, {0.6, 0.8, 0}});
  check({"crossed", a, make_cylinder(0.5, 1, {0.1, 2, 0.3}, lying), 0.5, {0, 1, 0}});
  check({"crossed, sunk", a, make_cylinder(0.5, 1, {0.1, 1.25, 0.3}, lying), -0.25, {0, 1, 0}});
  check({"cap on side", a, make_cylinder(0.5, 1, {0.1, 2.5, 0.3}, sideways), 0.5, {0, 1, 0}});
  check({"rims", a, make_cylinder(0.5, 1, {1.8, 0, 3.4}), 0.5, {0.6, 0, 0.8}});
  check({"centred, coaxial", a, make_cylinder(0.5, 1), -1.5});
  check({"centred, equal", a, a, -2.0});
  check({"centred, crossed", a, make_cylinder(0.5, 1, {0, 0, 0}, lying), -1.5});
  check({"nearly touching", a, make_cylinder(0.5, 1, {1.5 + 1e-9, 0, 0.3}), 1e-9, {1, 0, 0}});
}

// Above a plane: the height of the lowest point.
void check_on_plane(const char* name, const Convex& body, double gap, int points) {
  Random random(402);
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = i < 1 ? Mat3(Mat3::Identity()) : random.rotation().toRotationMatrix();
    const Vec3 shift = i < 1 ? Vec3(Vec3::Zero()) : random.vector(), n = R.col(2);
    Convex placed = body;
    placed.p = shift + R * body.p, placed.R = R * body.R;
    Manifold manifold;
    build_manifold_on_plane(n, n.dot(shift), placed, gap + 1e-3, manifold);
    ASSERT_EQ(manifold.count, points) << name;
    double least = 1e300;
    for (int k = 0; k < points; ++k) {
      const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(k)];
      least = std::min(least, point.gap);
      ASSERT_NEAR(n.dot(point.x - shift), 0.0, 1e-14) << name;
      ASSERT_NEAR(n.dot(point.y - shift), point.gap, 1e-14) << name;
    }
    ASSERT_NEAR(least, gap, 1e-14) << name;
    build_manifold_on_plane(n, n.dot(shift), placed, gap - 1e-9, manifold);
    ASSERT_EQ(manifold.count, 0) << name;
  }
}

TEST(Gap, of_bodies_over_a_plane) {
  const Mat3 tilted = turn(pi / 6, Vec3::UnitY());
  const double c = std::cos(pi / 6), s = std::sin(pi / 6);
  check_on_plane("sphere", make_sphere(0.3, {1, 2, 0.5}), 0.2, 1);
  check_on_plane("sunk sphere", make_sphere(0.3, {1, 2, -0.5}), -0.8, 1);
  check_on_plane("standing capsule", make_capsule(0.3, 0.5, {1, 2, 2}), 1.2, 1);
  check_on_plane("lying capsule", make_capsule(0.3, 0.5, {1, 2, 0.25}, lying), -0.05, 2);
  check_on_plane("tilted capsule", make_capsule(0.3, 0.5, {1, 2, 1}, tilted), 0.7 - 0.5 * c, 1);
  check_on_plane("box", make_box({1, 2, 3}, {1, 2, 3}), 0.0, 4);
  check_on_plane("box on an edge", make_box({1, 2, 3}, {1, 2, 5}, tilted), 5 - s - 3 * c, 2);
  check_on_plane("standing cylinder", make_cylinder(1, 2, {1, 2, 2}), 0.0, 4);
  check_on_plane("lying cylinder", make_cylinder(1, 2, {1, 2, 0.9}, lying), -0.1, 2);
  check_on_plane("tilted cylinder", make_cylinder(1, 2, {1, 2, 5}, tilted), 5 - s - 2 * c, 1);
}

}  // namespace
}  // namespace ligament
