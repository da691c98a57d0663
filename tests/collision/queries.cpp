// SPDX-License-Identifier: Apache-2.0
// Rays and distances.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ligament/ligament.h"
#include "support/random.h"

namespace ligament {
namespace {

std::shared_ptr<const Hull> make_octahedron() {
  std::vector<Vec3> points;
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) points.push_back(side * Vec3::Unit(i));
  return make_hull(points);
}

std::shared_ptr<const TriangleMesh> make_tetrahedron() {
  return make_mesh({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                   {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}});
}

struct Single {
  explicit Single(const Geometry& geometry, const Frame& pose = {}) {
    ModelBuilder builder;
    const BodyId body = builder.add_body({.kind = BodyKind::fixed});
    builder.add_shape({.body = body, .geometry = geometry, .pose = pose});
    model.emplace(std::move(builder).build());
    world.emplace(*model);
    world->place_shapes(model->initial_state());
  }
  std::optional<RayHit> ray(const Vec3& origin, const Vec3& direction, double farthest = 1e30) {
    return world->cast_ray(origin, direction, farthest);
  }
  std::optional<Model> model;
  std::optional<CollisionWorld> world;
};

TEST(Rays, meet_the_shapes_where_they_are) {
  struct Case {
    Geometry geometry;
    Vec3 origin, direction;
    double distance;
    Vec3 normal;
  };
  const double s3 = std::sqrt(3.0), s2 = std::sqrt(2.0);
  const std::vector<Case> cases{
      {SphereShape{1.0}, {3, 0, 0}, {-2, 0, 0}, 2.0, {1, 0, 0}},
      {SphereShape{1.0}, {3, 0.5, 0}, {-1, 0, 0}, 3.0 - s3 / 2.0, {s3 / 2.0, 0.5, 0}},
      {BoxShape{Vec3(1, 2, 3)}, {0, 0, 10}, {0, 0, -1}, 7.0, {0, 0, 1}},
      {BoxShape{Vec3(1, 1, 1)}, {3, 2.5, 0.5}, {-1, -1, 0}, 2.0 * s2, {1, 0, 0}},
      {CapsuleShape{0.5, 1.0}, {0, 0, 5}, {0, 0, -1}, 3.5, {0, 0, 1}},
      {CapsuleShape{0.5, 1.0}, {4, 0, 0.9}, {-1, 0, 0}, 3.5, {1, 0, 0}},
      {CylinderShape{0.5, 1.0}, {0.4, 0, 5}, {0, 0, -1}, 4.0, {0, 0, 1}},
      {CylinderShape{0.5, 1.0}, {4, 0, 0.9}, {-1, 0, 0}, 3.5, {1, 0, 0}},
      {ConvexShape{make_octahedron()},
       {2, 2, 2},
       {-1, -1, -1},
       2.0 * s3 - 1.0 / s3,
       Vec3(1, 1, 1) / s3},
      {MeshShape{make_tetrahedron()},
       {-2, -2, -2},
       {1, 1, 1},
       2.0 * s3 - 1.0 / s3,
       Vec3(-1, -1, -1) / s3},
      {HalfSpaceShape{}, {0, 0, 2}, {0, 3, -4}, 2.5, {0, 0, 1}},
      {PlaneShape{}, {0, 0, -2}, {0, 3, 4}, 2.5, {0, 0, -1}},
      {HeightFieldShape{make_height_field(3, 3, 1, 1, {0, 0, 0, 1, 1, 1, 2, 2, 2})},
       {1.3, 0.5, 4.5},
       {0, 0, -1},
       4.0,
       Vec3(0, -1, 1) / s2}};
  Random random(11);
  for (const Case& c : cases)
    for (int k = 0; k < 3; ++k) {
      // Where it is given, and turned and moved with the shape.
      const Frame pose = k == 0 ? Frame{} : Frame{random.vector(10.0), random.rotation()};
      Single scene(c.geometry, pose);
      const auto hit = scene.ray(pose.p + pose.R * c.origin, pose.R * c.direction);
      ASSERT_TRUE(hit) << name_of(c.geometry);
      // Coordinates up to 20 m: some 1e-14 m of rounding.
      EXPECT_NEAR(hit->distance, c.distance, 1e-13) << name_of(c.geometry);
      EXPECT_LT((hit->normal - pose.R * c.normal).norm(), 1e-13) << name_of(c.geometry);
      EXPECT_LT((hit->point - pose.p - pose.R * (c.origin + c.distance * c.direction.normalized()))
                    .norm(),
                1e-13);
      EXPECT_FALSE(scene.ray(pose.p + pose.R * c.origin, pose.R * -c.direction))
          << name_of(c.geometry);
      EXPECT_FALSE(scene.ray(pose.p + pose.R * c.origin, pose.R * c.direction, 0.99 * c.distance));
    }
}

TEST(Rays, from_inside_hit_nothing_and_bad_rays_neither) {
  for (const Geometry& geometry :
       {Geometry(SphereShape{1.0}), Geometry(BoxShape{}), Geometry(CapsuleShape{}),
        Geometry(CylinderShape{}), Geometry(ConvexShape{make_octahedron()})}) {
    Single scene(geometry);
    EXPECT_FALSE(scene.ray({0.1, 0.05, 0.02}, {1, 2, 3})) << name_of(geometry);
    EXPECT_FALSE(scene.ray({5, 0, 0}, {0, 0, 0}));
    EXPECT_FALSE(scene.ray({std::numeric_limits<double>::quiet_NaN(), 0, 0}, {1, 0, 0}));
  }
}

// A ray that hits at x with gap 0 there, and no shape before: the distance of a tiny sphere at x.
TEST(Rays, end_on_the_surface_that_distances_see) {
  Random random(12);
  ModelBuilder builder;
  const std::vector<Geometry> all{SphereShape{0.5}, BoxShape{Vec3(0.4, 0.3, 0.6)},
                                  CapsuleShape{0.3, 0.5}, CylinderShape{0.4, 0.5},
                                  ConvexShape{make_octahedron()}};
  for (int i = 0; i < 60; ++i)
    builder.add_shape({.body = builder.add_body(
                           {.position = random.vector(6.0), .orientation = random.rotation()}),
                       .geometry = all[static_cast<std::size_t>(i) % all.size()]});
  constexpr double tiny = 1e-6;
  const BodyId probe = builder.add_body({.kind = BodyKind::particle, .position = {99, 0, 0}});
  const ShapeId probe_shape = builder.add_shape({.body = probe, .geometry = SphereShape{tiny}});
  const Model model = std::move(builder).build();
  CollisionWorld world(model);
  State state = model.initial_state();
  int hits = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 origin = 20.0 * random.direction();
    state.q.segment<3>(model.body(probe).q_offset) << 99, 0, 0;
    world.place_shapes(state);
    const auto hit = world.cast_ray(origin, random.vector(5.0) - origin);
    if (!hit) continue;
    ++hits;
    state.q.segment<3>(model.body(probe).q_offset) = hit->point;
    world.place_shapes(state);
    for (std::uint32_t i = 0; i < probe_shape.value; ++i) {
      const auto distance = world.find_distance({i}, probe_shape);
      ASSERT_TRUE(distance);
      // Nobody is entered before; the one that was hit is touched. Hulls and cylinders: 1e-9.
      EXPECT_GT(distance->gap, -tiny - 1e-9);
      if (ShapeId{i} == hit->shape) {
        EXPECT_NEAR(distance->gap, -tiny, 1e-9);
      }
    }
  }
  EXPECT_GT(hits, 500);
}

TEST(Distances, are_those_of_the_closed_forms_however_far) {
  ModelBuilder builder;
  const BodyId ground = builder.add_body({.kind = BodyKind::fixed});
  const ShapeId plane = builder.add_shape({.body = ground, .geometry = HalfSpaceShape{}});
  const ShapeId mesh = builder.add_shape(
      {.body = ground, .geometry = MeshShape{make_tetrahedron()}, .pose = {Vec3(0, 0, 100)}});
  const ShapeId ball = builder.add_shape(
      {.body = builder.add_body({.position = {0, 0, 1000}}), .geometry = SphereShape{1.0}});
  const ShapeId box = builder.add_shape(
      {.body = builder.add_body({.position = {3000, 0, 1000}}), .geometry = BoxShape{}});
  const Model model = std::move(builder).build();
  CollisionWorld world(model);
  world.place_shapes(model.initial_state());
  EXPECT_NEAR(world.find_distance(plane, ball)->gap, 999.0, 1e-12);
  EXPECT_NEAR(world.find_distance(ball, plane)->gap, 999.0, 1e-12);
  EXPECT_NEAR(world.find_distance(ball, box)->gap, 3000.0 - 1.5, 1e-11);
  EXPECT_NEAR(world.find_distance(box, ball)->normal.x(), -1.0, 1e-15);
  // Over the top edge of the tetrahedron, z = 101.
  EXPECT_NEAR(world.find_distance(mesh, ball)->gap, 1000.0 - 101.0 - 1.0, 1e-10);
  EXPECT_FALSE(world.find_distance(plane, mesh));
}

}  // namespace
}  // namespace ligament
