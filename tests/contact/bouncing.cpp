// SPDX-License-Identifier: Apache-2.0
// A ball that bounces with restitution e: times and heights against the closed form, energy, rest.
//
// In free flight a step keeps ½ v² + g (z − h v/2), the energy half a step ago, exactly. A bounce
// at the gap z ≤ h V, before the ball has quite arrived, turns V into e V:
//
//     Newton    ½ V'² + g z' + h g V'/2 = ½ V² + g z + h g V/2      from bounce (z, V) to (z', V')
//     Poisson   ½ V'² + g z' + h g V'/2 = ½ V² + g z − h g V/2      the step after it loses h g V
//
// so that V' = V up to 2 g h, and up to g h more where the ball lands in two steps: δ ≤ 3 g h a
// flight, of which e remains after the next bounce. By Poisson's law a bounce comes before its
// step: speeds are read when gravity has pulled for h, another g h.
#include <gtest/gtest.h>

#include <vector>

#include "analytic/bounces.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81, height = 1.0, h = 1e-3;

struct Bounce {
  double time, speed, apex = 0.0;  // apex of the flight after it
};

struct Fall {
  std::vector<Bounce> bounces;
  double most_gained = 0.0;  // [J/kg] of the energy half a step ago, in a step
  double last_speed = 0.0, last_height = 0.0, highest_energy = 0.0;
};

Fall drop(const Model& model, const Method& method, double time) {
  const BodyId ball = *model.find_body("ball");
  State state = model.initial_state();
  const double radius = compute_pose(model, state, ball).p.z() - height;
  const double step = step_of(method);
  Fall fall;
  double z_before = height, v_before = 0.0, energy_before = g * height;
  const Observer look = [&](const Sample& sample) {
    const double z = compute_pose(model, sample.state, ball).p.z() - radius;
    const double v = velocity_of(model, sample.state, ball).z();
    const double energy = 0.5 * v * v + g * (z - 0.5 * step * v);
    // Once it lies there the spring of the contact has a share.
    if (z_before > 0.0 && z > 0.0)
      fall.most_gained = std::max(fall.most_gained, energy - energy_before);
    fall.highest_energy = std::max(fall.highest_energy, energy);
    if (z > 0.0 && v > 0.0 && v_before < 0.0) fall.bounces.push_back({sample.state.t, v});
    if (!fall.bounces.empty()) fall.bounces.back().apex = std::max(fall.bounces.back().apex, z);
    z_before = z, v_before = v, energy_before = energy;
    fall.last_speed = std::abs(v), fall.last_height = z;
  };
  expect_clean(run(model, method.stepper, state, {.t_end = time, .observers = {look}}), method);
  return fall;
}

// What holds at this step size, and at a fiftieth of it, where the bounds below leave the last
// bounces no room for another restitution: 3 % of the lowest height.
constexpr double fine = 0.02 * h;

// Both steppers with both laws.
std::vector<Method> bouncing_methods() {
  std::vector<Method> methods;
  for (const Method& method : both_methods())
    for (const auto law : {RestitutionLaw::newton, RestitutionLaw::poisson}) {
      methods.push_back(with_contacts(with_step(method, h), {.restitution = law}));
      methods.back().name += law == RestitutionLaw::newton ? "_by_newton" : "_by_poisson";
    }
  return methods;
}

class Bouncing : public ::testing::TestWithParam<Method> {
 protected:
  static Model make_ball(double e, double friction = 0.5) {
    return scenes::make_ball_on_incline(
        {.height = height,
         .contact = {.friction = friction, .restitution = e, .compliance = 1e-8}});
  }
};

INSTANTIATE_TEST_SUITE_P(, Bouncing, ::testing::ValuesIn(bouncing_methods()), name_of_method);

TEST_P(Bouncing, ball_keeps_to_the_times_and_heights_of_the_closed_form) {
  for (const double step : {h, fine})
    for (const double e : {0.5, 0.8}) {
      const analytic::Bounces exact{.gravity = g, .height = height, .e = e};
      const int count = 6;
      const Fall fall =
          drop(make_ball(e), with_step(GetParam(), step), exact.time(count + 1) + 0.01);
      ASSERT_GE(fall.bounces.size(), static_cast<std::size_t>(count));
      const bool poisson = GetParam().name.ends_with("_by_poisson");
      const double pull = poisson ? g * step : 0.0;
      double error = 0.0, late = step;  // of the speed, of the time
      for (int k = 1; k <= count; ++k) {
        const Bounce& bounce = fall.bounces[static_cast<std::size_t>(k - 1)];
        error = e * (error + 3 * g * step) + pull;
        EXPECT_NEAR(bounce.time, exact.time(k), late) << "bounce " << k;
        EXPECT_NEAR(bounce.speed, exact.speed_after(k), error) << "bounce " << k;
        // H = V²/2g: V δ/g, and it starts from a gap of up to h V/e.
        const double V = exact.speed_after(k);
        EXPECT_NEAR(bounce.apex, exact.height_after(k), V * error / g + step * V / e)
            << "bounce " << k;
        late += 2 * error / g + 2 * step;  // the flight lasts (V + V')/g, to a step at each end
      }
      measured("bounce 6 late by [steps]", (fall.bounces[5].time - exact.time(6)) / step);
    }
}

// An impact is two solves, and the step says so.
TEST(Impacts, count_as_solves_of_their_step) {
  const Model model = scenes::make_ball_on_incline(
      {.height = 1e-3, .velocity = {0, 0, -1}, .contact = {.friction = 0.5, .restitution = 0.5}});
  for (const Stepper& stepper :
       {Stepper(Spook{.contacts = {.restitution = RestitutionLaw::poisson}}),
        Stepper(Relaxed{.contacts = {.restitution = RestitutionLaw::poisson}})}) {
    State state = model.initial_state();
    Workspace work(model);
    const StepReport report = ligament::step(stepper, model, state, work);
    EXPECT_EQ(report.impacts, 1);
    EXPECT_EQ(report.solves, 3);
    EXPECT_EQ(report.solve.chosen[Solver(Newton{}).index()], 3);
  }
}

// One that cannot be solved fails the step, and leaves the state as it was.
TEST(Impacts, that_cannot_be_solved_fail_the_step) {
  const Model model = scenes::make_ball_on_incline(
      {.height = 1e-3, .velocity = {0, 0, -1}, .contact = {.friction = 0.5, .restitution = 0.5}});
  State state = model.initial_state();
  const State before = state;
  Workspace work(model);
  const Stepper stepper =
      Spook{.solver = Direct{}, .contacts = {.restitution = RestitutionLaw::poisson}};
  const StepReport report = ligament::step(stepper, model, state, work);
  EXPECT_EQ(report.solve.status, SolveStatus::unsupported);
  EXPECT_EQ(report.impacts, 0);
  EXPECT_EQ(state.v, before.v);
  EXPECT_EQ(state.p, before.p);
  EXPECT_EQ(state.q, before.q);
}

// Not in any step, but for the rounding of terms of size g: 100 roundings.
TEST_P(Bouncing, never_adds_energy) {
  for (const double e : {0.0, 0.3, 0.9, 1.0}) {
    const Fall fall = drop(make_ball(e), GetParam(), 5.0);
    EXPECT_LT(measured("most gained in a step [J/kg]", fall.most_gained), 2e-14 * g);
    EXPECT_LT(fall.highest_energy, g * height + 1e-12);
  }
}

// e = 1: Newton's law keeps the ball bouncing, with the errors of the places where it turns.
TEST_P(Bouncing, perfectly_elastic_ball_comes_back) {
  const analytic::Bounces exact{.gravity = g, .height = height, .e = 1.0};
  const Fall fall = drop(make_ball(1.0), GetParam(), exact.time(4));
  ASSERT_GE(fall.bounces.size(), 3U);
  const double V = exact.speed_after(1);
  for (int k = 1; k <= 3; ++k) {
    const double error = 3 * g * h * k;
    EXPECT_NEAR(measured("apex [m]", fall.bounces[static_cast<std::size_t>(k - 1)].apex), height,
                V * error / g + h * V)
        << "bounce " << k;
  }
}

// It bounces no more when e V < g h, stops within t_∞ and the errors of the flights until then, and
// sinks in by compliance × weight.
TEST_P(Bouncing, comes_to_rest) {
  const double e = 0.5;
  const analytic::Bounces exact{.gravity = g, .height = height, .e = e};
  const Fall fall = drop(make_ball(e), GetParam(), exact.end() + 0.2);
  // Every bounce comes late by 2 δ/g + 2 h at most, δ ≤ 3 g h e/(1 − e), and there are 10: e¹⁰ V <
  // g h.
  EXPECT_LT(fall.bounces.size(), 11U);
  EXPECT_LT(fall.bounces.back().time, exact.end() + 10 * (6 * e / (1 - e) + 2) * h);
  EXPECT_LT(measured("speed at rest [m/s]", fall.last_speed), GetParam().error * g * h);
  EXPECT_NEAR(measured("depth over ε m g", -fall.last_height / (1e-8 * g)), 1.0, 1e-6);
}

}  // namespace
}  // namespace ligament
