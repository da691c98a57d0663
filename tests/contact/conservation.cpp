// SPDX-License-Identifier: Apache-2.0
// What contacts must not change: momentum, the energy's sign, and the motion itself, if the world
// is turned or moved or the work is shared among threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

class Conservation : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Conservation, ::testing::ValuesIn(both_methods()), name_of_method);

struct CloudOptions {
  int bodies = 12;
  Vec3 drift = Vec3::Zero();  // [m/s] of all
  double e = 0.0;
  bool round = false;  // spheres and cubes only: angular velocity is momentum over one number
};

// Boxes, balls and capsules that fly at each other, turning, without gravity.
Model make_cloud(const CloudOptions& options) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  Random random(7);
  const MaterialId stuff = b.add_material(
      {"stuff", scenes::half_of({.friction = 0.4, .restitution = options.e, .compliance = 1e-8})});
  for (int i = 0; i < options.bodies; ++i) {
    const Vec3 place(i % 3 - 1.0, (i / 3) % 2 - 0.5, i / 6 - 0.5);
    const double mass = random.uniform(0.5, 2.0), size = 0.2;
    BodySpec body{.name = fmt::format("body {}", i),
                  .position = 0.9 * place + random.vector(0.05),
                  .orientation = random.rotation(),
                  .velocity = options.drift - 2.0 * place + random.vector(0.5),
                  .angular_velocity = random.vector(3.0)};
    Geometry geometry;
    if (i % 3 == 0) {
      geometry = SphereShape{size};
      body.mass = sphere_of_mass(size, mass);
    } else if (i % 3 == 1 || options.round) {
      const Vec3 half =
          options.round ? Vec3(Vec3::Constant(size)) : Vec3(size, 0.7 * size, 0.5 * size);
      geometry = BoxShape{half};
      body.mass = box_of_mass(half, mass);
    } else {
      geometry = CapsuleShape{0.5 * size, size};
      body.mass = cylinder_of_mass(0.5 * size, 1.4 * size, mass);
    }
    const BodyId id = b.add_body(body);
    b.add_shape({.body = id, .geometry = geometry, .material = stuff});
  }
  return std::move(b).build();
}

// Impulses act on both bodies at the same point, so that only rounding is left: of 12 bodies of
// about 1 kg m/s and 1 kg m²/s in 120 steps, 1e-16 · 12 · 120 at the most.
TEST_P(Conservation, contacts_keep_momentum_and_angular_momentum) {
  for (const double e : {0.0, 0.6})
    for (const auto law : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
      const Model model = make_cloud({.e = e});
      const Method method = with_contacts(GetParam(), {.restitution = law});
      State state = model.initial_state();
      const Momentum before = compute_momentum(model, state);
      const RunReport report = run(model, method.stepper, state, {.t_end = 2.0});
      EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
      EXPECT_GT(report.contacts, 5);
      const Momentum after = compute_momentum(model, state);
      EXPECT_LT(measured("momentum [N s]", (after.linear - before.linear).norm()), 2e-13);
      EXPECT_LT(measured("angular momentum [N m s]", (after.angular - before.angular).norm()),
                2e-13);
    }
}

// In a step that starts without penetration every b ≤ 0, and contacts can only take energy: K(u) −
// K(u_free) = −½ λᵀ A λ − λᵀ Σ λ + λᵀ b − λᵀ r, where r is what the solver leaves. In others the
// springs of the contacts give back what they took before.
TEST_P(Conservation, inelastic_impact_never_adds_energy) {
  const Model model = make_cloud({.round = true});
  State state = model.initial_state();
  Workspace work(model);
  double energy = compute_energy(model, state).total();
  const double start = energy;
  int counted = 0;
  for (int i = 0; i < 120; ++i) {
    const StepReport report = step(GetParam().stepper, model, state, work);
    ASSERT_TRUE(report.ok());
    const double after = compute_energy(model, state).total();
    EXPECT_LT(after, start * (1.0 + 1e-12)) << "step " << i;
    if (report.penetration == 0.0) {
      EXPECT_LT(after - energy, std::max(0.0, report.injected_energy) + 1e-12 * start)
          << "step " << i;
      if (report.largest_press > 0.0) ++counted;
    }
    energy = after;
  }
  EXPECT_GT(counted, 3);
  EXPECT_LT(measured("energy left", energy / start), 0.9);
}

// ---- What the motion does not depend on ----

// A block and a ball that are thrown along a floor, spinning, all in the frame W. They start a
// nanometre deep: whether a gap that is zero but for rounding counts as open or as touched depends
// on the frame, and for one step these have other springs [JO.16].
constexpr double start_depth = 1e-9;

Model make_throw(const Frame& W) {
  ModelBuilder b{{.gravity = W.R * Vec3(0, 0, -9.81)}};
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.4))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .pose = W, .material = stuff});
  const auto throw_body = [&](BodySpec body, const Geometry& geometry) {
    body.position = W.p + W.R * body.position;
    body.orientation = W.R * body.orientation;
    body.velocity = W.R * body.velocity;
    body.angular_velocity = W.R * body.angular_velocity;
    const BodyId id = b.add_body(body);
    b.add_shape({.body = id, .geometry = geometry, .material = stuff});
  };
  const Vec3 half(0.2, 0.15, 0.05);
  throw_body({.name = "block",
              .mass = box_of_mass(half, 2.0),
              .position = {0, 0, half.z() - start_depth},
              .velocity = {3, 1, 0},
              .angular_velocity = {0, 0, 8}},
             BoxShape{half});
  throw_body({.name = "ball",
              .mass = sphere_of_mass(0.1, 1.0),
              .position = {0, 5, 0.1 - start_depth},
              .velocity = {2, 0, 0},
              .angular_velocity = {5, -10, 15}},
             SphereShape{0.1});
  return std::move(b).build();
}

// Each step is solved to a part of what contacts change in it, g h and as much of spin times half a
// size: what they leave in 2 s adds up to error · g t of speed at most, and t of that of the way.
TEST_P(Conservation, motion_with_contacts_does_not_depend_on_the_frame_of_the_world) {
  const double time = 2.0, left = 2 * GetParam().error * 9.81 * time * time;
  const auto play = [&](const Model& model) {
    State state = model.initial_state();
    const RunReport report = run(model, GetParam().stepper, state, {.t_end = time});
    expect_clean(report, GetParam());
    return state;
  };
  const Model model = make_throw({});
  const State state = play(model);
  Random random(3);
  double way = 0.0, turn = 0.0;
  for (int i = 0; i < 5; ++i) {
    const Frame W{.p = random.vector(10.0), .R = random.rotation()};
    const Model turned = make_throw(W);
    const State other = play(turned);
    for (const BodyId id : {*model.find_body("block"), *model.find_body("ball")}) {
      const Frame a = compute_pose(model, state, id), b = compute_pose(turned, other, id);
      way = std::max(way, (a.p - W.R.conjugate() * (b.p - W.p)).norm());
      turn = std::max(turn, 0.1 * a.R.angularDistance(W.R.conjugate() * b.R));
    }
  }
  EXPECT_LT(measured("difference of places [m]", way), left);
  EXPECT_LT(measured("of attitudes, at 0.1 m [m]", turn), left);
}

// Heaps of all shapes, at a distance: islands that come, grow, fall apart and come to rest.
Model make_heaps() {
  ModelBuilder b;
  Random random(11);
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const Geometry shapes[] = {SphereShape{0.1}, BoxShape{Vec3(0.12, 0.1, 0.06)},
                             CapsuleShape{.radius = 0.07, .half_length = 0.1},
                             CylinderShape{.radius = 0.1, .half_length = 0.06}};
  for (int heap = 0; heap < 8; ++heap)
    for (int i = 0; i < 5; ++i) {
      const Vec3 place(1.0 * heap, 0, 0.2 + 0.25 * i);
      const BodyId id = b.add_body({.mass = box_of_mass(Vec3::Constant(0.1), 1.0),
                                    .position = place + random.vector(0.05),
                                    .orientation = random.rotation()});
      b.add_shape({.body = id, .geometry = shapes[(heap + i) % 4], .material = stuff});
    }
  return std::move(b).build();
}

// Large islands are swept in single precision, here two beside a small one, and bounce by Poisson's
// law.
TEST(Threads, that_sweep_large_islands_do_not_change_a_bit) {
  Random random(9);
  ModelBuilder b{};
  const MaterialId stuff =
      b.add_material({"stuff", {.friction = 0.4, .restitution = 0.3, .compliance = 1e-8}});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const double radius = 0.1;
  const auto pile = [&](int side, int layers, double x) {
    for (int i = 0; i < side * side * layers; ++i) {
      const Vec3 cell(i % side, (i / side) % side, i / (side * side));
      const BodyId id = b.add_body({.mass = sphere_of_mass(radius, 4.0),
                                    .position = Vec3(x, 0, radius) + 1.98 * radius * cell,
                                    .velocity = random.vector(0.1)});
      b.add_shape({.body = id, .geometry = SphereShape{radius}, .material = stuff});
    }
  };
  pile(9, 7, 0.0);
  pile(9, 7, 20.0);
  pile(2, 3, 40.0);
  const Model model = std::move(b).build();
  const auto play = [&](const Stepper& stepper) {
    State state = model.initial_state();
    const RunReport report = run(model, stepper, state, {.steps = 12});
    EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
    EXPECT_NE(report.methods.find("gauss_seidel"), std::string::npos) << report.methods;
    return state;
  };
  for (const auto law : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
    const auto play_by = [&](int threads) {
      const Automatic solver{.threads = threads};
      const ContactModel contacts{.restitution = law, .threads = threads};
      return std::pair(play(Spook{.solver = solver, .contacts = contacts}),
                       play(Relaxed{.solver = solver, .contacts = contacts}));
    };
    const auto one = play_by(1), more = play_by(3);
    EXPECT_EQ(one.first.q, more.first.q);
    EXPECT_EQ(one.first.v, more.first.v);
    EXPECT_EQ(one.second.q, more.second.q);
    EXPECT_EQ(one.second.v, more.second.v);
  }
}

TEST(Threads, that_share_the_work_do_not_change_a_bit) {
  const Model model = make_heaps();
  const auto play = [&](int threads) {
    State state = model.initial_state();
    const Spook stepper{.solver = Automatic{.threads = threads}, .contacts = {.threads = threads}};
    const RunReport report = run(model, stepper, state, {.t_end = 2.0});
    EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
    EXPECT_GT(report.contacts, 40);
    return state;
  };
  const State one = play(1);
  for (const int threads : {2, 3, 8}) {
    const State more = play(threads);
    EXPECT_EQ(one.q, more.q) << threads << " threads";
    EXPECT_EQ(one.v, more.v) << threads << " threads";
    EXPECT_EQ(one.p, more.p) << threads << " threads";
  }
}

}  // namespace
}  // namespace ligament
