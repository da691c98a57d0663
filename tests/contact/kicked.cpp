// SPDX-License-Identifier: Apache-2.0
// Who is kicked within a step comes farther than it was fast enough for when contacts were looked
// for. What it hits there must hold it in that step, and who is kicked by it as well.
//
// A ball of mass m and speed v hits a row of lighter ones at rest, 5 cm apart, with a wall behind
// them: it goes 16 cm in a step. No force can be larger than m v/h, all of its momentum in one
// step, so nothing overlaps by more than ε m v/h; a contact that is not seen, by centimetres.
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60, radius = 0.1, apart = 0.05, speed = 10.0, mass = 1.0, light = 0.01;
constexpr double compliance = 1e-8, nearest = 0.001;
constexpr int balls = 4;  // the first one moves

// The side of the wall towards the balls.
constexpr double wall_at =
    2 * radius + nearest + (balls - 2) * (2 * radius + apart) + radius + apart;

Model make_row(const Geometry& wall, double wall_half, double e = 0.0) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const MaterialId stuff = b.add_material(
      {"stuff", scenes::half_of({.friction = 0.5, .restitution = e, .compliance = compliance})});
  double x = 0.0;
  for (int i = 0; i < balls; ++i) {
    const std::string name = "ball " + std::to_string(i);
    const BodyId ball = b.add_body({.name = name,
                                    .mass = sphere_of_mass(radius, i == 0 ? mass : light),
                                    .position = {x, 0, 0},
                                    .velocity = {i == 0 ? speed : 0.0, 0, 0}});
    b.add_shape({.name = name, .body = ball, .geometry = SphereShape{radius}, .material = stuff});
    x += 2 * radius + (i == 0 ? nearest : apart);
  }
  b.add_shape({.name = "wall",
               .geometry = wall,
               .pose = {.p = {wall_at + wall_half, 0, 0},
                        .R = scenes::turn(-0.5 * std::numbers::pi, Vec3::UnitY())},
               .material = stuff});
  return std::move(b).build();
}

// How deep balls and wall are in each other [m], < 0 if they are not.
double compute_overlap(const Model& model, const State& state) {
  double overlap = -1.0, before = -1.0;
  for (int i = 0; i < balls; ++i) {
    const double x =
        compute_pose(model, state, *model.find_body("ball " + std::to_string(i))).p.x();
    if (i > 0) overlap = std::max(overlap, 2 * radius - (x - before));
    before = x;
  }
  return std::max(overlap, before + radius - wall_at);
}

class Kicked : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Kicked,
                         ::testing::Values(Method{"spook", Spook{}}, Method{"relaxed", Relaxed{}},
                                           Method{"regularized_vi", RegularizedVi{}}),
                         name_of_method);

TEST_P(Kicked, row_of_balls_stops_at_a_wall_whatever_it_is_made_of) {
  // A half-space, and a sheet of a tenth of what a ball goes in a step.
  const Method method = with_step(GetParam(), h);
  const double sheet = 0.008;
  for (const Model& model :
       {make_row(HalfSpaceShape{}, 0.0), make_row(BoxShape{{1, 1, sheet}}, sheet)}) {
    State state = model.initial_state();
    double deepest = -1.0;
    const Observer look = [&](const Sample& sample) {
      deepest = std::max(deepest, compute_overlap(model, sample.state));
    };
    expect_clean(run(model, method.stepper, state, {.t_end = 0.5, .observers = {look}}), method);
    // 1e-12 m: rounding of the places.
    EXPECT_LE(measured("overlap_m", deepest), compliance * mass * speed / h + 1e-12);
    EXPECT_LE(compute_overlap(model, state), compliance * mass * speed / h + 1e-12);
  }
}

// What bounces gets its whole speed: a ball that is kicked at a wall, in the step after the kick.
// The heavy one loses what the light one got, (1 + e) m v/(m + m_light), and that one comes back at
// e of it.
TEST_P(Kicked, ball_that_bounces_keeps_its_speed) {
  constexpr double e = 0.5;
  for (const auto law : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
    const Method method = with_contacts(with_step(GetParam(), h / 16), {.restitution = law});
    const Model model = make_row(HalfSpaceShape{}, 0.0, e);
    State state = model.initial_state();
    const double start = compute_energy(model, state).kinetic;
    double most = 0.0, fastest = 0.0;
    const BodyId last = *model.find_body("ball 1");
    const Observer look = [&](const Sample& sample) {
      most = std::max(most, compute_energy(model, sample.state).kinetic);
      fastest = std::max(fastest, velocity_of(model, sample.state, last).x());
    };
    run(model, method.stepper, state, {.t_end = 0.5, .observers = {look}});
    EXPECT_LE(measured("energy_over_start", most / start), 1.0 + 1e-9);
    EXPECT_NEAR(fastest, (1 + e) * mass * speed / (mass + light), 1e-6 * speed);
  }
}

// In a step without a wall the row takes over momentum, and none is lost.
TEST_P(Kicked, momentum_stays) {
  const Method method = with_step(GetParam(), h);
  const Model model = make_row(HalfSpaceShape{}, 10.0);
  State state = model.initial_state();
  run(model, method.stepper, state, {.t_end = 0.5});
  double p = 0.0;
  for (int i = 0; i < balls; ++i)
    p += state.p(model.body(*model.find_body("ball " + std::to_string(i))).v_offset);
  EXPECT_NEAR(p, mass * speed, 1e-12 * mass * speed);  // rounding of 30 steps
}

// Who falls, stands or slides is not solved twice.
TEST(KickedLooks, nobody_looks_twice_who_is_not_kicked) {
  for (const Model& model : {scenes::make_block_on_incline({.slope = 0.3}),
                             scenes::make_block_on_incline({.slope = 0.6}),
                             scenes::make_ball_on_incline({.height = 1.0})}) {
    State state = model.initial_state();
    Workspace work(model);
    for (int i = 0; i < 120; ++i)
      EXPECT_EQ(step(Spook{.h = h}, model, state, work).solves, 1) << "step " << i;
  }
}

}  // namespace
}  // namespace ligament
