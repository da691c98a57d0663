// SPDX-License-Identifier: Apache-2.0
// The same machine turned and shifted moves the same, turned and shifted.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

// A machine of every body and joint kind, in a frame W.
Model make_machine(const Frame& W) {
  const auto at = [&](double x, double y, double z) -> Vec3 { return W.p + W.R * Vec3(x, y, z); };
  const auto along = [&](double x, double y, double z) -> Vec3 { return W.R * Vec3(x, y, z); };
  ModelBuilder b{{.gravity = along(0, 0, -10)}};
  const MassProperties bar = box_of_mass({0.5, 0.1, 0.05}, 1.0);
  const BodyId arm = b.add_body({.name = "arm",
                                 .mass = bar,
                                 .position = at(0.5, 0, 0),
                                 .orientation = W.R,
                                 .angular_velocity = along(0, 2, 0),
                                 .torque = along(0, 0.3, 0)});
  const BodyId rotor = b.add_body({.name = "rotor",
                                   .mass = cylinder_of_mass(0.2, 0.05, 0.5),
                                   .position = at(1, 0, 0),
                                   .orientation = W.R,
                                   .angular_velocity = along(0, 2, 40)});
  const BodyId rod =
      b.add_body({.name = "rod",
                  .kind = BodyKind::rod,
                  .mass = {.mass = 0.7},
                  .position = at(1, 0, -0.5),
                  .orientation = W.R * Quat::FromTwoVectors(Vec3::UnitX(), -Vec3::UnitZ()),
                  .force = along(0, 0.5, 0)});
  const BodyId bob = b.add_body(
      {.name = "bob", .kind = BodyKind::particle, .mass = {.mass = 0.4}, .position = at(1, 0, -1)});
  const BodyId slider = b.add_body({.name = "slider",
                                    .mass = box_of_mass({0.1, 0.1, 0.1}, 1.0),
                                    .position = at(0, 1, -1),
                                    .orientation = W.R});
  const BodyId tail =
      b.add_body({.name = "tail", .mass = bar, .position = at(0.5, 1, -1), .orientation = W.R});
  b.add_joint(Hinge{.b = arm, .point = at(0, 0, 0), .axis = along(0, 1, 0)});
  b.add_joint(Hinge{.a = arm, .b = rotor, .point = at(1, 0, 0), .axis = along(0, 0, 1)});
  b.add_joint(Ball{.a = arm, .b = rod, .point = at(1, 0, 0)});
  b.add_joint(Ball{.a = rod, .b = bob, .point = at(1, 0, -1)});
  b.add_joint(Prismatic{.b = slider, .point = at(0, 1, -1), .axis = along(1, 1, 0)});
  b.add_joint(Fixed{.a = slider, .b = tail, .point = at(0.2, 1, -1)});
  b.add_joint(Distance{.a = bob, .b = tail, .point_b = at(1, 1, -1)});
  return std::move(b).build();
}

// Positions, rod directions and attitudes of two states, the second turned back; the largest gap.
double largest_gap(const Model& a, const State& x, const Model& b, const State& y, const Frame& W) {
  double gap = 0.0;
  for (std::uint32_t i = 1; i < a.bodies().size(); ++i) {
    const Frame pa = compute_pose(a, x, {i}), pb = compute_pose(b, y, {i});
    gap = std::max(gap, (pa.p - W.R.conjugate() * (pb.p - W.p)).norm());
    gap = std::max(gap, (velocity_of(a, x, {i}) - W.R.conjugate() * velocity_of(b, y, {i})).norm());
    if (a.body({i}).kind == BodyKind::rigid)
      gap = std::max(gap, pa.R.angularDistance(W.R.conjugate() * pb.R));
    if (a.body({i}).kind == BodyKind::rod)
      gap = std::max(gap, (pa.R * Vec3::UnitX() - W.R.conjugate() * (pb.R * Vec3::UnitX())).norm());
  }
  return gap;
}

// In exact arithmetic the two are the same: rows are isotropic in their compliance, whichever axes
// they are taken along. In doubles a position of 20 m is rounded by 2e-15 m, which the rows answer
// with a velocity of 4 × 2e-15/(9 h) = 5e-14 m/s a step; 120 steps of that, and a growth of
// neighbouring motions of at most 1e3 in 2 s, leave 1e-9.
TEST(Motion, does_not_depend_on_the_frame_of_the_world) {
  const Model model = make_machine({});
  Random random(31);
  double worst = 0.0;
  for (int i = 0; i < 5; ++i) {
    const Frame W{random.vector(10.0), random.rotation()};
    const Model turned = make_machine(W);
    for (const Stepper& stepper : both_steppers(1.0 / 60)) {
      State x = model.initial_state(), y = turned.initial_state();
      Workspace work_x(model), work_y(turned);
      take_steps(stepper, model, 120, x, work_x);
      take_steps(stepper, turned, 120, y, work_y);
      const double gap = largest_gap(model, x, turned, y, W);
      EXPECT_LT(gap, 1e-9) << name_of(stepper);
      worst = std::max(worst, gap);
    }
  }
  measured("largest gap", worst);
}

TEST(Energy, does_not_depend_on_the_frame_of_the_world_but_for_a_constant) {
  const Frame W{Vec3(3, -7, 2), Random(32).rotation()};
  const Model model = make_machine({}), turned = make_machine(W);
  const Energy a = compute_energy(model, model.initial_state());
  const Energy b = compute_energy(turned, turned.initial_state());
  EXPECT_NEAR(a.kinetic, b.kinetic, 1e-12 * a.kinetic);
}

}  // namespace
}  // namespace ligament
