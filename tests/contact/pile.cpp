// SPDX-License-Identifier: Apache-2.0
// A pile of spheres dropped into a box, too large an island for factorizations: the default solver
// sweeps it, to the accuracy that it states, and the spheres keep out of each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ligament/ligament.h"
#include "support/measured.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double radius = 0.1;

// 8 × 8 × 10 spheres of 1000 kg/m³ on a grid, a little out of place, between four walls.
Model make_large_pile() {
  Random random(1);
  ModelBuilder b{};
  const MaterialId stone = b.add_material({"stone", {.friction = 0.5}});
  constexpr int side = 8, layers = 10;
  constexpr double pitch = 2.2 * radius, wall = 0.5 * side * pitch;
  const auto add_plane = [&](const std::string& name, const Vec3& at, const Quat& turned) {
    b.add_shape(
        {.name = name, .geometry = HalfSpaceShape{}, .pose = {at, turned}, .material = stone});
  };
  add_plane("floor", Vec3::Zero(), Quat::Identity());
  for (int i = 0; i < 4; ++i) {
    const Quat turned(Eigen::AngleAxisd(0.5 * M_PI * i, Vec3::UnitZ()));
    add_plane("wall " + std::to_string(i), turned * Vec3(-wall, 0, 0),
              turned * Quat(Eigen::AngleAxisd(0.5 * M_PI, Vec3::UnitY())));
  }
  for (int i = 0; i < side * side * layers; ++i) {
    const Vec3 cell(i % side + 0.5, i / side % side + 0.5, i / (side * side) + 0.7);
    const BodyId ball =
        b.add_body({.mass = solid_sphere(radius, 1000.0),
                    .position = pitch * cell - Vec3(wall, wall, 0) + random.vector(0.09 * radius)});
    b.add_shape({.body = ball, .geometry = SphereShape{radius}, .material = stone});
  }
  return std::move(b).build();
}

// Fall, impact and rest. No step may leave the accuracy that Automatic states for large islands,
// and overlaps are a matter of a compliance of 1e-8 m/N, of the weight above and of what the solver
// leaves: below the hundredth of a radius that is asked for in the whole run.
TEST(LargePile, is_solved_as_accurately_as_stated_and_does_not_sink_into_itself) {
  const Model model = make_large_pile();
  State state = model.initial_state();
  Workspace work(model);
  const Automatic solver{};
  const Stepper stepper = Spook{.solver = solver};
  double deepest = 0.0, error = 0.0, fastest = 0.0;
  int swept = 0, islands = 0;
  for (int i = 0; i < 180; ++i) {
    const StepReport report = step(stepper, model, state, work);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report.solve.status, SolveStatus::solved) << "step " << i;
    deepest = std::max(deepest, report.penetration);
    error = std::max(error, report.solve.velocity_error);
    swept += report.solve.chosen[Solver(GaussSeidel{}).index()];
    for (const int count : report.solve.chosen) islands += count;
    fastest = state.v.lpNorm<Eigen::Infinity>();
  }
  EXPECT_LT(measured("deepest overlap over the radius", deepest / radius), 0.01);
  EXPECT_LE(measured("bound on the error of velocities", error), solver.sweep_tolerance);
  EXPECT_GT(measured("islands that were swept", swept), 100);
  measured("islands", islands);
  measured("speed at the end [m/s]", fastest);
}

}  // namespace
}  // namespace ligament
