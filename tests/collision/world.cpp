// SPDX-License-Identifier: Apache-2.0
// The collision world: whom it looks at, whom it leaves out, and that it gives the same bits
// always.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>

#include "ligament/ligament.h"
#include "support/random.h"

namespace ligament {
namespace {

using ShapePair = std::pair<std::uint32_t, std::uint32_t>;

std::set<ShapePair> pairs_of(std::span<const Contact> contacts) {
  std::set<ShapePair> pairs;
  for (const Contact& contact : contacts)
    pairs.insert({contact.shape_a.value, contact.shape_b.value});
  return pairs;
}

// Everybody against everybody, by the gap of the pair.
std::set<ShapePair> find_all_pairs(const Model& model, CollisionWorld& world, double margin) {
  std::set<ShapePair> pairs;
  for (std::uint32_t i = 0; i < model.shapes().size(); ++i)
    for (std::uint32_t j = i + 1; j < model.shapes().size(); ++j) {
      const Body &a = model.body(model.shape({i}).body), &b = model.body(model.shape({j}).body);
      if (a.kind == BodyKind::fixed && b.kind == BodyKind::fixed) continue;
      const auto distance = world.find_distance({i}, {j});
      if (distance && distance->gap <= margin) pairs.insert({i, j});
    }
  return pairs;
}

Geometry random_geometry(Random& random, double size) {
  switch (random.index(4)) {
    case 0: return SphereShape{size};
    case 1: return BoxShape{size * (Vec3::Constant(0.6) + 0.5 * random.vector(0.6))};
    case 2: return CapsuleShape{0.5 * size, 0.7 * size};
    default: return CylinderShape{0.7 * size, 0.5 * size};
  }
}

// Bodies of sizes from 1 mm to 1 km, the small ones crowded about the surfaces of the large ones.
Model make_crowd(Random& random, int count) {
  ModelBuilder builder;
  for (int i = 0; i < count; ++i) {
    const double size = random.scale(1e-3, i % 50 == 0 ? 1e3 : 1.0);
    const Vec3 p = random.scale(0.1, 50.0) * random.direction();
    const bool fixed = i % 3 == 0;
    const BodyId body = builder.add_body({.kind = fixed ? BodyKind::fixed : BodyKind::rigid,
                                          .position = p,
                                          .orientation = random.rotation()});
    builder.add_shape({.body = body, .geometry = random_geometry(random, size)});
  }
  builder.add_shape({.geometry = HalfSpaceShape{}, .pose = {Vec3(0, 0, -5)}});
  return std::move(builder).build();
}

void move_bodies(const Model& model, Random& random, double size, double share, State& state) {
  for (std::size_t i = 1; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (body.kind == BodyKind::fixed || random.uniform(0.0, 1.0) > share) continue;
    state.q.segment<3>(body.q_offset) += random.vector(size);
    const Quat e = random.rotation();
    state.q.segment<4>(body.q_offset + 3) << e.w(), e.x(), e.y(), e.z();
  }
}

TEST(CollisionWorld, finds_all_pairs_whatever_their_sizes_and_however_they_move) {
  Random random(1);
  const Model model = make_crowd(random, 200);
  const ContactOptions options{.lookahead = 0.0, .slack = 0.0};
  CollisionWorld world(model, options);
  State state = model.initial_state();
  std::size_t found = 0;
  for (int step = 0; step < 12; ++step) {
    // Little steps of few, then of all, then leaps.
    move_bodies(model, random, step < 8 ? 0.05 : 5.0, step < 4 ? 0.1 : 1.0, state);
    const auto contacts = world.find_contacts(state);
    found += contacts.size();
    EXPECT_EQ(pairs_of(contacts), find_all_pairs(model, world, 0.0)) << "step " << step;
  }
  EXPECT_GT(found, 100U);
  EXPECT_LT(world.counts().rebuilds, 12U);
}

bool same_bits(std::span<const Contact> one, std::span<const Contact> other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Contact &a = one[i], &b = other[i];
    if (a.shape_a != b.shape_a || a.shape_b != b.shape_b || a.feature != b.feature ||
        std::memcmp(&a.gap, &b.gap, sizeof a.gap) != 0 || a.normal != b.normal ||
        a.point_a != b.point_a || a.point_b != b.point_b || a.tangent != b.tangent)
      return false;
  }
  return true;
}

TEST(CollisionWorld, gives_the_same_bits_for_any_number_of_threads_and_any_past) {
  Random random(2);
  const Model model = make_crowd(random, 600);
  CollisionWorld one(model), three(model, {.threads = 3});
  State state = model.initial_state();
  for (int step = 0; step < 10; ++step) {
    move_bodies(model, random, step == 5 ? 5.0 : 0.02, 0.5, state);
    const auto contacts = one.find_contacts(state);
    CollisionWorld fresh(model);
    EXPECT_TRUE(same_bits(contacts, three.find_contacts(state))) << step;
    EXPECT_TRUE(same_bits(contacts, fresh.find_contacts(state))) << step;
  }
}

// [CO.12]: at rest, what stands side by side is not about to touch, and what hangs over something
// else may fall on it: by h² g, 2.7 mm in a sixtieth of a second.
TEST(CollisionWorld, what_is_at_rest_reaches_as_far_as_it_falls) {
  const auto contacts_of = [](const Vec3& place, const Quat& turned, const Vec3& velocity) {
    ModelBuilder b{{.gravity = turned * Vec3(0, 0, -9.81)}};
    const MassProperties mass = solid_box(Vec3::Constant(0.1), 1000.0);
    for (const Vec3& at : {Vec3(0, 0, 0), place}) {
      const BodyId box = b.add_body({.mass = mass,
                                     .position = turned * at,
                                     .orientation = turned,
                                     .velocity = at == place ? velocity : Vec3(0, 0, 0)});
      b.add_shape({.body = box, .geometry = BoxShape{Vec3::Constant(0.1)}});
    }
    const Model model = std::move(b).build();
    return CollisionWorld(model, {.slack = 0.0}).find_contacts(model.initial_state()).size();
  };
  const double fall = 9.81 / 3600;
  for (const Quat& turned : {Quat::Identity(), Quat(0.8, 0.1, -0.5, 0.3).normalized()}) {
    EXPECT_EQ(contacts_of({0.2 + 1e-5, 0, 0}, turned, Vec3::Zero()), 0U);
    EXPECT_EQ(contacts_of({0, 0, 0.2 + 0.99 * fall}, turned, Vec3::Zero()), 4U);
    EXPECT_EQ(contacts_of({0, 0, -0.2 - 0.99 * fall}, turned, Vec3::Zero()), 4U);
    EXPECT_EQ(contacts_of({0, 0, 0.2 + 1.01 * fall}, turned, Vec3::Zero()), 0U);
    // What moves reaches as far as it gets, whatever the direction.
    const Vec3 sideways = turned * Vec3(-0.06, 0, 0);  // 1 mm in the step
    EXPECT_EQ(contacts_of({0.2 + 0.99e-3, 0, 0}, turned, sideways), 4U);
    EXPECT_EQ(contacts_of({0.2 + 1.01e-3, 0, 0}, turned, sideways), 0U);
    EXPECT_EQ(contacts_of({0, 0, 0.2 + 0.99 * fall + 1e-3}, turned, sideways), 4U);
  }
}

// Two unit spheres that overlap, with options for each.
struct TwoSpheres {
  BodySpec a{.name = "a"}, b{.name = "b", .position = {0.8, 0, 0}};
  ShapeSpec shape_a{.geometry = SphereShape{0.5}}, shape_b{.geometry = SphereShape{0.5}};
  std::size_t contacts(const std::function<void(ModelBuilder&, BodyId, BodyId)>& add = {}) const {
    ModelBuilder builder;
    const BodyId id_a = builder.add_body(a), id_b = builder.add_body(b);
    ShapeSpec one = shape_a, other = shape_b;
    one.body = id_a;
    other.body = id_b;
    builder.add_shape(one);
    builder.add_shape(other);
    if (add) add(builder, id_a, id_b);
    const Model model = std::move(builder).build();
    return CollisionWorld(model).find_contacts(model.initial_state()).size();
  }
};

TEST(CollisionWorld, groups_and_masks_must_agree_on_both_sides) {
  TwoSpheres scene;
  EXPECT_EQ(scene.contacts(), 1U);
  scene.shape_a.group = 2;
  scene.shape_b.mask = 1;
  EXPECT_EQ(scene.contacts(), 0U);
  scene.shape_b.mask = 3;
  EXPECT_EQ(scene.contacts(), 1U);
  scene.shape_a.mask = 4;
  EXPECT_EQ(scene.contacts(), 0U);
}

TEST(CollisionWorld, bodies_that_a_joint_ties_do_not_touch_unless_asked) {
  const TwoSpheres scene;
  const auto with = [&](const JointSpec& joint) {
    return scene.contacts([&](ModelBuilder& builder, BodyId a, BodyId b) {
      JointSpec placed = joint;
      std::visit([&](auto& spec) { spec.a = a, spec.b = b; }, placed);
      builder.add_joint(placed);
    });
  };
  EXPECT_EQ(with(Hinge{.point = {0.4, 0, 0}}), 0U);
  EXPECT_EQ(with(Hinge{.point = {0.4, 0, 0}, .contacts = true}), 1U);
  EXPECT_EQ(with(Bushing{.point = {0.4, 0, 0}, .stiffness = Vec3::Ones()}), 0U);
  EXPECT_EQ(with(Distance{}), 1U);
  EXPECT_EQ(with(Spring{.stiffness = 1.0}), 1U);
}

TEST(CollisionWorld, fixed_bodies_and_shapes_of_one_body_do_not_touch) {
  TwoSpheres scene;
  scene.a.kind = scene.b.kind = BodyKind::fixed;
  EXPECT_EQ(scene.contacts(), 0U);
  scene.b.kind = BodyKind::rigid;
  EXPECT_EQ(scene.contacts(), 1U);
  EXPECT_EQ(scene.contacts([&](ModelBuilder& builder, BodyId, BodyId b) {
    builder.add_shape({.body = b, .geometry = SphereShape{0.2}});
  }),
            1U);
}

TEST(CollisionWorld, margins_grow_with_speed_and_step) {
  TwoSpheres scene;
  scene.b.position = {1.5, 0, 0};  // a gap of 0.5 m
  EXPECT_EQ(scene.contacts(), 0U);
  scene.b.velocity = {-29.9, 0, 0};  // 0.4983 m in 1/60 s, and 2 · 0.2 % of 0.5 m
  EXPECT_EQ(scene.contacts(), 1U);
  scene.b.velocity = {-29.8, 0, 0};
  EXPECT_EQ(scene.contacts(), 0U);
}

TEST(CollisionWorld, sleepers_have_contacts_with_the_awake_only) {
  Random random(7);
  const Model model = make_crowd(random, 300);
  CollisionWorld world(model), other(model);
  State state = model.initial_state();
  std::vector<unsigned char> sleepers(model.bodies().size(), 0);
  const auto sleeps = [&](BodyId id) {
    return sleepers[id.index()] || model.body(id).kind == BodyKind::fixed;
  };
  for (int step = 0; step < 6; ++step) {
    // Everybody moves; then half of them fall asleep where they are, and the others go on.
    if (step < 3) move_bodies(model, random, 0.05, 1.0, state);
    if (step >= 3)
      for (std::size_t i = 1; i < sleepers.size(); ++i) {
        sleepers[i] = i % 2 == 0;
        const Body& body = model.bodies()[i];
        if (body.kind != BodyKind::fixed && !sleepers[i])
          state.q.segment<3>(body.q_offset) += random.vector(0.05);
      }
    std::vector<Contact> expected;
    for (const Contact& contact : other.find_contacts(state))
      if (!sleeps(contact.a) || !sleeps(contact.b)) expected.push_back(contact);
    EXPECT_TRUE(same_bits(world.find_contacts(state, sleepers), expected)) << step;
  }
}

TEST(CollisionWorld, a_pose_that_is_not_finite_names_its_body_and_spoils_nothing) {
  Random random(3);
  const Model model = make_crowd(random, 100);
  CollisionWorld world(model), healthy(model);
  State state = model.initial_state();
  const BodyId sick{2};
  state.q(model.body(sick).q_offset + 1) = std::numeric_limits<double>::quiet_NaN();
  std::size_t others = 0;
  for (const Contact& contact : healthy.find_contacts(model.initial_state()))
    others += contact.a != sick && contact.b != sick;
  for (int call = 0; call < 2; ++call) {
    const auto contacts = world.find_contacts(state);
    EXPECT_EQ(contacts.size(), others);
    ASSERT_EQ(world.culprits().size(), 1U);
    EXPECT_EQ(world.culprits()[0], sick);
  }
  EXPECT_TRUE(same_bits(world.find_contacts(model.initial_state()),
                        healthy.find_contacts(model.initial_state())));
  EXPECT_TRUE(world.culprits().empty());
}

// Ground that moves as prescribed: a plane has no end and a mesh no ball around it.
TEST(CollisionWorld, ground_with_a_pose_that_is_not_finite_is_named_while_it_lasts) {
  ModelBuilder builder;
  const BodyId ground =
      builder.add_body({.kind = BodyKind::fixed, .motion = [](double) { return Frame{}; }});
  builder.add_shape({.body = ground, .geometry = HalfSpaceShape{}});
  builder.add_shape(
      {.body = ground,
       .geometry = MeshShape{make_mesh({{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}})}});
  builder.add_shape({.body = builder.add_body({}), .geometry = SphereShape{0.5}});
  const Model model = std::move(builder).build();
  CollisionWorld world(model);
  for (const bool sick : {false, true, false}) {
    State state = model.initial_state();
    if (sick) state.q(model.body(ground).q_offset) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(world.find_contacts(state).size(), sick ? 0U : 2U);
    ASSERT_EQ(world.culprits().size(), sick ? 1U : 0U);
    if (sick) {
      EXPECT_EQ(world.culprits()[0], ground);
    }
  }
}

TEST(CollisionWorld, coincident_and_deeply_overlapping_bodies_give_finite_contacts) {
  Random random(4);
  const auto hull = [] {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, (i >> 1) & 1, i >> 2);
    for (Vec3& point : points) point -= Vec3::Constant(0.5);
    return make_hull(points);
  }();
  const std::vector<Geometry> all{SphereShape{0.5}, BoxShape{}, CapsuleShape{}, CylinderShape{},
                                  ConvexShape{hull}};
  for (const Geometry& a : all)
    for (const Geometry& b : all)
      for (int k = 0; k < 200; ++k) {
        ModelBuilder builder;
        const Vec3 p = k == 0 ? Vec3(Vec3::Zero()) : Vec3(random.vector(0.1));  // 90 % overlap
        const Quat e = k % 2 == 0 ? Quat::Identity() : random.rotation();
        builder.add_shape({.body = builder.add_body({}), .geometry = a});
        builder.add_shape(
            {.body = builder.add_body({.position = p, .orientation = e}), .geometry = b});
        const Model model = std::move(builder).build();
        CollisionWorld world(model);
        const auto contacts = world.find_contacts(model.initial_state());
        ASSERT_GE(contacts.size(), 1U) << name_of(a) << " " << name_of(b);
        for (const Contact& contact : contacts) {
          ASSERT_TRUE(contact.point_a.allFinite() && contact.point_b.allFinite());
          EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-12);
          EXPECT_GT(contact.gap, -2.5);
          EXPECT_NEAR((contact.point_b - contact.point_a - contact.gap * contact.normal).norm(),
                      0.0, 1e-9);
        }
        EXPECT_LT(std::ranges::min_element(contacts, {}, &Contact::gap)->gap, 0.0);
      }
}

// Rotated and moved by 10 km: positions are rounded to 1e4 · 1.1e-16 = 1e-12 m, and normals of
// points at a gap δ by 1e-12/δ; gaps below 1e-4 m are left out by the choice of poses (random, so
// none is).
TEST(CollisionWorld, contacts_do_not_depend_on_the_frame_of_the_world) {
  Random random(5);
  const Quat turn = random.rotation();
  const Vec3 shift = 1e4 * random.direction();
  const auto build = [&](bool moved) {
    Random same(6);
    ModelBuilder builder;
    for (int i = 0; i < 120; ++i) {
      const Vec3 p = same.vector(2.0);
      const Quat e = same.rotation();
      const Geometry geometry = random_geometry(same, 0.4);
      builder.add_shape({.body = builder.add_body({.position = moved ? Vec3(shift + turn * p) : p,
                                                   .orientation = moved ? turn * e : e}),
                         .geometry = geometry});
    }
    return std::move(builder).build();
  };
  const Model here = build(false), there = build(true);
  CollisionWorld world_here(here), world_there(there);
  const auto a = world_here.find_contacts(here.initial_state());
  const auto b = world_there.find_contacts(there.initial_state());
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 50U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].shape_a, b[i].shape_a);
    EXPECT_EQ(a[i].shape_b, b[i].shape_b);
    EXPECT_EQ(a[i].feature, b[i].feature);
    EXPECT_NEAR(a[i].gap, b[i].gap, 1e-10);
    EXPECT_LT((turn * a[i].normal - b[i].normal).norm(), 1e-8);
    EXPECT_LT((shift + turn * a[i].point_a - b[i].point_a).norm(), 1e-8);
  }
}

TEST(CollisionWorld, options_out_of_range_are_named) {
  const Model model = ModelBuilder().build();
  for (const ContactOptions& bad :
       {ContactOptions{.lookahead = -1.0}, ContactOptions{.slack = std::nan("")},
        ContactOptions{.threads = 0}})
    EXPECT_THROW(CollisionWorld(model, bad), std::invalid_argument);
  CollisionWorld empty(model);
  EXPECT_TRUE(empty.find_contacts(model.initial_state()).empty());
  EXPECT_FALSE(empty.cast_ray({0, 0, 0}, {1, 0, 0}));
}

}  // namespace
}  // namespace ligament
