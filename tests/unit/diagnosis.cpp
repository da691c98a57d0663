// SPDX-License-Identifier: Apache-2.0
// What is said about a machine before it runs: rank against a dense singular value decomposition,
// degrees of freedom of mechanisms whose mobility is known, conflicts and steps by name.
#include "ligament/simulation/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "ligament/measure/rank.h"
#include "support/machines.h"
#include "support/probe.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

using testing::HasSubstr;

// Rank by singular values of M^(-1/2) Gᵀ with rows of unit length.
int rank_by_svd(const StepProblem& problem) {
  const MatX M = make_dense(problem.M);
  MatX A = M.llt().matrixL().solve(make_dense(problem.G).transpose());
  A.colwise().normalize();
  const VecX values = Eigen::JacobiSVD<MatX>(A).singularValues();
  return static_cast<int>((values.array() > 1e-7).count());
}

TEST(Rank, is_that_of_a_singular_value_decomposition) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 4, .row_blocks = 5}, random);
    const std::vector<bool> all(static_cast<std::size_t>(problem.rows()), true);
    const RowRank rank = compute_rank(problem.M, problem.G, all);
    EXPECT_EQ(rank.rank, rank_by_svd(problem));
    EXPECT_EQ(rank.rank + static_cast<int>(rank.dependent.size()), problem.rows());
  }
}

// The second of two equal hinges says nothing new, and is the one that is named.
TEST(Rank, names_the_rows_that_follow_from_rows_before_them) {
  ModelBuilder b;
  const BodyId door = b.add_body({.name = "door", .position = {0.5, 0, 1}});
  b.add_joint(Hinge{.name = "lower hinge", .b = door, .point = {0, 0, 0.2}});
  b.add_joint(Hinge{.name = "upper hinge", .b = door, .point = {0, 0, 1.8}});
  const Model model = std::move(b).build();
  const Diagnosis diagnosis = diagnose(model, Spook{});
  EXPECT_EQ(diagnosis.degrees_of_freedom, 1);
  EXPECT_EQ(diagnosis.rows, 10);
  ASSERT_EQ(diagnosis.redundant.size(), 5U);
  for (const std::string& row : diagnosis.redundant) EXPECT_THAT(row, HasSubstr("upper hinge"));
  EXPECT_TRUE(diagnosis.ok());
}

TEST(Diagnosis, counts_the_degrees_of_freedom_of_the_slider_crank) {
  const Diagnosis diagnosis = diagnose(machines::make_slider_crank({}), Spook{});
  EXPECT_EQ(diagnosis.velocities - diagnosis.rows, -2);
  EXPECT_EQ(diagnosis.degrees_of_freedom, 1);
  EXPECT_EQ(diagnosis.driven, 1);
  EXPECT_EQ(diagnosis.undriven, 0);
  EXPECT_EQ(diagnosis.redundant.size(), 3U);
}

// A parallelogram of hinges folded flat can leave the flat pose in two ways: at the fold two
// velocities are free, nearby one.
TEST(Diagnosis, tells_a_singular_pose) {
  for (const double angle : {1.0, 0.0}) {
    const Vec3 crank(std::cos(angle), std::sin(angle), 0), base(2, 0, 0);
    ModelBuilder b;
    const auto bar = [&](const char* name, const Vec3& from, const Vec3& to) {
      const Vec3 along = to - from;
      return b.add_body({.name = name,
                         .mass = box_of_mass({along.norm(), 0.1, 0.1}, 1.0),
                         .position = 0.5 * (from + to),
                         .orientation = Quat(
                             Eigen::AngleAxisd(std::atan2(along.y(), along.x()), Vec3::UnitZ()))});
    };
    const BodyId left = bar("left", Vec3::Zero(), crank), top = bar("top", crank, base + crank);
    const BodyId right = bar("right", base, base + crank);
    b.add_joint(Hinge{.b = left});
    b.add_joint(Hinge{.a = left, .b = top, .point = crank});
    b.add_joint(Hinge{.a = top, .b = right, .point = base + crank});
    b.add_joint(Hinge{.b = right, .point = base});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
    ASSERT_TRUE(diagnosis.nearby.has_value());
    EXPECT_EQ(*diagnosis.nearby, 1);
    EXPECT_EQ(diagnosis.degrees_of_freedom, angle == 0.0 ? 2 : 1);
    EXPECT_EQ(diagnosis.is_singular_pose(), angle == 0.0);
  }
}

TEST(Diagnosis, names_joints_that_cannot_close) {
  ModelBuilder b;
  const BodyId link = b.add_body({.name = "link"});
  b.add_joint(
      Ball{.name = "left", .b = link, .frame_a = Frame{{-2, 0, 0}}, .frame_b = Frame{{-1, 0, 0}}});
  b.add_joint(
      Ball{.name = "right", .b = link, .frame_a = Frame{{2, 0, 0}}, .frame_b = Frame{{1, 0, 0}}});
  const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
  EXPECT_FALSE(diagnosis.ok());
  EXPECT_THAT(diagnosis.text(), HasSubstr("joint \"left\""));
  EXPECT_THAT(diagnosis.text(), HasSubstr("joint \"right\""));
  // The least squares of two gaps of one metre each.
  EXPECT_NEAR(diagnosis.assembly.violation, 1.0, 1e-6);
}

TEST(Diagnosis, names_drives_that_contradict_each_other) {
  ModelBuilder b;
  const BodyId wheel = b.add_body({.name = "wheel"});
  const JointId axle = b.add_joint(Hinge{.name = "axle", .b = wheel});
  b.add_control(Motor{.name = "one", .on = axle, .speed = 1.0});
  b.add_control(Motor{.name = "other", .on = axle, .speed = 2.0});
  const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
  EXPECT_FALSE(diagnosis.ok());
  EXPECT_THAT(diagnosis.text(), HasSubstr("control \"one\", motor"));
  EXPECT_THAT(diagnosis.text(), HasSubstr("control \"other\", motor"));
}

// A mass of 1 kg on a spring of k swings at √k/2π; h √k = 1 is the limit.
TEST(Diagnosis, names_springs_that_the_step_does_not_follow) {
  for (const double stiffness : {0.9e4, 1.1e4}) {
    ModelBuilder b;
    const BodyId mass = b.add_body({.kind = BodyKind::particle, .mass = {.mass = 1.0}});
    b.add_joint(Spring{
        .name = "coil", .b = mass, .point_a = Vec3(0, 0, 1), .stiffness = stiffness, .damping = 1});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{.h = 0.01});
    ASSERT_EQ(diagnosis.unresolved.size(), stiffness > 1e4 ? 1U : 0U);
    if (diagnosis.unresolved.empty()) continue;
    EXPECT_THAT(diagnosis.unresolved[0].name, HasSubstr("coil"));
    EXPECT_NEAR(diagnosis.unresolved[0].largest_h, 1.0 / std::sqrt(stiffness), 1e-12);
  }
}

// methods: the floor of Σ is 10³ roundings of the largest mobility. A pendulum of 1 kg and one ball
// joint at a lever arm of 1 m has 1/m + l²/I there.
TEST(Diagnosis, names_rows_below_what_double_precision_resolves) {
  for (const double compliance : {1e-20, 1e-8}) {
    ModelBuilder b;
    const BodyId bob = b.add_body({.name = "bob", .position = {1, 0, 0}});
    b.add_joint(Ball{.name = "pivot", .b = bob, .relaxation = {.compliance = compliance}});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
    EXPECT_EQ(diagnosis.unresolved.size(), compliance < 1e-15 ? 3U : 0U);
  }
}

// methods: about R = 0.25 l/(g h²) times its mass hangs on a light link; 90 at h = 1/60.
TEST(Diagnosis, names_links_that_are_too_light_for_their_load) {
  for (const double ratio : {10.0, 1000.0}) {
    ModelBuilder b{{.gravity = {0, 0, -10}}};
    const BodyId link = b.add_body(
        {.name = "link", .mass = box_of_mass({0.1, 0.1, 1}, 1.0), .position = {0, 0, -0.5}});
    const BodyId load = b.add_body({.name = "load",
                                    .kind = BodyKind::particle,
                                    .mass = {.mass = ratio},
                                    .position = {0, 0, -1}});
    b.add_joint(Ball{.name = "top", .b = link});
    b.add_joint(Ball{.name = "hook", .a = link, .b = load, .point = {0, 0, -1}});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{.h = 1.0 / 60});
    EXPECT_EQ(diagnosis.unresolved.empty(), ratio < 90.0);
    for (const Unresolved& item : diagnosis.unresolved)
      EXPECT_THAT(item.why, HasSubstr("\"link\""));
  }
}

// A bob on a rod of 1 m at 60 m/s: κ = h² v²/2r = 0.5 m a step at h = 1/60.
TEST(Diagnosis, names_joints_that_move_too_fast_for_the_step) {
  for (const double speed : {0.5, 60.0}) {
    ModelBuilder b;
    const BodyId bob = b.add_body({.kind = BodyKind::particle,
                                   .mass = {.mass = 1.0},
                                   .position = {1, 0, 0},
                                   .velocity = {0, 0, speed}});
    b.add_joint(Distance{.name = "arm", .b = bob, .point_a = Vec3(0, 0, 0)});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{.h = 1.0 / 60});
    EXPECT_EQ(diagnosis.unresolved.empty(), speed < 1.0);
  }
}

}  // namespace
}  // namespace ligament
