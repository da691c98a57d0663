// SPDX-License-Identifier: Apache-2.0
// Who rests may sleep: islands that have been slow for a while stand still to the last bit and cost
// nothing, wake when somebody arrives or what carries them moves, and hold where they held before.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double g = 9.81, h = 1.0 / 60;
constexpr ContactModel sleepy{.sleep_after = 0.5};

std::vector<Method> sleepy_methods() {
  std::vector<Method> methods;
  for (const Method& method : both_methods()) methods.push_back(with_contacts(method, sleepy));
  return methods;
}

class Sleeping : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Sleeping, ::testing::ValuesIn(sleepy_methods()), name_of_method);

struct Play {
  explicit Play(Model m, const Method& method)
      : model(std::move(m)), stepper(method.stepper), state(model.initial_state()), work(model) {}

  StepReport advance(double time) {
    StepReport report;
    for (long i = std::lround(time / h); i > 0; --i) {
      report = step(stepper, model, state, work);
      EXPECT_TRUE(report.ok());
    }
    return report;
  }
  bool sleeps(const std::string& name) const {
    return work.sleep.is_asleep(*model.find_body(name));
  }
  Vec3 position(const std::string& name) const {
    return compute_pose(model, state, *model.find_body(name)).p;
  }

  Model model;
  Stepper stepper;
  State state;
  Workspace work;
};

// Two stacks of three cubes of 1 kg, at x = 0 and x = 2, and a ball that falls on the first one
// from high above: it arrives after √(2 · 19.5/g) = 2 s.
constexpr double height = 19.5, arrival = 1.994;

Model make_two_stacks_and_a_ball() {
  ModelBuilder b;
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const Vec3 half = Vec3::Constant(0.1);
  for (int stack = 0; stack < 2; ++stack)
    for (int i = 0; i < 3; ++i) {
      const BodyId box =
          b.add_body({.name = "box " + std::to_string(stack) + "/" + std::to_string(i),
                      .mass = box_of_mass(half, 1.0),
                      .position = {2.0 * stack, 0, 0.1 + 0.2 * i}});
      b.add_shape({.body = box, .geometry = BoxShape{half}, .material = stuff});
    }
  const BodyId ball = b.add_body(
      {.name = "ball", .mass = sphere_of_mass(0.1, 0.5), .position = {0, 0, 0.7 + height}});
  b.add_shape({.body = ball, .geometry = SphereShape{0.1}, .material = stuff});
  return std::move(b).build();
}

TEST_P(Sleeping, stacks_stand_still_to_the_last_bit_and_cost_nothing) {
  Play play(make_two_stacks_and_a_ball(), GetParam());
  EXPECT_EQ(play.advance(0.4).sleepers, 0);  // not before their time
  EXPECT_EQ(play.advance(0.6).sleepers, 6);
  const VecX before = play.state.q;
  for (int i = 0; i < 30; ++i) {
    const StepReport report = play.advance(h);
    EXPECT_EQ(report.sleepers, 6);
    EXPECT_EQ(report.contacts, 0);
    EXPECT_EQ(report.solve.work, 0.0);
    EXPECT_EQ(play.work.problem.rows(), 0);
  }
  for (int stack = 0; stack < 2; ++stack)
    for (int i = 0; i < 3; ++i) {
      const Body& body = play.model.body(
          *play.model.find_body("box " + std::to_string(stack) + "/" + std::to_string(i)));
      EXPECT_EQ(play.state.q.segment<7>(body.q_offset), before.segment<7>(body.q_offset));
      EXPECT_TRUE(play.state.v.segment<6>(body.v_offset).isZero(0.0));
      EXPECT_TRUE(play.state.p.segment<6>(body.v_offset).isZero(0.0));
    }
}

// The stack that is hit wakes, in the step that the ball arrives in, and moves as if it had never
// slept: what sleep took is the speed of settling, 1e-9 m/s after half a second, and h of it of the
// way. The other one sleeps on.
TEST_P(Sleeping, stack_wakes_when_a_ball_arrives) {
  Play play(make_two_stacks_and_a_ball(), GetParam());
  Play awake(make_two_stacks_and_a_ball(), with_contacts(GetParam(), {}));
  play.advance(1.9);
  EXPECT_EQ(play.work.sleep.sleeping(), 6);
  double woken = 0.0;
  for (int i = 0; i < 12 && woken == 0.0; ++i) {
    play.advance(h);
    if (!play.sleeps("box 0/0")) woken = play.state.t;
  }
  // Positions are half a step ahead of velocities: v h/2 of the way is half a step.
  EXPECT_NEAR(measured("woken at [s]", woken), arrival, 1.5 * h);
  for (const char* box : {"box 0/0", "box 0/1", "box 0/2"}) EXPECT_FALSE(play.sleeps(box));
  for (const char* box : {"box 1/0", "box 1/1", "box 1/2"}) EXPECT_TRUE(play.sleeps(box));
  play.advance(2.2 - play.state.t);
  awake.advance(2.2);
  for (const char* name : {"box 0/0", "box 0/1", "box 0/2", "ball"})
    EXPECT_LT(measured(std::string(name) + " off [m]",
                       (play.position(name) - awake.position(name)).norm()),
              1e-9);
  // With the ball on top they all fall asleep again, pressed in by compliance × load.
  play.advance(3.0);
  EXPECT_EQ(play.work.sleep.sleeping(), 7);
  EXPECT_NEAR(0.1 - play.position("box 0/0").z(), 1e-8 * 3.5 * g / 4, 1e-12);
}

// Bodies that are not touched, tied or pulled by something that may change do not sleep.
TEST_P(Sleeping, is_not_for_what_hangs_or_is_driven) {
  ModelBuilder b;
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}});
  const Vec3 half = Vec3::Constant(0.1);
  const auto add = [&](const std::string& name, double x, const Vec3& force) {
    const BodyId box = b.add_body(
        {.name = name, .mass = box_of_mass(half, 1.0), .position = {x, 0, 0.1}, .force = force});
    b.add_shape({.body = box, .geometry = BoxShape{half}});
    return box;
  };
  add("free", 0, Vec3::Zero());
  add("pulled", 1, {1, 0, 0});
  b.add_joint(Planar{.b = add("guided", 2, Vec3::Zero()),
                     .point = {2, 0, 0},
                     .axis = Vec3::UnitY(),
                     .contacts = true});
  b.add_load({.body = add("pushed later", 3, Vec3::Zero()),
              .force = {[](double t) { return t > 3.0 ? 20.0 : 0.0; }, 0.0, 0.0}});
  Play play(std::move(b).build(), GetParam());
  play.advance(2.0);
  EXPECT_TRUE(play.sleeps("free"));
  for (const char* name : {"pulled", "guided", "pushed later"}) EXPECT_FALSE(play.sleeps(name));
  play.advance(2.0);
  // ½ (20 − μ m g) t², t = 1 s
  EXPECT_GT(play.position("pushed later").x(), 3.0 + 7.0);
}

// A block at 95 % of its friction limit, and a wall that comes near it time and again: never nearer
// than 0.1 mm, but shortly before faster than the gap that is left a step. Each time the block
// wakes, and falls asleep again. Springs of friction that forgot their stretch would let
// it down by ε m g sin α/4 ≥ 1e-8 m each time.
TEST_P(Sleeping, block_on_an_incline_does_not_creep_by_waking_up) {
  const double mu = 0.5, slope = std::atan(0.95 * mu);
  const Quat axes = scenes::turn(slope, Vec3::UnitY());
  ModelBuilder b;
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(mu))});
  scenes::add_incline(b, axes, stuff);
  const Vec3 half(0.2, 0.15, 0.1);
  const BodyId block = b.add_body({.name = "block",
                                   .mass = box_of_mass(half, 1.0),
                                   .position = axes * Vec3(0, 0, 0.1),
                                   .orientation = axes});
  b.add_shape({.body = block, .geometry = BoxShape{half}, .material = stuff});
  const double period = 2.0, swing = 0.3, near = 1e-4;
  const BodyId wall = b.add_body({.name = "wall", .kind = BodyKind::fixed, .motion = [=](double t) {
                                    const double y = half.y() + 0.1 + near +
                                                     swing * (1 + std::cos(2 * M_PI * t / period));
                                    return Frame{.p = axes * Vec3(0, y, 0.1), .R = axes};
                                  }});
  b.add_shape({.body = wall, .geometry = BoxShape{Vec3::Constant(0.1)}, .material = stuff});
  Play play(std::move(b).build(), GetParam());
  play.advance(0.8);
  ASSERT_TRUE(play.sleeps("block"));
  const Vec3 start = play.position("block");
  int wakings = 0;
  for (int i = 0; i < 20 * std::lround(period / h); ++i) {
    const bool slept = play.sleeps("block");
    play.advance(h);
    if (slept && !play.sleeps("block")) ++wakings;
  }
  EXPECT_EQ(wakings, 20);
  EXPECT_LT(measured("creep [m]", (play.position("block") - start).norm()), 1e-9);
}

// What lies on something that is moved goes with it, however slowly it begins: below the speed of
// sleep, too. The box is dragged by friction as if tied, ε of it stretched: μ m g ε/4 at most.
TEST_P(Sleeping, box_goes_with_the_platform_that_carries_it) {
  const auto carry = [&](PoseFunction motion, double until) {
    ModelBuilder b;
    const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
    const BodyId platform =
        b.add_body({.name = "platform", .kind = BodyKind::fixed, .motion = motion});
    b.add_shape({.body = platform,
                 .geometry = BoxShape{Vec3(4, 1, 0.1)},
                 .pose = {.p = {0, 0, -0.1}},
                 .material = stuff});
    const Vec3 half = Vec3::Constant(0.1);
    const BodyId box =
        b.add_body({.name = "box", .mass = box_of_mass(half, 1.0), .position = {3, 0, 0.1}});
    b.add_shape({.body = box, .geometry = BoxShape{half}, .material = stuff});
    Play play(std::move(b).build(), GetParam());
    play.advance(1.9);
    EXPECT_TRUE(play.sleeps("box"));
    play.advance(until - 1.9);
    return play.position("box");
  };
  const auto begun = [](double t) { return std::max(0.0, t - 2.0); };
  // 0.5 mm/s, half of the speed below which it might sleep, for 10 s.
  const Vec3 slow = carry([&](double t) { return Frame{.p = {5e-4 * begun(t), 0, 0}}; }, 12.0);
  EXPECT_NEAR(measured("slow way [m]", slow.x() - 3.0), 5e-3, 1e-7);
  // A seesaw that turns about its middle, 0.1 rad/s: its end goes down at 0.3 m/s.
  const Vec3 tilted =
      carry([&](double t) { return Frame{.R = scenes::turn(0.1 * begun(t), Vec3::UnitY())}; }, 3.0);
  EXPECT_NEAR(tilted.z(), 0.1 * std::cos(0.1) - 3 * std::sin(0.1), 1e-3);
  // Away within one step: the box falls for a second, half a step ahead.
  const Vec3 gone = carry(
      [&](double t) {
        return Frame{.p = {0, 0, t > 2.0 + 0.5 * h ? -50.0 : 0.0}};
      },
      3.0);
  EXPECT_NEAR(gone.z(), 0.1 - 0.5 * g, g * h * 1.5);
}

// A long arm turns and its end hits a box that sleeps, 2.8 m from the pivot: the end is fast, its
// centre is not.
TEST_P(Sleeping, box_wakes_before_the_end_of_a_turning_arm_is_in_it) {
  ModelBuilder b;
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const Vec3 half = Vec3::Constant(0.1);
  const BodyId box =
      b.add_body({.name = "box", .mass = box_of_mass(half, 1.0), .position = {2.7, 0.9, 0.1}});
  b.add_shape({.body = box, .geometry = BoxShape{half}, .material = stuff});
  const BodyId arm = b.add_body({.name = "arm",
                                 .mass = box_of_mass({3, 0.05, 0.05}, 5.0),
                                 .position = {0, 0, 0.1},
                                 .orientation = scenes::turn(-1.0, Vec3::UnitZ()),
                                 .angular_velocity = {0, 0, 1.0}});
  b.add_shape({.body = arm, .geometry = BoxShape{Vec3(3, 0.05, 0.05)}, .material = stuff});
  b.add_joint(Hinge{.b = arm, .point = {0, 0, 0.1}, .axis = Vec3::UnitZ()});
  Play play(std::move(b).build(), GetParam());
  double deepest = 0.0;
  bool slept = false;
  for (int i = 0; i < 150; ++i) {
    deepest = std::max(deepest, play.advance(h).penetration);
    slept = slept || play.sleeps("box");
  }
  EXPECT_TRUE(slept);
  EXPECT_GT((play.position("box") - Vec3(2.7, 0.9, 0.1)).norm(), 0.1);
  // A hit ends the step at the surface: what the arm turns within it, (ω h)²/2 · 3 m, is too much.
  EXPECT_LT(measured("deepest [m]", deepest), 1.5 * h * h);
}

// Whoever changes the velocity of a sleeper wakes it.
TEST_P(Sleeping, box_that_is_given_a_push_wakes) {
  Play play(make_two_stacks_and_a_ball(), GetParam());
  play.advance(1.0);
  ASSERT_TRUE(play.sleeps("box 1/2"));
  const Body& top = play.model.body(*play.model.find_body("box 1/2"));
  Play awake(make_two_stacks_and_a_ball(), with_contacts(GetParam(), {}));
  awake.advance(1.0);
  for (Play* p : {&play, &awake}) {
    p->state.v(top.v_offset) = 0.3;
    p->state.p(top.v_offset) = 0.3 * top.mass;
    p->advance(0.1);
  }
  EXPECT_FALSE(play.sleeps("box 1/2"));
  EXPECT_TRUE(play.sleeps("box 0/0"));
  EXPECT_LT((play.position("box 1/2") - awake.position("box 1/2")).norm(), 1e-9);
  // v²/(2 μ g), half a step behind, to h² of the last step.
  EXPECT_NEAR(play.position("box 1/2").x() - 2.0, 0.3 * 0.3 / (2 * 0.5 * g) - 0.5 * h * 0.3,
              h * h * 0.5 * g);
}

// The same bits in every run, and whatever the number of threads.
TEST(SleepingIslands, are_the_same_for_any_number_of_threads) {
  const auto play = [](int threads) {
    ContactModel contacts = sleepy;
    contacts.threads = threads;
    Play p(make_two_stacks_and_a_ball(),
           {"", Spook{.solver = Automatic{.threads = threads}, .contacts = contacts}});
    p.advance(4.0);
    return p.state.q;
  };
  const VecX one = play(1);
  EXPECT_EQ(one, play(1));
  EXPECT_EQ(one, play(3));
}

}  // namespace
}  // namespace ligament
