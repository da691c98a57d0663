// SPDX-License-Identifier: Apache-2.0
// Bodies in a cavity. The gap is R − max |x| over the body [CO.11]; here the maximum comes from
// formulas of each body, or from its points one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/shapes.h"
#include "ligament/collision/collision_world.h"
#include "ligament/collision/pair_contacts.h"
#include "ligament/geometry/geometry_error.h"
#include "ligament/geometry/solid_mass.h"
#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

constexpr double R = 2.0;
const Vec3 centre(10.0, -3.0, 1.0);

PlacedShape make_cavity() {
  PlacedShape cavity = make_placed_shape(CavityShape{R});
  cavity.convex.p = centre;
  return cavity;
}

PlacedShape place_at(const Geometry& geometry, const Vec3& p, const Mat3& turned) {
  PlacedShape shape = make_placed_shape(geometry);
  shape.convex.p = p;
  shape.convex.R = turned;
  return shape;
}

// The distance of the farthest point of a body from the centre.
double find_farthest_distance(const Geometry& geometry, const PlacedShape& at) {
  const auto world = [&](const Vec3& x) -> Vec3 { return at.convex.p + at.convex.R * x - centre; };
  if (const auto* sphere = std::get_if<SphereShape>(&geometry))
    return world(Vec3::Zero()).norm() + sphere->radius;
  double most = 0.0;
  if (const auto* capsule = std::get_if<CapsuleShape>(&geometry)) {
    for (const double z : {-1.0, 1.0})
      most = std::max(most, world({0, 0, z * capsule->half_length}).norm() + capsule->radius);
  } else if (const auto* box = std::get_if<BoxShape>(&geometry)) {
    for (int i = 0; i < 8; ++i)
      most = std::max(
          most, world(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).cwiseProduct(box->half))
                    .norm());
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&geometry)) {
    // |e + r d|² with d of unit length across the axis: largest along e's part across, e_⊥.
    for (const double z : {-1.0, 1.0}) {
      const Vec3 e = world({0, 0, z * cylinder->half_length}), axis = at.convex.R.col(2);
      const double along = e.dot(axis), across = (e - along * axis).norm() + cylinder->radius;
      most = std::max(most, std::hypot(along, across));
    }
  } else {
    for (const Vec3& vertex : std::get<ConvexShape>(geometry).hull->vertices)
      most = std::max(most, world(vertex).norm());
  }
  return most;
}

std::vector<Geometry> make_geometries() {
  std::mt19937 generator(11);
  std::vector<Vec3> few, many;
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const auto random = [&] {
    return Vec3(uniform(generator), uniform(generator), uniform(generator));
  };
  for (int i = 0; i < 12; ++i) few.push_back(random());
  for (int i = 0; i < 200; ++i) many.push_back(0.5 * random().normalized());
  return {SphereShape{0.4},        BoxShape{{0.3, 0.5, 0.2}},   CapsuleShape{0.2, 0.5},
          CylinderShape{0.3, 0.4}, ConvexShape{make_hull(few)}, ConvexShape{make_hull(many)}};
}

// The deepest point has the gap of the closed form; every point is on both surfaces along its own
// normal; names differ. Margins are endless, so that points are found however far.
TEST(Cavity, gap_is_that_of_the_farthest_point) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto random = [&] {
    return Vec3(uniform(generator), uniform(generator), uniform(generator));
  };
  const PlacedShape cavity = make_cavity();
  PairContacts contacts;
  for (const Geometry& geometry : make_geometries())
    for (int i = 0; i < 2000; ++i) {
      const Mat3 turned = turn(3.0 * uniform(generator), random());
      const PlacedShape body = place_at(geometry, centre + 1.5 * random(), turned);
      const auto found = contacts.find(cavity, body, 1e9);
      ASSERT_FALSE(found.empty());
      ASSERT_LE(found.size(), 4U);
      double gap = 1e300;
      for (std::size_t k = 0; k < found.size(); ++k) {
        const PairPoint& p = found[k];
        gap = std::min(gap, p.point.gap);
        EXPECT_NEAR((p.point.x - centre).norm(), R, 1e-13 * 20);
        EXPECT_NEAR(p.n.norm(), 1.0, 1e-14);
        EXPECT_LT((p.point.y - p.point.x - p.point.gap * p.n).norm(), 1e-13 * 20);
        for (std::size_t j = 0; j < k; ++j) EXPECT_NE(p.point.feature, found[j].point.feature);
      }
      EXPECT_NEAR(gap, R - find_farthest_distance(geometry, body), 1e-13 * 20) << name_of(geometry);
    }
}

// The other way round: the same points, with the normal turned.
TEST(Cavity, may_be_the_second_of_a_pair) {
  const PlacedShape cavity = make_cavity();
  const PlacedShape box =
      place_at(BoxShape{{0.3, 0.5, 0.2}}, centre + Vec3(0.1, 0.2, -1.7), turn(0.3, {1, 2, 3}));
  PairContacts one, other;
  const auto first = one.find(cavity, box, 0.5), second = other.find(box, cavity, 0.5);
  ASSERT_EQ(first.size(), second.size());
  ASSERT_GT(first.size(), 1U);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].point.x, second[i].point.y);
    EXPECT_EQ(first[i].point.y, second[i].point.x);
    EXPECT_EQ(first[i].n, -second[i].n);
    EXPECT_EQ(first[i].point.feature, second[i].point.feature);
  }
}

// A box that rocks on four corners at the bottom keeps the names of them, and so does a cylinder
// that stands there on its rim.
TEST(Cavity, points_keep_their_names) {
  const PlacedShape cavity = make_cavity();
  for (const Geometry& geometry :
       {Geometry(BoxShape{{0.3, 0.4, 0.2}}), Geometry(CapsuleShape{0.1, 0.5}),
        Geometry(CylinderShape{0.3, 0.4})}) {
    std::vector<std::uint64_t> names;
    PairContacts contacts;
    for (int i = 0; i < 20; ++i) {
      const Mat3 lying = std::holds_alternative<CapsuleShape>(geometry) ? turn(1.5707, {0, 1, 0})
                                                                        : Mat3::Identity();
      const Mat3 turned = turn(1e-3 * i, {1, 0.3, 0}) * lying;
      const PlacedShape body = place_at(geometry, centre + Vec3(0, 0, -1.7), turned);
      std::vector<std::uint64_t> found;
      for (const PairPoint& p : contacts.find(cavity, body, 0.3)) found.push_back(p.point.feature);
      std::ranges::sort(found);
      // The rim that stands level has points of the body; from then on they follow its lowest.
      if (i == 1) names = found;
      if (i > 1) {
        EXPECT_EQ(found, names) << name_of(geometry) << i;
      }
    }
    EXPECT_GE(names.size(), 2U);
  }
}

Model make_bowl_and_ball(const Geometry& geometry, BodyKind kind) {
  ModelBuilder b;
  const BodyId bowl =
      b.add_body({.name = "bowl",
                  .kind = kind,
                  .mass = kind == BodyKind::fixed ? MassProperties{} : sphere_of_mass(1.0, 1.0),
                  .position = centre});
  const BodyId ball = b.add_body(
      {.name = "ball", .mass = sphere_of_mass(0.5, 1.0), .position = centre + Vec3(0.5, 0, 0)});
  b.add_shape({.name = "inside", .body = bowl, .geometry = geometry});
  b.add_shape({.name = "ball", .body = ball, .geometry = SphereShape{0.5}});
  return std::move(b).build();
}

TEST(Cavity, answers_rays_and_distances) {
  const Model model = make_bowl_and_ball(CavityShape{R}, BodyKind::fixed);
  CollisionWorld world(model);
  world.place_shapes(model.initial_state());
  const auto distance = world.find_distance({0}, {1});
  ASSERT_TRUE(distance);
  EXPECT_NEAR(distance->gap, R - 1.0, 1e-14);
  EXPECT_LT((distance->normal - Vec3(-1, 0, 0)).norm(), 1e-14);
  // From a point a off the centre, at right angles to it: √(R² − a²).
  const auto hit = world.cast_ray(centre + Vec3(-1.2, 0, 0), {0, 0, 3});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 1.6, 1e-14);
  EXPECT_LT((hit->normal - Vec3(0.6, 0, -0.8)).norm(), 1e-14);
  // The ball is in between; from the solid the cavity is not seen; too far.
  EXPECT_NEAR(world.cast_ray(centre + Vec3(-1.2, 0, 0), {1, 0, 0})->distance, 1.2, 1e-14);
  EXPECT_FALSE(world.cast_ray(centre + Vec3(0, 0, -2.5), {0, 1, 0}));
  EXPECT_FALSE(world.cast_ray(centre + Vec3(-1.2, 0, 0), {0, 0, 1}, 1.5));
}

TEST(Cavity, is_found_by_the_world_and_refused_where_it_makes_no_sense) {
  const Model model = make_bowl_and_ball(CavityShape{1.0}, BodyKind::fixed);
  CollisionWorld world(model);
  const auto contacts = world.find_contacts(model.initial_state());
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, 0.0, 1e-14);
  EXPECT_THROW(make_bowl_and_ball(CavityShape{1.0}, BodyKind::rigid), ModelError);
  EXPECT_THROW(make_bowl_and_ball(CavityShape{0.0}, BodyKind::fixed), ModelError);
  EXPECT_THROW(compute_solid_mass(CavityShape{1.0}, 1000.0), GeometryError);
}

}  // namespace
}  // namespace ligament
