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

}  // namespace
}  // namespace ligament
