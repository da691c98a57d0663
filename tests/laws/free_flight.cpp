// SPDX-License-Identifier: Apache-2.0
// Bodies that nothing holds.
#include <gtest/gtest.h>

#include <vector>

#include "analytic/free_flight.h"
#include "support/machines.h"
#include "support/probe.h"

namespace ligament {
namespace {

const Vec3 gravity{0, 0, -9.81};
constexpr double h = 1.0 / 60;
constexpr int steps = 600;

const std::vector<Solver> all_solvers{Direct{}, Umfpack{}, Cholmod{}};

struct Flyer {
  BodyKind kind;
  Vec3 position, velocity, force;
};

const std::vector<Flyer> flyers{
    {BodyKind::rigid, {1, 2, 3}, {4, -5, 6}, {0, 0, 0}},
    {BodyKind::particle, {-3, 0, 1}, {0.1, 0.2, 20}, {3, 0, 0}},
    {BodyKind::rod, {0, 0, 0}, {-1, 0, 0}, {0, 5, 0}},
};

Model make_flyers() {
  ModelBuilder b{{.gravity = gravity}};
  for (const Flyer& flyer : flyers)
    b.add_body({.kind = flyer.kind,
                .mass = {.mass = 2.0, .inertia = Vec3(1, 2, 2.5).asDiagonal()},
                .position = flyer.position,
                .velocity = flyer.velocity,
                .angular_velocity = Vec3(1, 2, 3),
                .force = flyer.force});
  return std::move(b).build();
}

// The discrete law: the recursion of the step has the closed form x₀ + n h v₀ + h² a n(n + 1)/2. It
// sums n times numbers of up to |x| ≤ 500 m, each rounded by 1e-16 of that: 600 × 500 × 2e-16.
TEST(FreeFlight, follows_the_discrete_parabola) {
  const Model model = make_flyers();
  for (const Solver& solver : all_solvers)
    for (const Stepper& stepper : both_steppers(h, solver)) {
      State state = model.initial_state();
      Workspace work(model);
      take_steps(stepper, model, steps, state, work);
      for (std::uint32_t i = 0; i < flyers.size(); ++i) {
        const Vec3 a = gravity + flyers[i].force / 2.0;
        const Vec3 expected =
            analytic::discrete_parabola(flyers[i].position, flyers[i].velocity, a, h, steps);
        const Vec3 x = compute_pose(model, state, {i + 1}).p;
        EXPECT_LT((x - expected).norm(), 6e-11) << name_of(stepper) << ", " << name_of(solver);
      }
    }
}

// The continuous law: first order, with the error h t a/2 that the closed form has.
TEST(FreeFlight, approaches_the_parabola_with_the_step) {
  const Model model = make_flyers();
  const double t = 2.0;
  for (const double step_h : {1.0 / 60, 1.0 / 600}) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = step_h}, model, std::lround(t / step_h), state, work);
    const Vec3 exact = analytic::parabola(flyers[0].position, flyers[0].velocity, gravity, t);
    const Vec3 error = compute_pose(model, state, {1}).p - exact;
    EXPECT_LT((error - 0.5 * step_h * t * gravity).norm(), 1e-11);
  }
}

// A rigid body's spin does not touch its flight, nor a force its spin: the momentum of rotation is
// the same to the last bit.
TEST(FreeFlight, keeps_angular_momentum_to_the_last_bit) {
  const Model model = make_flyers();
  for (const Stepper& stepper : both_steppers(h)) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, steps, state, work);
    EXPECT_EQ(Vec3(state.p.segment<3>(3)), Vec3(model.initial_state().p.segment<3>(3)));
  }
}

// A rod keeps turning in its plane with its unit length held by curvature to (θ + 1/2) h² u̇²/2:
// u̇² = |ω|² − (ω·u)² = 13, h²/2 × 13 × 2.5 = 4.5e-3.
TEST(FreeFlight, of_a_rod_keeps_its_length) {
  const Model model = make_flyers();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, steps, state, work);
  const int rod = model.body({3}).q_offset + 3;
  const double g = 0.5 * (state.q.segment<3>(rod).squaredNorm() - 1.0);
  EXPECT_NEAR(g, 2.5 * 0.5 * h * h * 13.0, 0.1 * 4.5e-3);
}

// Energy of the discrete parabola: E falls by (h/2) a·Δ(momentum) exactly, because the height that
// the step gives is h/2 of velocity behind: E_n − E_0 = −½ h f·(v_n − v_0).
TEST(FreeFlight, energy_ripple_is_half_a_step_of_power) {
  const Model model = make_flyers();
  State state = model.initial_state();
  Workspace work(model);
  const double start = compute_energy(model, state).total();
  take_steps(Spook{.h = h}, model, 100, state, work);
  double expected = 0.0;
  for (const Flyer& flyer : flyers) {
    const Vec3 f = 2.0 * gravity + flyer.force;
    expected -= 0.5 * h * f.dot(100 * h * f / 2.0);
  }
  // The rod's unit row is a constraint on a curved path and takes a little of its turning.
  const auto turning = [&](const State& x) {
    const Vec3 p = x.p.segment<3>(model.body({3}).v_offset + 3);
    return 0.5 * p.squaredNorm() / model.body({3}).moments.x();
  };
  expected += turning(state) - turning(model.initial_state());
  // Energies of 1e4 J, rounded; the free rotation of the rigid body keeps its own to 1e-13.
  EXPECT_NEAR(compute_energy(model, state).total() - start, expected, 1e-8);
}

}  // namespace
}  // namespace ligament
