// SPDX-License-Identifier: Apache-2.0
// What stands still: contact forces balance weight, share it as the compliance of the contacts
// says, and push in by compliance × load, at any step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "analytic/legs.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double g = 9.81;

// Normal forces on the legs of a table, after it has settled, over its weight.
VecX find_shares(const scenes::TableOptions& options, const Method& method, double time) {
  const Model model = scenes::make_table(options);
  State state = model.initial_state();
  VecX shares = VecX::Zero(static_cast<Eigen::Index>(options.legs.size()));
  const Observer look = [&](const Sample& sample) {
    shares.setZero();
    for (const ContactRows& rows : sample.work.contacts.rows)
      shares(rows.contact.shape_b.value - 1) +=
          sample.work.solution.lambda(rows.normal_row) / (sample.h * options.mass * g);
  };
  const RunReport report = run(model, method.stepper, state, {.t_end = time, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  return shares;
}

VecX expected_shares(const scenes::TableOptions& options) {
  std::vector<analytic::Leg> legs;
  for (const scenes::TableLeg& leg : options.legs) legs.push_back({leg.x, leg.y, leg.compliance});
  return analytic::find_leg_forces(legs, 1.0);
}

class Statics : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Statics, ::testing::ValuesIn(all_methods()), name_of_method);

// A table tilts by about ε m g over the distance of its legs, and its feet with it: the levers are
// off by tilt × height, 1e-8 · 100 N/0.6 m · 0.7 m = 1e-6 m of 0.35 m. What the solver leaves of
// the weight moves with it: a part of m g.
double share_error(const Method& method) { return 1e-5 + 10 * method.error; }

TEST_P(Statics, legs_of_a_table_share_its_weight_like_springs) {
  for (const double friction : {0.0, 0.5})
    for (const bool alike : {true, false}) {
      scenes::TableOptions options{.friction = friction};
      const double stiffness[] = {1, 2, 5, 10};
      if (!alike)
        for (std::size_t i = 0; i < 4; ++i) options.legs[i].compliance = 1e-8 / stiffness[i];
      const VecX shares = find_shares(options, GetParam(), 2.0);
      const double error = (shares - expected_shares(options)).cwiseAbs().maxCoeff();
      EXPECT_LT(measured(fmt::format("error over m g, μ = {}", friction), error),
                share_error(GetParam()));
      EXPECT_NEAR(shares.sum(), 1.0, 1e-9 + GetParam().error);
    }
}

TEST_P(Statics, three_and_five_legs_of_unequal_compliance_do) {
  const std::vector<scenes::TableLeg> three{
      {-0.5, -0.3, 1e-8}, {0.6, -0.2, 3e-8}, {0.1, 0.5, 7e-9}};
  const std::vector<scenes::TableLeg> five{
      {-0.5, -0.3, 1e-8}, {0.6, -0.2, 3e-8}, {0.1, 0.5, 7e-9}, {-0.4, 0.4, 2e-8}, {0.5, 0.3, 5e-9}};
  for (const auto& legs : {three, five}) {
    const scenes::TableOptions options{.legs = legs};
    const VecX shares = find_shares(options, GetParam(), 2.0);
    EXPECT_LT(measured("error over m g", (shares - expected_shares(options)).cwiseAbs().maxCoeff()),
              share_error(GetParam()));
  }
}

// Legs that would have to pull carry nothing, exactly.
TEST_P(Statics, legs_that_would_pull_are_lifted) {
  scenes::TableOptions options{.legs = {}};
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.2 + k * std::acos(-1.0) / 4;
    options.legs.push_back({0.6 * std::cos(angle) - 0.45, 0.4 * std::sin(angle) - 0.1});
  }
  const VecX shares = find_shares(options, GetParam(), 2.0), expected = expected_shares(options);
  for (Eigen::Index i = 0; i < 8; ++i)
    if (expected(i) == 0.0)
      EXPECT_EQ(shares(i), 0.0) << "leg " << i;
    else
      EXPECT_NEAR(shares(i), expected(i), share_error(GetParam())) << "leg " << i;
}

// Two legs carry by the law of the lever whatever their compliance, if something keeps the table
// from falling sideways; and each foot sinks by its own compliance × load, to the levers' errors.
TEST_P(Statics, two_legs_of_unequal_compliance_share_like_a_lever) {
  const double weight = 3.0 * g, places[] = {-0.3, 0.6}, compliances[] = {1e-8, 5e-8};
  ModelBuilder b{};
  const MaterialId hard = b.add_material({"floor", {.compliance = 0.0}});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = hard});
  const BodyId beam = b.add_body(
      {.name = "beam", .mass = box_of_mass({0.6, 0.1, 0.1}, 3.0), .position = {0, 0, 0.3}});
  for (int i = 0; i < 2; ++i) {
    const MaterialId leg =
        b.add_material({"leg " + std::to_string(i), {.compliance = compliances[i]}});
    b.add_shape({.body = beam,
                 .geometry = SphereShape{0.02},
                 .pose = {.p = {places[i], 0, -0.28}},
                 .material = leg});
  }
  b.add_joint(Planar{.b = beam, .point = {0, 0, 0.3}, .axis = Vec3::UnitY(), .contacts = true});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(GetParam().stepper, model, 120, state, work);
  ASSERT_EQ(work.contacts.rows.size(), 2U);
  const double h = step_of(GetParam());
  for (int i = 0; i < 2; ++i) {
    const ContactRows& rows = work.contacts.rows[static_cast<std::size_t>(i)];
    const double share = i == 0 ? 2.0 / 3 : 1.0 / 3;
    EXPECT_NEAR(work.solution.lambda(rows.normal_row) / (h * weight), share,
                share_error(GetParam()));
    EXPECT_NEAR(-rows.contact.gap, compliances[i] * share * weight,
                compliances[i] * weight * share_error(GetParam()));
  }
}

// At rest εF = −g in every contact, to what rounding of the pose leaves, and the solver: a speed
// that the contact takes back within 9/4 steps [SP.2].
TEST_P(Statics, penetration_is_compliance_times_load_at_any_step) {
  for (const double h : {1.0 / 30, 1.0 / 60, 1.0 / 240, 1e-3})
    for (const double compliance : {1e-6, 1e-8, 1e-10}) {
      const Model model = scenes::make_block_on_incline(
          {.slope = 0.0, .contact = scenes::surface(0.5, compliance)});
      const Method method = with_step(GetParam(), h);
      State state = model.initial_state();
      const RunReport report = run(model, method.stepper, state, {.t_end = 300 * h});
      expect_clean(report, method);
      const double depth = 0.1 - compute_pose(model, state, *model.find_body("block")).p.z();
      EXPECT_NEAR(depth, compliance * g / 4,
                  1e-15 + 1e-9 * compliance * g + 2.25 * method.error * g * h * h)
          << "h = " << h << ", compliance " << compliance;
    }
}

// Surfaces that do not give way are given the least compliance that double precision can tell from
// none. Steps are solved as well as others, for a hundredth of the work at which Newton gives up.
TEST_P(Statics, surfaces_without_compliance_hold_a_block) {
  const Model model = scenes::make_block_on_incline(
      {.slope = 0.4, .azimuth = 0.3, .contact = scenes::surface(0.5, 0.0)});
  State state = model.initial_state();
  const RunReport report = run(model, GetParam().stepper, state, {.t_end = 5.0});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  EXPECT_EQ(report.unconverged_steps, 0) << report.full();
  EXPECT_LT(
      measured("multiply-adds a step", report.solver_work / static_cast<double>(report.steps)),
      1e7);
  const BodyId block = *model.find_body("block");
  const Vec3 way =
      compute_pose(model, state, block).p - compute_pose(model, model.initial_state(), block).p;
  EXPECT_LT(measured("way [m]", way.norm()), 1e-12 + GetParam().error * g * 5.0 * 5.0);
}

// A10 of the acceptance table: the stepper of 2011 settles to the forces of least norm, up to what
// the table tilts by on its soft legs.
TEST(RegularizedTable, settles_by_the_regularized_inequality) {
  const struct { double stiffness, allowed; } cases[] = {{1e6, 5e-5}, {1e4, 5e-3}};
  for (const auto& c : cases) {
    scenes::TableOptions options{};
    for (scenes::TableLeg& leg : options.legs) leg.compliance = 1.0 / c.stiffness;
    const Solver solver = solver_of(both_methods().front().stepper);
    const VecX shares =
        find_shares(options, {"regularized_vi", RegularizedVi{.h = 0.01, .solver = solver}}, 4.0);
    const double error = (shares - expected_shares(options)).cwiseAbs().maxCoeff();
    EXPECT_LT(measured(fmt::format("A10 error over m g, k = {:g}", c.stiffness), error), c.allowed);
  }
}

}  // namespace
}  // namespace ligament
