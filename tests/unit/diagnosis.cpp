// SPDX-License-Identifier: Apache-2.0
// What is said about a machine before it runs: rank against a dense singular value decomposition,
// degrees of freedom of mechanisms whose mobility is known, conflicts and steps by name.
#include "ligament/simulation/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <numbers>

#include "ligament/measure/rank.h"
#include "support/machines.h"
#include "support/probe.h"
#include "support/random_problems.h"

namespace ligament {
namespace {

using testing::HasSubstr;

constexpr double pi = std::numbers::pi;

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
    ASSERT_EQ(diagnosis.findings.size(), stiffness > 1e4 ? 1U : 0U);
    EXPECT_NEAR(diagnosis.outlook.spring.value, std::sqrt(stiffness) / (2.0 * pi), 1e-9);
    if (diagnosis.findings.empty()) continue;
    EXPECT_THAT(diagnosis.findings[0].where, HasSubstr("coil"));
    EXPECT_NEAR(diagnosis.findings[0].largest_h, 1.0 / std::sqrt(stiffness), 1e-12);
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
    ASSERT_EQ(diagnosis.findings.size(), compliance < 1e-15 ? 1U : 0U);
    if (diagnosis.findings.empty()) continue;
    EXPECT_EQ(diagnosis.findings[0].kind, "compliance");
    EXPECT_EQ(diagnosis.findings[0].others, 2);  // three rows of a ball
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
    EXPECT_EQ(diagnosis.findings.empty(), ratio < 90.0);
    for (const Finding& found : diagnosis.findings)
      EXPECT_THAT(found.where + found.what, HasSubstr("\"link\""));
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
    EXPECT_EQ(diagnosis.findings.empty(), speed < 1.0);
  }
}

// ---- Loads and how they are shared

// A weight on two vertical slides side by side, each a spring of its compliance: they share by
// stiffness, ε₂ : ε₁.
TEST(LoadSharing, follows_the_stiffness_of_rows_in_parallel) {
  for (const double ratio : {1.0, 3.0, 1e4}) {
    ModelBuilder b{{.gravity = {0, 0, -10}}};
    const BodyId weight =
        b.add_body({.name = "weight", .kind = BodyKind::particle, .mass = {.mass = 2.0}});
    for (const double compliance : {1e-8, ratio * 1e-8})
      b.add_joint(PointOnPlane{.b = weight, .relaxation = {.compliance = compliance}});
    const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
    EXPECT_EQ(diagnosis.degrees_of_freedom, 2);
    ASSERT_EQ(diagnosis.sharing.size(), 1U);
    const SharingGroup& group = diagnosis.sharing[0];
    ASSERT_EQ(group.rows.size(), 2U);
    EXPECT_EQ(group.redundant, 1);
    // Rounding of a solve at the floor of Σ, 1e3 roundings: 1e-6 of the load is far above it.
    EXPECT_NEAR(std::abs(group.rows[0].force), 20.0 * ratio / (1.0 + ratio), 20e-6);
    EXPECT_NEAR(std::abs(group.rows[1].force), 20.0 / (1.0 + ratio), 20e-6);
    EXPECT_NEAR(group.rows[0].share, ratio / (1.0 + ratio), 1e-6);
    EXPECT_EQ(group.rows[0].unit, "N");
  }
}

// The two hinges of a door: along the axis they share its weight; across it each holds half of the
// moment that the overhang makes, by forces and by the tilts of the axes.
TEST(LoadSharing, groups_the_rows_of_a_door) {
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  const BodyId door = b.add_body({.name = "door", .position = {0.5, 0, 1}});
  b.add_joint(Hinge{.name = "lower", .b = door, .point = {0, 0, 0.2}});
  b.add_joint(Hinge{.name = "upper", .b = door, .point = {0, 0, 1.8}});
  const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
  ASSERT_EQ(diagnosis.sharing.size(), 3U);
  std::vector<std::size_t> sizes;
  double vertical = 0.0, moment = 0.0;
  for (const SharingGroup& group : diagnosis.sharing) {
    sizes.push_back(group.rows.size());
    for (const SharedRow& row : group.rows) {
      const double height = row.name.find("upper") != std::string::npos ? 1.8 : 0.2;
      if (row.name.find("point z") != std::string::npos) vertical += row.force;
      if (row.name.find("point x") != std::string::npos) moment += row.force * (height - 1.0);
    }
  }
  EXPECT_THAT(sizes, testing::UnorderedElementsAre(2U, 4U, 4U));
  EXPECT_NEAR(vertical, 10.0, 1e-6);
  // Compliances of 1e-8 m/N at ±0.8 m and 1e-8 rad/(N m) twice, in parallel against a turn:
  // stiffness 2 · 0.64 by points and 2 by tilts, of which points take 0.64/1.64 of m g · 0.5 m.
  EXPECT_NEAR(std::abs(moment), 5.0 * 0.64 / 1.64, 1e-5);
}

// A pendulum that passes its lowest point pulls with m g + m v²/r.
TEST(StartLoads, include_what_the_motion_asks_for) {
  const double speed = 3.0, length = 0.7, mass = 2.0;
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  const BodyId bob = b.add_body({.name = "bob",
                                 .kind = BodyKind::particle,
                                 .mass = {.mass = mass},
                                 .position = {0, 0, -length},
                                 .velocity = {speed, 0, 0}});
  b.add_joint(Distance{.name = "string", .b = bob, .point_a = Vec3::Zero()});
  const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{.h = 1e-3});
  // The curvature by differences over a millimetre: (1e-3/r)²/12 of it.
  EXPECT_NEAR(diagnosis.outlook.load.value, mass * (10.0 + speed * speed / length), 1e-4);
}

// Four corners of a box of 4 kg carry a quarter of its weight each.
TEST(StartLoads, include_contacts) {
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}});
  const BodyId box = b.add_body(
      {.name = "box", .mass = box_of_mass(Vec3::Constant(0.5), 4.0), .position = {0, 0, 0.5}});
  b.add_shape({.body = box, .geometry = BoxShape{Vec3::Constant(0.5)}});
  const Diagnosis diagnosis = diagnose(std::move(b).build(), Spook{});
  EXPECT_EQ(diagnosis.contacts, 4);
  EXPECT_NEAR(diagnosis.outlook.contact_sag.value, 10.0 * 1e-8, 1e-13);
}

// ---- The words

TEST(Diagnosis, recommends_a_step_that_obeys_all_rules) {
  ModelBuilder b;
  const BodyId mass = b.add_body({.kind = BodyKind::particle, .mass = {.mass = 1.0}});
  b.add_joint(
      Spring{.name = "coil", .b = mass, .point_a = Vec3(0, 0, 1), .stiffness = 1e6, .damping = 1});
  const Model model = std::move(b).build();
  const Diagnosis coarse = diagnose(model, Spook{.h = 0.01});
  EXPECT_DOUBLE_EQ(coarse.recommended_h(), 1e-3);
  EXPECT_THAT(coarse.text(), HasSubstr("recommended: 0.001 s or less, because joint \"coil\""));
  const Diagnosis fine = diagnose(model, Spook{.h = 0.5e-3});
  EXPECT_DOUBLE_EQ(fine.recommended_h(), 0.5e-3);
  EXPECT_FALSE(fine.has(Severity::warning));
}

TEST(Diagnosis, names_fast_spins_mass_ratios_and_overlaps) {
  const Diagnosis top = diagnose(machines::make_heavy_top({.spin = 100.0}), Spook{});
  ASSERT_EQ(top.findings.size(), 1U);
  EXPECT_EQ(top.findings[0].kind, "spin");
  // h · spin · I_max/I_min = 100/60 · 1.5.
  EXPECT_NEAR(top.outlook.spin.value, 2.5, 1e-9);

  ModelBuilder b;
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}});
  const BodyId light = b.add_body(
      {.name = "feather", .mass = box_of_mass(Vec3::Constant(0.5), 1e-3), .position = {0, 0, 0.4}});
  b.add_shape({.body = light, .geometry = BoxShape{Vec3::Constant(0.5)}});
  const BodyId heavy = b.add_body(
      {.name = "anvil", .mass = box_of_mass(Vec3::Constant(0.5), 100), .position = {0, 0, 1.4}});
  b.add_joint(Ball{.name = "pin", .a = light, .b = heavy, .point = {0, 0, 0.9}});
  const Diagnosis pile = diagnose(std::move(b).build(), Spook{});
  std::vector<std::string> kinds;
  for (const Finding& found : pile.findings) kinds.push_back(found.kind);
  EXPECT_THAT(kinds, testing::IsSupersetOf({"mass ratio", "overlap"}));
  EXPECT_THAT(pile.text(), HasSubstr("they overlap by 0.1 m"));
}

}  // namespace
}  // namespace ligament
