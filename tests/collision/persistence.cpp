// SPDX-License-Identifier: Apache-2.0
// Contacts keep their points and their names while bodies slide, spin, rock and roll.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "ligament/ligament.h"
#include "ligament/math/rotation.h"

namespace ligament {
namespace {

using Features = std::set<std::uint64_t>;

Features features_of(std::span<const Contact> contacts) {
  Features features;
  for (const Contact& contact : contacts) features.insert(contact.feature);
  return features;
}

struct OnGround {
  explicit OnGround(const Geometry& ground, const Geometry& thing, double density = 1000.0) {
    ModelBuilder builder;
    builder.add_shape({.name = "ground", .geometry = ground});
    const BodyId body = builder.add_body(
        {.name = "thing", .mass = compute_solid_mass(thing, density).about_centre});
    builder.add_shape({.name = "thing", .body = body, .geometry = thing});
    model.emplace(std::move(builder).build());
    world.emplace(*model, ContactOptions{.lookahead = 0.0, .slack = 0.1});
  }
  std::span<const Contact> contacts_at(const Vec3& p, const Quat& e) {
    State state = model->initial_state();
    const int q = model->body(BodyId{1}).q_offset;
    state.q.segment<3>(q) = p;
    state.q.segment<4>(q + 3) << e.w(), e.x(), e.y(), e.z();
    return world->find_contacts(state);
  }
  std::optional<Model> model;
  std::optional<CollisionWorld> world;
};

// A plane as 2 × 2 × cells² triangles, one cell a metre.
std::shared_ptr<const TriangleMesh> make_floor(int cells) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  const int n = 2 * cells + 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) vertices.emplace_back(i - cells, j - cells, 0.0);
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
      triangles.push_back({a, b, d});
      triangles.push_back({a, d, c});
    }
  return make_mesh(vertices, triangles);
}

std::shared_ptr<const HeightField> make_flat_field(int points) {
  return make_height_field(points, points, 1.0, 1.0,
                           std::vector<double>(static_cast<std::size_t>(points * points), 0.0));
}

const std::vector<std::pair<const char*, Geometry>>& grounds() {
  static const std::vector<std::pair<const char*, Geometry>> list{
      {"half space", HalfSpaceShape{}},
      {"plane", PlaneShape{}},
      {"box", BoxShape{Vec3(40, 40, 1)}},
      {"mesh", MeshShape{make_floor(20)}},
      {"field", HeightFieldShape{make_flat_field(41)}}};
  return list;
}

// Where the top of the ground is, and a place well inside it.
Vec3 place_on(const std::string& ground) {
  if (ground == "box") return {0.3, 0.2, 1.0};
  if (ground == "field") return {20.3, 20.2, 0.0};
  return {0.3, 0.2, 0.0};
}

TEST(Persistence, a_box_that_slides_and_spins_keeps_its_four_points_and_their_names) {
  for (const auto& [name, ground] : grounds()) {
    OnGround scene(ground, BoxShape{Vec3(0.5, 0.4, 0.2)});
    const Vec3 start = place_on(name) + Vec3(0, 0, 0.2 - 1e-4);
    const Features first = features_of(scene.contacts_at(start, Quat::Identity()));
    ASSERT_EQ(first.size(), 4U) << name;
    for (int k = 0; k <= 500; ++k) {
      const double t = k / 500.0;
      const Vec3 p = start + Vec3(3.0 * t, 2.0 * std::sin(5.0 * t), 0.0);
      const Quat e = rotation_by(Vec3(0, 0, 7.0 * t));
      const auto contacts = scene.contacts_at(p, e);
      ASSERT_EQ(features_of(contacts), first) << name << " at " << t;
      for (const Contact& contact : contacts) {
        // Corners of the box: half a diagonal from its centre. Rounding of coordinates of 20 m.
        EXPECT_NEAR((contact.point_b - p).head<2>().norm(), std::hypot(0.5, 0.4), 1e-13);
        EXPECT_NEAR(contact.gap, -1e-4, 1e-13) << name;
        EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-15);
      }
    }
  }
}

TEST(Persistence, a_box_that_rocks_keeps_its_names_while_they_are_in_reach) {
  for (const auto& [name, ground] : grounds()) {
    OnGround scene(ground, BoxShape{Vec3(0.5, 0.4, 0.2)});
    const Vec3 start = place_on(name) + Vec3(0, 0, 0.2);
    const Features first = features_of(scene.contacts_at(start, Quat::Identity()));
    ASSERT_EQ(first.size(), 4U) << name;
    for (int k = 0; k <= 200; ++k) {
      const double phase = 0.0314 * k;
      const Quat e = rotation_by(1e-2 * Vec3(std::cos(phase), std::sin(2.0 * phase), 0.0));
      const auto contacts = scene.contacts_at(start, e);
      ASSERT_EQ(features_of(contacts), first) << name << " at " << phase;
      // On a surface of triangles or a box the points are the corners of what lies over each other,
      // found along a normal that may lean by the tilt: the gap is the height to second order.
      for (const Contact& contact : contacts) {
        const double ground_height = place_on(name).z();
        EXPECT_NEAR(contact.gap, contact.point_b.z() - ground_height, 2e-4 * 1e-2) << name;
      }
    }
  }
}

TEST(Persistence, a_box_that_rolls_over_its_edge_keeps_the_edge) {
  OnGround scene(HalfSpaceShape{}, BoxShape{Vec3::Constant(0.5)});
  // About the edge y = 0.5, z = −0.5, by a quarter turn.
  Features edge;
  for (int k = 0; k <= 100; ++k) {
    const double angle = 0.5 * std::numbers::pi * k / 100.0;
    const Quat e = rotation_by(Vec3(-angle, 0, 0));
    const Vec3 p = Vec3(0, 0.5, 0) + e * Vec3(0, -0.5, 0.5);
    const Features now = features_of(scene.contacts_at(p, e));
    if (k == 20) edge = now;
    if (k >= 20 && k <= 80) {
      EXPECT_EQ(now.size(), 2U) << k;
      EXPECT_EQ(now, edge) << k;
    }
    if (k == 0 || k == 100) {
      EXPECT_EQ(now.size(), 4U);
    }
  }
  // The edge is one of the face that it lay on before, and of the one after.
  const Quat rolled = rotation_by(Vec3(-0.5 * std::numbers::pi, 0, 0));
  for (const Quat& e : {Quat::Identity(), rolled}) {
    const Features face = features_of(scene.contacts_at(Vec3(0, 0, 0.5), e));
    for (const std::uint64_t feature : edge) EXPECT_TRUE(face.contains(feature));
  }
}

TEST(Persistence, a_sphere_on_a_triangulated_plane_feels_no_edge) {
  for (const auto& [name, ground] : grounds()) {
    OnGround scene(ground, SphereShape{0.25});
    const Vec3 start = place_on(name) + Vec3(0, 0, 0.25 - 1e-5);
    const Features first = features_of(scene.contacts_at(start, Quat::Identity()));
    for (int k = 0; k <= 4000; ++k) {
      // Across edges at all angles, along the line x = integer, and over grid points.
      const double t = k / 4000.0;
      Vec3 p = start + Vec3(6.0 * t, 3.7 * std::sin(3.0 * t), 0.0);
      if (k % 3 == 1) p.x() = std::round(p.x());
      if (k % 3 == 2) p.head<2>() = p.head<2>().array().round();
      const auto contacts = scene.contacts_at(p, rotation_by(Vec3(0, 24.0 * t, 0)));
      ASSERT_EQ(contacts.size(), 1U) << name << " at " << p.transpose();
      EXPECT_LT((contacts[0].normal - Vec3::UnitZ()).norm(), 1e-9) << name;
      EXPECT_NEAR(contacts[0].gap, -1e-5, 1e-13) << name;
      EXPECT_EQ(features_of(contacts), first) << name;
    }
  }
}

TEST(Persistence, a_capsule_and_a_cylinder_on_a_triangulated_plane_feel_no_edge) {
  const std::vector<std::pair<Geometry, double>> things{{CapsuleShape{0.2, 0.7}, 0.2},
                                                        {CylinderShape{0.2, 0.7}, 0.2}};
  for (const auto& [name, ground] : grounds())
    for (const auto& [thing, height] : things) {
      OnGround scene(ground, thing);
      const Vec3 start = place_on(name) + Vec3(0, 0, height - 1e-5);
      for (int k = 0; k <= 300; ++k) {
        const double t = k / 300.0;
        const Quat lying =
            rotation_by(Vec3(0, 0, 5.0 * t)) * rotation_by({0, std::numbers::pi / 2, 0});
        const auto contacts = scene.contacts_at(start + Vec3(6.0 * t, t, 0.0), lying);
        ASSERT_GE(contacts.size(), 2U) << name << " " << name_of(thing);
        for (const Contact& contact : contacts) {
          EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-9) << name << name_of(thing);
          EXPECT_NEAR(contact.gap, -1e-5, 1e-9) << name << name_of(thing);
        }
      }
    }
}

TEST(Persistence, tangents_turn_smoothly_and_are_across) {
  for (int k = 0; k < 1000; ++k) {
    const double a = 0.0063 * k;
    const Vec3 n = Vec3(std::cos(a), std::sin(3.0 * a), 1.1 + std::sin(a)).normalized();
    const Vec3 m =
        Vec3(std::cos(a + 1e-5), std::sin(3.0 * (a + 1e-5)), 1.1 + std::sin(a + 1e-5)).normalized();
    const Vec3 t = compute_tangent(n);
    EXPECT_NEAR(t.norm(), 1.0, 1e-14);
    EXPECT_NEAR(t.dot(n), 0.0, 1e-14);
    // The shortest turn from z turns the tangent by at most twice as much as the normal, above z =
    // 0.
    EXPECT_LT((compute_tangent(m) - t).norm(), 2.0 * (m - n).norm() + 1e-14);
  }
}

}  // namespace
}  // namespace ligament
