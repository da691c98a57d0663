// SPDX-License-Identifier: Apache-2.0
// Locks and motors on sums of coordinates: gears, differentials, rack and pinion.
//
// A coupling Σ f_i s_i = constant passes an impulse f_i λ to each coordinate and nothing to
// anything else. From rest under a load T on one of them the sums of momenta that λ does not reach
// are exact: n h T, whatever the step. Together with the coupling itself they are the whole motion.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/drives.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60, pi = std::numbers::pi;

// Bodies side by side, each with one freedom to the world: wheels about z or slides along z.
enum class Freedom { wheel, slide };

struct Train {
  ModelBuilder builder{{.gravity = Vec3::Zero()}};
  std::vector<JointId> joints{};

  JointId add(Freedom freedom, double inertia, double load = 0.0) {
    const Vec3 place(static_cast<double>(joints.size()), 0, 0);
    const bool turns = freedom == Freedom::wheel;
    const BodyId body = builder.add_body({.mass = turns ? cylinder_of_mass(0.5, 0.1, 8.0 * inertia)
                                                        : box_of_mass({0.1, 0.2, 0.3}, inertia),
                                          .position = place,
                                          .force = turns ? Vec3::Zero() : Vec3(0, 0, load),
                                          .torque = turns ? Vec3(0, 0, load) : Vec3::Zero()});
    joints.push_back(turns ? builder.add_joint(Hinge{.b = body, .point = place})
                           : builder.add_joint(Prismatic{.b = body, .point = place}));
    freedoms.push_back(freedom);
    return joints.back();
  }
  // Entry of State::v and State::p of the freedom of body i.
  int at(std::size_t i) const {
    return 6 * static_cast<int>(i) + (freedoms[i] == Freedom::wheel ? 5 : 2);
  }

 private:
  std::vector<Freedom> freedoms{};
};

Lock rigid(Lock lock) {
  lock.compliance = 0.0;  // the least that the floor of compliance allows
  return lock;
}

// Slides: everything is linear, v₁ = n h F/(m₁ + r² m₂) by the stepper's own recursion. The row
// gives way by the floor, 2e-13 of the impulse.
TEST(Gear, of_two_slides_accelerates_the_effective_mass) {
  for (const double r : {-2.5, 0.4, 3.0}) {
    Train train;
    const double m1 = 1.5, m2 = 0.7, F = 2.0;
    const JointId first = train.add(Freedom::slide, m1, F), second = train.add(Freedom::slide, m2);
    train.builder.add_control(rigid(make_gear("gear", first, second, r)));
    const int at1 = train.at(0), at2 = train.at(1);
    const Model model = std::move(train.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    for (int n = 1; n <= 300; ++n) {
      take_steps(Spook{.h = h}, model, 1, state, work);
      const double v = n * h * F / (m1 + r * r * m2);
      ASSERT_NEAR(state.v(at1), v, 1e-12 * (1 + v)) << r;
      ASSERT_NEAR(state.v(at2), r * v, 1e-12 * (1 + v)) << r;
    }
    // The first impulse, taken up by the floor of compliance, leaves g = Σ h λ: 1e-13 or so.
    EXPECT_NEAR(state.s(1), r * state.s(0), 1e-12);
  }
}

// Wheels: I₁ ω₁ + r I₂ ω₂ = n h T exactly, and the angles keep the ratio over many turns. The
// Cayley map turns a wheel by h ω − (h ω)³/12 a step, so the speeds keep the ratio but for the
// difference of (h ω)²/12 of the two, and the row lags by (θ + ½) times what a step adds to it.
TEST(Gear, of_two_wheels_accelerates_the_effective_inertia_and_counts_turns) {
  for (const double r : {-2.0, 0.5}) {
    Train train;
    const double I1 = 1.0, I2 = 0.3, T = 0.4;
    const JointId first = train.add(Freedom::wheel, I1, T), second = train.add(Freedom::wheel, I2);
    train.builder.add_control(rigid(make_gear("gear", first, second, r)));
    const Model model = std::move(train.builder).build();
    State state = model.initial_state();
    Workspace work(model);
    const double step = 1.0 / 240;
    const int steps = 7200;
    for (int n = 1; n <= steps; ++n) {
      take_steps(Spook{.h = step}, model, 1, state, work);
      const double w1 = state.v(5), w2 = state.v(11);
      ASSERT_NEAR(I1 * w1 + r * I2 * w2, n * step * T, 1e-12 * (1 + n * step * T));
      const double hw = step * std::max(std::abs(w1), std::abs(w2));
      const double slip = std::abs(r) * hw * hw / 12.0;  // of ω₁, more than the difference
      ASSERT_NEAR(w2, r * w1, slip * std::abs(w1) + 1e-11);
      ASSERT_NEAR(state.s(1), r * state.s(0), 2.5 * slip * step * std::abs(w1) + 1e-12);
      const double w = n * step * T / (I1 + r * r * I2);
      ASSERT_NEAR(w1, w, slip * w + 1e-11);
    }
    EXPECT_GT(state.s(0), 10 * 2 * pi);
  }
}

// A differential, s₁ + s₂ = 2 s₃, driven at the carrier: both sides feel the same torque λ,
// whatever their inertias, and the carrier −2 λ:
//     λ = 2 T/I₃ / (1/I₁ + 1/I₂ + 4/I₃).
TEST(Differential, gives_both_sides_the_same_torque) {
  Train train;
  const double I1 = 1.0, I2 = 3.0, I3 = 0.5, T = 0.2;
  const JointId left = train.add(Freedom::slide, I1), right = train.add(Freedom::slide, I2);
  const JointId carrier = train.add(Freedom::slide, I3, T);
  train.builder.add_control(
      Lock{.on = {{{left}, {right}, {.joint = carrier, .factor = -2.0}}}, .compliance = 0.0});
  const int at1 = train.at(0), at2 = train.at(1), at3 = train.at(2);
  const Model model = std::move(train.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  const int n = 300;
  take_steps(Spook{.h = h}, model, n, state, work);
  const double lambda = 2.0 * T / I3 / (1.0 / I1 + 1.0 / I2 + 4.0 / I3);
  EXPECT_NEAR(state.p(at1), n * h * lambda, 1e-11);
  EXPECT_NEAR(state.p(at2), state.p(at1), 1e-13);
  EXPECT_NEAR(state.p(at3) + 2.0 * state.p(at1), n * h * T, 1e-13);
  EXPECT_NEAR(state.v(at1) + state.v(at2), 2.0 * state.v(at3), 1e-11);
}

// Planetary gear, Willis: z_s ω_s + z_r ω_r = (z_s + z_r) ω_c. The ring held and the sun driven at
// ω, the carrier turns at ω z_s/(z_s + z_r), and holding the ring takes z_r/z_s of the torque at
// the sun, which is here that of a load at the carrier. Speeds are right to the (h ω)²/12 of the
// Cayley map, 1e-4.
TEST(PlanetaryGear, turns_its_carrier_as_willis_says) {
  Train train;
  const double sun_teeth = 20, ring_teeth = 60, speed = 2.0, load = -4.0;
  const JointId sun = train.add(Freedom::wheel, 0.1), ring = train.add(Freedom::wheel, 1.0);
  const JointId carrier = train.add(Freedom::wheel, 0.6, load);
  train.builder.add_control(
      Lock{.name = "teeth",
           .on = {{{.joint = sun, .factor = sun_teeth},
                   {.joint = ring, .factor = ring_teeth},
                   {.joint = carrier, .factor = -(sun_teeth + ring_teeth)}}}});
  const ControlId held = train.builder.add_control(Lock{.name = "brake", .on = ring});
  const ControlId drive =
      train.builder.add_control(Motor{.name = "drive", .on = sun, .speed = speed});
  const Model model = std::move(train.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, 1200, state, work);
  const double hw = h * speed;
  EXPECT_NEAR(state.v(17), speed * 0.25, speed * hw * hw / 12.0);
  // The Cayley map leaves d = (20 (h ω)³ − 80 (h ω/4)³)/12 of the sum open in each step, and the
  // row lags by θ d = 2 d, of which the carrier's angle has an 80th.
  const double d = (sun_teeth * std::pow(hw, 3) - 80.0 * std::pow(0.25 * hw, 3)) / 12.0;
  EXPECT_NEAR(state.s(2) - 0.25 * state.s(0), 2.0 * d / 80.0, 0.01 * d / 80.0 + 1e-8 * 4.0);
  EXPECT_GT(state.s(2), 2 * pi);
  // Torques of the teeth: −λ z_s on the sun, −λ z_r on the ring, λ (z_s + z_r) on the carrier.
  const RowImpulses impulses{work.constraints, work.problem.G, work.frames, work.solution.lambda,
                             h};
  EXPECT_NEAR(compute_control_force(impulses, drive), -load * 0.25, 1e-6);
  EXPECT_NEAR(compute_control_force(impulses, held), -load * 0.75, 1e-6);
}

// A motor on a difference of coordinates drives one wheel against the other: their momenta stay
// opposite, and the speeds differ by that of the motor.
TEST(Motor, on_a_sum_drives_the_sum) {
  Train train;
  const double I1 = 1.0, I2 = 3.0, speed = 2.0;
  const JointId first = train.add(Freedom::wheel, I1), second = train.add(Freedom::wheel, I2);
  train.builder.add_control(Motor{
      .on = {{{first}, {.joint = second, .factor = -1.0}}}, .speed = speed, .inverse_drag = 0.0});
  const Model model = std::move(train.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, 100, state, work);
  EXPECT_NEAR(I1 * state.v(5) + I2 * state.v(11), 0.0, 1e-13);
  EXPECT_NEAR(state.v(5), speed * I2 / (I1 + I2), 1e-11);
  EXPECT_NEAR(state.v(5) - state.v(11), speed, 1e-11);
}

// Rack and pinion: x = r θ, a force F on the rack moves m + I/r². Exactly m v + (I/r) ω = n h F;
// the pinion's angle lags by the Cayley map, (h ω)²/12, and its speed makes up for it.
TEST(RackAndPinion, accelerates_the_mass_plus_inertia_over_radius_squared) {
  Train train;
  const double m = 1.5, I = 0.02, r = 0.1, F = 2.0;
  const JointId pinion = train.add(Freedom::wheel, I), rack = train.add(Freedom::slide, m, F);
  train.builder.add_control(rigid(make_rack_and_pinion("teeth", pinion, rack, r)));
  const Model model = std::move(train.builder).build();
  const int turning = 5, sliding = 8;
  State state = model.initial_state();
  Workspace work(model);
  const double step = 1.0 / 240;
  for (int n = 1; n <= 960; ++n) {
    take_steps(Spook{.h = step}, model, 1, state, work);
    const double v = state.v(sliding), w = state.v(turning);
    ASSERT_NEAR(m * v + I / r * w, n * step * F, 1e-11);
    const double lag = std::pow(step * w, 2) / 12.0;
    ASSERT_NEAR(v, r * w, lag * r * w + 1e-11);
    const double expected = n * step * F / (m + I / (r * r));
    ASSERT_NEAR(v, expected, lag * expected + 1e-11);
    ASSERT_NEAR(state.s(1), r * state.s(0), 2.5 * lag * step * r * w + 1e-11);
  }
  EXPECT_GT(state.s(0), 3 * 2 * pi);
}

// A lock holds a value that it is given: the gap closes and stays closed.
TEST(Lock, pulls_a_coordinate_to_its_value) {
  machines::Drive drive = machines::make_slide();
  drive.builder.add_control(Lock{.on = drive.joint, .value = 0.25});
  const Model model = std::move(drive.builder).build();
  State state = model.initial_state();
  Workspace work(model);
  take_steps(Spook{.h = h}, model, 60, state, work);  // a third of the gap a step: 3⁻⁶⁰
  EXPECT_NEAR(state.s(0), 0.25, 1e-15);
}

}  // namespace
}  // namespace ligament
