// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields: the same contacts as the shapes that they describe.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ligament/ligament.h"
#include "ligament/math/rotation.h"
#include "support/random.h"

namespace ligament {
namespace {

// A box as a mesh of 12 triangles, or of 12 n² with n > 1.
std::shared_ptr<const TriangleMesh> make_box_mesh(const Vec3& half, int n) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto first = static_cast<std::int32_t>(vertices.size());
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
          Vec3 x;
          x(axis) = side * half(axis);
          x(u) = (2.0 * i / n - 1.0) * half(u);
          x(v) = (2.0 * j / n - 1.0) * half(v);
          vertices.push_back(x);
        }
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const std::int32_t a = first + j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
          if (side > 0.0) {
            triangles.push_back({a, b, d});
            triangles.push_back({a, d, c});
          } else {
            triangles.push_back({a, d, b});
            triangles.push_back({a, c, d});
          }
        }
    }
  return make_mesh(vertices, triangles);
}

// A thing over a mesh and over the primitive that the mesh is of.
struct Twins {
  Twins(const Geometry& one, const Geometry& other, const Geometry& thing) {
    ModelBuilder builder;
    builder.add_shape({.geometry = one});
    builder.add_shape({.geometry = other});
    const BodyId body = builder.add_body({});
    builder.add_shape({.body = body, .geometry = thing});
    model.emplace(std::move(builder).build());
    world.emplace(*model, ContactOptions{.lookahead = 0.0, .slack = 0.5});
  }
  void place(const Vec3& p, const Quat& e) {
    State state = model->initial_state();
    const int q = model->body(BodyId{1}).q_offset;
    state.q.segment<3>(q) = p;
    state.q.segment<4>(q + 3) << e.w(), e.x(), e.y(), e.z();
    contacts[0].clear();
    contacts[1].clear();
    for (const Contact& contact : world->find_contacts(state))
      contacts[contact.shape_a.index()].push_back(contact);
  }
  const Contact& deepest(std::size_t i) const {
    return *std::ranges::min_element(contacts[i], {}, &Contact::gap);
  }
  std::optional<Model> model;
  std::optional<CollisionWorld> world;
  std::vector<Contact> contacts[2];
};

// Apart the gap of a mesh is that of the solid, whatever its triangles: to a few roundings of 1 m,
// and the normal to as many over the gap.
TEST(Surfaces, a_mesh_of_a_box_has_the_gaps_of_the_box) {
  Random random(21);
  const Vec3 half(0.6, 0.8, 0.5);
  std::vector<Vec3> wedge;  // a prism over a triangle
  for (const double z : {-0.3, 0.3})
    for (const double x : {-0.3, 0.0, 0.3}) wedge.emplace_back(x, x == 0.0 ? 0.35 : -0.2, z);
  const std::vector<Geometry> things{SphereShape{0.3}, CapsuleShape{0.2, 0.3},
                                     BoxShape{Vec3(0.3, 0.2, 0.4)}, CylinderShape{0.3, 0.2},
                                     ConvexShape{make_hull(wedge)}};
  for (const int n : {1, 4})
    for (const Geometry& thing : things) {
      Twins twins(BoxShape{half}, MeshShape{make_box_mesh(half, n)}, thing);
      int apart = 0;
      for (int k = 0; k < 4000; ++k) {
        twins.place(random.vector(1.3), random.rotation());
        // The thinnest thing has half a half size of 0.2 m as its margin.
        if (twins.contacts[0].empty() || twins.deepest(0).gap < 1e-6 || twins.deepest(0).gap > 0.1)
          continue;
        ++apart;
        ASSERT_FALSE(twins.contacts[1].empty()) << name_of(thing) << " " << twins.deepest(0).gap;
        const double gap = twins.deepest(0).gap;
        EXPECT_NEAR(twins.deepest(1).gap, gap, 1e-13) << name_of(thing);
        EXPECT_LT((twins.deepest(1).normal - twins.deepest(0).normal).norm(), 1e-13 / gap)
            << name_of(thing) << " " << gap;
      }
      EXPECT_GT(apart, 50) << name_of(thing);
    }
}

// Overlapping, a sphere whose centre is outside has the same contact to rounding.
TEST(Surfaces, a_sphere_in_a_mesh_of_a_box_has_its_gap_and_normal) {
  Random random(22);
  const Vec3 half(0.6, 0.8, 0.5);
  Twins twins(BoxShape{half}, MeshShape{make_box_mesh(half, 3)}, SphereShape{0.3});
  int overlapping = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3 p = random.vector(1.1);
    if ((p.cwiseAbs() - half).maxCoeff() < 1e-6) continue;
    twins.place(p, Quat::Identity());
    if (twins.contacts[0].empty() || twins.deepest(0).gap > 0.15) continue;
    overlapping += twins.deepest(0).gap < 0.0;
    ASSERT_EQ(twins.contacts[1].size(), 1U) << p.transpose();
    EXPECT_NEAR(twins.deepest(1).gap, twins.deepest(0).gap, 1e-14);
    EXPECT_LT((twins.deepest(1).normal - twins.deepest(0).normal).norm(), 1e-9);
  }
  EXPECT_GT(overlapping, 2000);
}

// Shallow overlap with a face: the depth of the box, four points.
TEST(Surfaces, a_box_that_sinks_into_a_mesh_of_a_box_comes_out_at_its_face) {
  Random random(23);
  const Vec3 half(0.6, 0.8, 0.5);
  Twins twins(BoxShape{half}, MeshShape{make_box_mesh(half, 3)}, BoxShape{Vec3(0.2, 0.2, 0.2)});
  for (int k = 0; k < 500; ++k) {
    const double depth = 0.03 * random.uniform(0.0, 1.0);
    const Quat turn = rotation_by({0, 0, random.uniform(-3.0, 3.0)});
    twins.place({0.3 * random.uniform(), 0.4 * random.uniform(), 0.7 - depth}, turn);
    for (const auto& contacts : twins.contacts) {
      ASSERT_EQ(contacts.size(), 4U);
      for (const Contact& contact : contacts) {
        EXPECT_NEAR(contact.gap, -depth, 1e-14);
        EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-14);
      }
    }
  }
}

// Two slopes that meet: hollow (a valley) or sticking out (a ridge).
std::shared_ptr<const HeightField> make_roof(double slope) {
  std::vector<double> heights;
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) heights.push_back(slope * std::abs(i - 4));
  return make_height_field(9, 9, 1.0, 1.0, heights);
}

struct Terrain {
  Terrain(std::shared_ptr<const HeightField> field, const Geometry& thing) {
    ModelBuilder builder;
    builder.add_shape({.geometry = HeightFieldShape{std::move(field)}});
    builder.add_shape({.body = builder.add_body({}), .geometry = thing});
    model.emplace(std::move(builder).build());
    world.emplace(*model, ContactOptions{.lookahead = 0.0, .slack = 0.02});
  }
  std::span<const Contact> contacts_at(const Vec3& p) {
    State state = model->initial_state();
    state.q.segment<3>(model->body(BodyId{1}).q_offset) = p;
    return world->find_contacts(state);
  }
  std::optional<Model> model;
  std::optional<CollisionWorld> world;
};

TEST(Surfaces, a_sphere_in_a_valley_touches_both_sides) {
  // |cos| of slope 1 is 1/√2: a ball of radius r touches both at the height r √2 of its centre.
  const double r = 0.4;
  Terrain terrain(make_roof(1.0), SphereShape{r});
  for (int k = 0; k < 200; ++k) {
    const double y = 1.0 + 0.03 * k, depth = 1e-3;
    const auto contacts = terrain.contacts_at({4.0, y, (r - depth) * std::sqrt(2.0)});
    ASSERT_EQ(contacts.size(), 2U) << y;
    EXPECT_NE(contacts[0].feature, contacts[1].feature);
    for (const Contact& contact : contacts) {
      EXPECT_NEAR(contact.gap, -depth, 1e-14);
      EXPECT_NEAR(std::abs(contact.normal.x()), std::sqrt(0.5), 1e-14);
      EXPECT_NEAR(contact.normal.y(), 0.0, 1e-14);
    }
    EXPECT_LT(contacts[0].normal.x() * contacts[1].normal.x(), 0.0);
  }
}

TEST(Surfaces, a_sphere_on_a_ridge_turns_from_one_side_to_the_other) {
  const double r = 0.4;
  Terrain terrain(make_roof(-1.0), SphereShape{r});
  for (int k = 0; k <= 400; ++k) {
    const double angle = (k / 200.0 - 1.0) * 0.99 * std::numbers::pi / 4.0;
    const Vec3 n(std::sin(angle), 0.0, std::cos(angle));
    const auto contacts = terrain.contacts_at(Vec3(4.0, 1.05 + 0.01 * k, 0.0) + (r - 1e-3) * n);
    ASSERT_EQ(contacts.size(), 1U) << angle;
    EXPECT_NEAR(contacts[0].gap, -1e-3, 1e-13);
    EXPECT_LT((contacts[0].normal - n).norm(), 1e-9);
  }
}

// A smooth hill: a ball that is carried over it at the height of the true surface sees gaps and
// normals that are those of the triangles. Continuous: the gap changes by no more than the ball
// moves, since it is a distance.
TEST(Surfaces, gaps_over_a_terrain_are_continuous) {
  std::vector<double> heights;
  for (int j = 0; j < 21; ++j)
    for (int i = 0; i < 21; ++i) heights.push_back(0.8 * std::sin(0.7 * i) * std::cos(0.5 * j));
  Terrain terrain(make_height_field(21, 21, 0.5, 0.5, heights), SphereShape{0.3});
  double last = std::numeric_limits<double>::quiet_NaN();
  Vec3 last_p = Vec3::Zero();
  int compared = 0;
  for (int k = 0; k < 20000; ++k) {
    const double t = k / 20000.0;
    const Vec3 p(
        1.0 + 8.0 * t, 5.0 + 3.0 * std::sin(9.0 * t),
        0.8 * std::sin(1.4 * (1.0 + 8.0 * t)) * std::cos(5.0 + 3.0 * std::sin(9.0 * t)) + 0.3);
    double gap = std::numeric_limits<double>::quiet_NaN();
    for (const Contact& contact : terrain.contacts_at(p))
      gap = std::isnan(gap) ? contact.gap : std::min(gap, contact.gap);
    if (!std::isnan(gap) && !std::isnan(last)) {
      ++compared;
      EXPECT_LE(std::abs(gap - last), (p - last_p).norm() + 1e-12) << p.transpose();
    }
    last = gap;
    last_p = p;
  }
  EXPECT_GT(compared, 5000);
}

TEST(Surfaces, a_box_flush_with_a_side_of_a_mesh_feels_this_side_only) {
  const Vec3 half(0.6, 0.8, 0.5);
  Twins twins(BoxShape{half}, MeshShape{make_box_mesh(half, 2)}, BoxShape{Vec3::Constant(0.5)});
  for (const double gap : {-1e-6, 0.0, 1e-9, 1e-4}) {
    twins.place({1.1 + gap, 0.1, 0.0}, Quat::Identity());  // bottom and top are flush as well
    for (const auto& contacts : twins.contacts) {
      ASSERT_EQ(contacts.size(), 4U) << gap;
      for (const Contact& contact : contacts) {
        EXPECT_LT((contact.normal - Vec3::UnitX()).norm(), 1e-14) << gap;
        EXPECT_NEAR(contact.gap, gap, 1e-14);
      }
    }
  }
}

// A body that lies on many thousands of bumps at once: no more than in proportion to their number.
// (With every bump against every other it would take minutes.)
TEST(Surfaces, a_large_body_on_a_fine_terrain_is_no_problem) {
  constexpr int points = 301;
  std::vector<double> heights;
  for (int j = 0; j < points; ++j)
    for (int i = 0; i < points; ++i) heights.push_back((i + j) % 2 == 0 ? 0.0 : 0.01);
  Terrain terrain(make_height_field(points, points, 0.02, 0.02, heights),
                  BoxShape{Vec3(2.5, 2.5, 1)});
  const auto contacts = terrain.contacts_at({3.0, 3.0, 1.009});
  ASSERT_GE(contacts.size(), 3U);
  ASSERT_LE(contacts.size(), 32U);
  // The tops are at 0.01, the bottom of the box at 0.009.
  EXPECT_NEAR(std::ranges::min_element(contacts, {}, &Contact::gap)->gap, -1e-3, 1e-9);
}

// Hills with slopes of 30 degrees: a slab lies on their tops, and no point is deeper in them than
// they are high, or elsewhere than on both.
TEST(Surfaces, a_slab_on_hills_touches_their_tops) {
  constexpr int points = 709;
  std::vector<double> heights;
  for (int j = 0; j < points; ++j)
    for (int i = 0; i < points; ++i)
      heights.push_back(0.02 * std::sin(0.3 * i) * std::cos(0.2 * j));
  Terrain terrain(make_height_field(points, points, 0.01, 0.01, heights),
                  BoxShape{Vec3(3.0, 3.0, 0.5)});
  const auto contacts = terrain.contacts_at({3.5, 3.5, 0.515});
  ASSERT_GE(contacts.size(), 3U);
  for (const Contact& contact : contacts) {
    EXPECT_GT(contact.gap, -0.0051);  // 0.02 − 0.015, along normals that lean
    EXPECT_LT(contact.point_a.z(), 0.0201);
    EXPECT_NEAR(contact.point_b.z(), 0.015, 1e-3);
  }
}

// A torus about the z axis, and a ball on its top: there is a corner just there.
TEST(Surfaces, a_million_triangles_are_no_problem) {
  constexpr int around = 1000, across = 500;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2.0 * std::numbers::pi * i / around, v = 2.0 * std::numbers::pi * j / across;
      const double rho = 1.0 + 0.3 * std::cos(v);
      vertices.emplace_back(rho * std::cos(u), rho * std::sin(u), 0.3 * std::sin(v));
      const int a = i * across + j, b = i * across + (j + 1) % across;
      const int c = (i + 1) % around * across + j, d = (i + 1) % around * across + (j + 1) % across;
      triangles.push_back({a, c, d});
      triangles.push_back({a, d, b});
    }
  const auto mesh = make_mesh(vertices, triangles);
  EXPECT_TRUE(mesh->closed && mesh->warnings.empty());
  // A torus within polygons of 1000 and 500 corners: short of area by (2π/n)²/6.
  const double volume = 2.0 * std::numbers::pi * std::numbers::pi * 0.09;
  EXPECT_NEAR(mesh->volume, volume, 1e-4 * volume);
  ModelBuilder builder;
  builder.add_shape({.geometry = MeshShape{mesh}});
  builder.add_shape(
      {.body = builder.add_body({.position = {1.0, 0.0, 0.3999}}), .geometry = SphereShape{0.1}});
  const Model model = std::move(builder).build();
  CollisionWorld world(model);
  const auto contacts = world.find_contacts(model.initial_state());
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].gap, -1e-4, 1e-14);
  EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Surfaces, what_is_wholly_behind_is_left_alone) {
  const double t = 0.05;  // a thin deck
  Twins twins(MeshShape{make_box_mesh(Vec3(5, 5, t), 2)},
              MeshShape{make_box_mesh(Vec3(5, 5, t), 5)}, BoxShape{Vec3::Constant(0.5)});
  twins.place({0.1, 0.2, -t - 0.5 + 1e-3}, Quat::Identity());  // touches from below
  for (const auto& contacts : twins.contacts) {
    ASSERT_EQ(contacts.size(), 4U);
    for (const Contact& contact : contacts) {
      EXPECT_NEAR(contact.gap, -1e-3, 1e-14);
      EXPECT_LT((contact.normal + Vec3::UnitZ()).norm(), 1e-14);
    }
  }
}

}  // namespace
}  // namespace ligament
