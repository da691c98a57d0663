// SPDX-License-Identifier: Apache-2.0
// The stepper of 2011 against its closed forms: A4, A5 and A6 of the acceptance table. Springs at
// the end of the step are backward Euler's, so that stiff contacts end inelastically.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analytic/backward_euler.h"
#include "support/contact_scenes.h"
#include "support/drives.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"

namespace ligament {
namespace {

// A4: a ball of 1 kg between two walls that are 1 mm too close. Nothing can move, so that λ =
// |g|/(h Σ) with Σ = s/m: impulses grow as 1/s and have no limit.
TEST(RegularizedVi, pinched_body_is_pressed_by_overlap_over_compliance) {
  const double h = 0.01, overlap = 1e-3, radius = 0.1;
  for (const double s : {0.1, 1e-3, 1e-5}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const MaterialId stuff =
        b.add_material({"stuff", scenes::half_of(scenes::surface(0.5, s * h * h))});
    const double half_turn = std::acos(-1.0), top = 2 * radius - overlap;
    b.add_shape({.name = "lower", .geometry = HalfSpaceShape{}, .material = stuff});
    b.add_shape({.name = "upper",
                 .geometry = HalfSpaceShape{},
                 .pose = {.p = {0, 0, top}, .R = scenes::turn(half_turn, Vec3::UnitX())},
                 .material = stuff});
    const BodyId ball = b.add_body(
        {.name = "ball", .mass = sphere_of_mass(radius, 1.0), .position = {0, 0, 0.5 * top}});
    b.add_shape({.body = ball, .geometry = SphereShape{radius}, .material = stuff});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(RegularizedVi{.h = h}, model, 1, state, work);
    ASSERT_EQ(work.contacts.rows.size(), 2U);
    for (const ContactRows& rows : work.contacts.rows)
      EXPECT_NEAR(measured("A4 λ_n s", s * work.solution.lambda(rows.normal_row)), 0.05, 0.0005);
  }
}

// A5: a slide on a spring. Its joint rows are not touched.
TEST(RegularizedVi, spring_loses_the_energy_of_backward_euler) {
  const double h = 0.01, mass = 2.0;
  for (const double w : {0.01, 0.1, 1.0, 10.0}) {
    machines::Drive drive = machines::make_slide({.inertia = mass, .speed = 1.0});
    const double compliance = h * h / (mass * w * w);
    drive.builder.add_control(Lock{.on = drive.joint, .compliance = compliance});
    const Model model = std::move(drive.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    double before = 0.5 * mass;
    for (int i = 0; i < 20; ++i) {
      take_steps(RegularizedVi{.h = h}, model, 1, state, work);
      const double energy = 0.5 * mass * std::pow(state.v(drive.speed), 2) +
                            0.5 * std::pow(state.s(0), 2) / compliance;
      EXPECT_NEAR(energy / before / analytic::backward_euler_energy_factor(w), 1.0, 1e-8);
      before = energy;
    }
  }
}

// Speed of a ball of 1 kg after a hit at 1 m/s, with ω h = w and the surface reached `early` of a
// step after its start.
double give_back(double w, double early) {
  const double h = 0.01;
  const Model model =
      scenes::make_ball_on_incline({.gravity = 0.0,
                                    .height = early * h,
                                    .velocity = {0, 0, -1},
                                    .contact = scenes::surface(0.0, h * h / (w * w))});
  State state = model.initial_state();
  Workspace work(model);
  // Half a swing takes π/w steps.
  take_steps(RegularizedVi{.h = h}, model, 10 + std::lround(4 / w), state, work);
  return velocity_of(model, state, *model.find_body("ball")).z();
}

// A6: the table of spurious restitution, and its two closed forms.
TEST(RegularizedVi, stiff_contacts_end_inelastically) {
  const struct {
    double w, e;
  } table[] = {{0.01, 0.98442}, {0.1, 0.85592}, {0.2, 0.73303},  {0.5, 0.47923},  {1.0, 0.25},
               {2.0, 0.12},     {3.0, 0.08},    {5.0, 0.035503}, {10.0, 0.009705}};
  for (const auto& [w, e] : table)
    EXPECT_NEAR(measured(fmt::format("A6 restitution at ω h = {}", w), give_back(w, 0.0)), e, 1e-5);
  for (const double w : {std::sqrt(3.0) + 1e-9, 2.0, 3.0, 5.0, 10.0, 100.0})
    EXPECT_NEAR(give_back(w, 0.0), analytic::spurious_restitution(w), 1e-5);
  for (const double w : {0.01, 0.1, 0.2})
    EXPECT_NEAR(give_back(w, 0.0) / analytic::soft_restitution(w), 1.0, 0.01);
}

// When in the step the surface is reached matters for stiff contacts, up to the table and not
// beyond.
TEST(RegularizedVi, restitution_depends_on_the_phase_within_the_table) {
  for (const double w : {2.0, 3.0, 5.0, 10.0})
    for (double early = 0.05; early < 1.0; early += 0.1)
      EXPECT_LE(give_back(w, early), analytic::spurious_restitution(w) + 1e-9)
          << "ω h = " << w << ", reached after " << early;
  for (double early = 0.05; early < 1.0; early += 0.1)
    EXPECT_NEAR(give_back(0.1, early) / give_back(0.1, 0.0), 1.0, 0.003);
}

// A penetration is pushed out within the step, and the body keeps the speed that it took: gently if
// that speed is limited.
TEST(RegularizedVi, pushes_out_as_fast_as_it_is_told) {
  const double h = 0.01, overlap = 1e-3;
  const auto speed_after = [&](double push_out, double limit) {
    const Model model = scenes::make_ball_on_incline(
        {.gravity = 0.0, .height = -overlap, .contact = scenes::surface(0.0, 1e-12)});
    State state = model.initial_state();
    Workspace work(model);
    take_steps(RegularizedVi{.h = h, .push_out = push_out, .max_push_out_speed = limit}, model, 1,
               state, work);
    return velocity_of(model, state, *model.find_body("ball")).z();
  };
  // Σ = ε/h² = 1e-8 of the mobility
  EXPECT_NEAR(speed_after(1.0, 1e9), overlap / h, 1e-8);
  EXPECT_NEAR(speed_after(0.2, 1e9), 0.2 * overlap / h, 1e-8);
  EXPECT_NEAR(speed_after(1.0, 0.03), 0.03, 1e-8);
}

}  // namespace
}  // namespace ligament
