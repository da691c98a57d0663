// SPDX-License-Identifier: Apache-2.0
// Rigid bodies and their twins of point masses: B9 and B10 of the acceptance table.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "impulse/flown.h"
#include "ligament/io/scene.h"
#include "ligament/io/scene_text.h"
#include "ligament/math/point_masses.h"
#include "ligament/measure/rank.h"
#include "ligament/simulation/diagnosis.h"
#include "ligament/simulation/point_mass_twin.h"
#include "support/random.h"

namespace ligament::reference {
namespace {

// B10: mass, centre and inertia to roundings, for boxes and for bodies in any axes.
TEST(PointMasses, have_the_mass_and_the_inertia_of_the_body) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R =
        rotation_by(3.0 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)))
            .toRotationMatrix();
    MassProperties body = box_of_mass({0.5, 0.35, 0.2}, 2.0);
    if (trial > 0) body.inertia = R * body.inertia * R.transpose();
    std::vector<Vec3> given{trial == 0 ? Vec3(0.5, 0.35, 0.2) : Vec3(0.3, 0.9, -0.4)};
    if (trial % 2 == 1) given.push_back({0.1, 0, 0});
    for (const double fraction : {0.01, 0.5, 0.9}) {
      const PointMasses found = make_point_masses(body, given, fraction);
      double mass = 0.0;
      Vec3 centre = Vec3::Zero();
      Mat3 inertia = Mat3::Zero();
      for (const PointMass& point : found.points) {
        EXPECT_GT(point.mass, 0.0);
        mass += point.mass;
        centre += point.mass * point.x;
        inertia +=
            point.mass * (point.x.squaredNorm() * Mat3::Identity() - point.x * point.x.transpose());
      }
      EXPECT_NEAR(mass, body.mass, 1e-13);
      EXPECT_LT(centre.norm(), 1e-13);
      EXPECT_LT((inertia - body.inertia).norm(), 1e-13);
      ASSERT_EQ(found.given.size(), given.size());
      for (std::size_t i = 0; i < given.size(); ++i)
        EXPECT_LT((found.points[static_cast<std::size_t>(found.given[i])].x - given[i]).norm(),
                  1e-12);
    }
  }
}

int rank_of(const Model& model) {
  return model.velocities() - diagnose(model, Impulse{}).degrees_of_freedom;
}

System make_cluster(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& bodies) {
  System system;
  for (const Vec3& x : points) system.parts.push_back({.mass = 1.0, .x = x});
  for (const std::vector<int>& body : bodies)
    for (std::size_t i = 0; i < body.size(); ++i)
      for (std::size_t j = i + 1; j < body.size(); ++j)
        system.ties.push_back({.a = body[i],
                               .b = body[j],
                               .point_a = points[static_cast<std::size_t>(body[i])],
                               .point_b = points[static_cast<std::size_t>(body[j])]});
  return system;
}

// B9: ranks are exact.
TEST(Rank, of_clusters_and_linkages_is_exact) {
  const System cuboid = make_cuboid(Corner::free);
  EXPECT_EQ(cuboid.ties.size(), 28U);
  EXPECT_EQ(rank_of(make_model(cuboid)), 18);
  std::vector<Vec3> points;
  for (const Part& part : cuboid.parts) points.push_back(part.x);
  // One face: four points in a plane.
  EXPECT_EQ(rank_of(make_model(make_cluster(points, {{0, 1, 2, 3}}))), 5);
  // A second cuboid that shares the edge of the points 5 and 7 (x = 1, z = 0.4).
  std::vector<int> second{5, 7};
  for (int i = 0; i < 6; ++i) {
    second.push_back(static_cast<int>(points.size()));
    points.push_back(Vec3(1, 0, 0.4) +
                     Vec3(i < 2 ? 0.0 : 0.9, i % 2 == 0 ? 0.0 : -0.7, i >= 2 && i < 4 ? 0.0 : 0.5));
  }
  const Model two = make_model(make_cluster(points, {{0, 1, 2, 3, 4, 5, 6, 7}, second}));
  EXPECT_EQ(two.joints().size(), 56U - 1U + 1U);
  EXPECT_EQ(rank_of(two), 35);
  EXPECT_EQ(rank_of(make_model(make_four_bar())), 17);
}

// The farthest that a point of a body is from the particle that stands for it.
double distance_of_twins(const Model& model, const State& state, const PointMassTwin& twin,
                         const State& twin_state) {
  double worst = 0.0;
  for (std::uint32_t i = 0; i < twin.points.size(); ++i)
    for (const TwinPoint& point : twin.points[i]) {
      const Frame pose = compute_pose(model, state, BodyId{i});
      const Vec3 x = compute_pose(twin.model, twin_state, point.particle).p;
      worst = std::max(worst, (pose.p + pose.R * point.x - x).norm());
    }
  return worst;
}

// B10: a machine and its twin go to the same motion as h² does.
TEST(Twin, moves_as_the_machine_does) {
  for (const System& system : {make_ball_pendulum(), make_hinge_pendulum(), make_four_bar()}) {
    const Model model = make_model(system);
    const PointMassTwin twin = make_point_mass_twin(model, model.initial_state());
    EXPECT_NEAR(compute_energy(model, model.initial_state()).kinetic,
                compute_energy(twin.model, twin.model.initial_state()).kinetic, 1e-12);
    std::vector<double> errors;
    for (const double h : {0.01, 0.005, 0.0025})
      errors.push_back(distance_of_twins(model, fly(model, Impulse{.h = h}, 0.5).state, twin,
                                         fly(twin.model, Impulse{.h = h}, 0.5).state));
    EXPECT_NEAR(order_of(errors), 2.0, 0.05) << errors[0] << " " << errors[1] << " " << errors[2];
    // Not one distance more than there are to be: rank and rows agree.
    const Diagnosis diagnosis = diagnose(twin.model, Impulse{});
    if (system.parts.size() == 2) {
      EXPECT_TRUE(diagnosis.redundant.empty());
    }
    EXPECT_EQ(diagnosis.degrees_of_freedom, diagnose(model, Impulse{}).degrees_of_freedom);
  }
}

// The box that hangs at its corner: 16 points, 120 pairs, of which 42 say something new and the
// others are redundant; both are of second order against the equations of motion. Its row in the
// acceptance table has errors too, but not the start that they belong to: orders are all that can
// be compared.
TEST(Twin, of_the_box_at_its_corner_takes_all_its_distances) {
  System system;
  system.parts = {{.mass = 2,
                   .box = {1, 0.7, 0.4},
                   .x = {0.5, -0.35, 0.2},
                   .v = Vec3(1, 2, -1).cross(Vec3(0.5, -0.35, 0.2)),
                   .w = {1, 2, -1}}};
  system.ties = {{.kind = Tie::Kind::ball, .a = -1, .b = 0}};
  const Model model = make_model(system);
  const std::vector<Part> truth = integrate(system, 1.0);
  const PointMassTwin twin =
      make_point_mass_twin(model, model.initial_state(), {.distances = TwinDistances::all});
  EXPECT_EQ(twin.points[1].size(), 16U);
  EXPECT_EQ(twin.model.joints().size(), 121U);
  // 48 velocities, less 42 of distances, less three of the corner that is held.
  EXPECT_EQ(diagnose(twin.model, Impulse{}).degrees_of_freedom, 3);
  std::vector<double> rigid_errors, twin_errors;
  for (const double h : {0.02, 0.01, 0.005, 0.0025}) {
    const State rigid = fly(model, Impulse{.h = h, .rotation = FreeRotation::axes}, 1.0).state;
    const State points = fly(twin.model, Impulse{.h = h}, 1.0).state;
    double worst_rigid = 0.0, worst_twin = 0.0;
    for (const TwinPoint& point : twin.points[1]) {
      const Vec3 x = truth[0].x + truth[0].e * point.x;
      const Frame pose = compute_pose(model, rigid, BodyId{1});
      worst_rigid = std::max(worst_rigid, (pose.p + pose.R * point.x - x).norm());
      worst_twin =
          std::max(worst_twin, (compute_pose(twin.model, points, point.particle).p - x).norm());
    }
    rigid_errors.push_back(worst_rigid);
    twin_errors.push_back(worst_twin);
  }
  EXPECT_NEAR(order_of(rigid_errors, 1), 2.0, 0.05);
  EXPECT_NEAR(order_of(twin_errors, 1), 2.0, 0.05);
}

// A scene file of the twin reads back to the same machine, to the last bit.
TEST(Twin, is_written_and_read_back) {
  const Model model = make_model(make_hinge_pendulum());
  const PointMassTwin twin = make_point_mass_twin(model, model.initial_state());
  const auto file = std::filesystem::path(::testing::TempDir()) / "ligament_twin.json";
  std::ofstream(file) << make_scene_text(
      {.model = twin.model, .name = "{twin}", .h = 0.01, .steps = 7});
  const Scene scene = read_scene(file);
  std::filesystem::remove(file);
  EXPECT_EQ(scene.steps, 7);
  EXPECT_EQ(step_size(scene.stepper), 0.01);
  EXPECT_EQ(scene.model.initial_state().q, twin.model.initial_state().q);
  EXPECT_EQ(scene.model.initial_state().p, twin.model.initial_state().p);
  ASSERT_EQ(scene.model.joints().size(), twin.model.joints().size());
  for (std::size_t i = 0; i < twin.model.joints().size(); ++i) {
    EXPECT_EQ(scene.model.joints()[i].kind, twin.model.joints()[i].kind);
    EXPECT_EQ(scene.model.joints()[i].length, twin.model.joints()[i].length);
  }
}

TEST(Twin, names_what_has_none) {
  ModelBuilder b;
  const BodyId slider = b.add_body({.name = "slider"});
  b.add_joint(Prismatic{.name = "rail", .b = slider});
  const Model model = std::move(b).build();
  try {
    make_point_mass_twin(model, model.initial_state());
    FAIL();
  } catch (const TwinError& error) {
    EXPECT_NE(std::string(error.what()).find("joint \"rail\""), std::string::npos);
  }
}

}  // namespace
}  // namespace ligament::reference
