// SPDX-License-Identifier: Apache-2.0
// The live simulation takes orders: each does to the motion what the laws of motion say.

#include "apps/live/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "io/scene_files.h"

namespace ligament::apps {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

constexpr double g = 9.81;      // [m/s²]
constexpr double m = 2.0;       // [kg] of the stone
constexpr double h = 1e-3;      // [s]
constexpr double round = 1e-9;  // [m, m/s, N] of numbers of size one after some hundred steps

// A stone that is free; an arm on a hinge along gravity with a motor, its centre 0.5 m from the
// axis; a carriage on a level rail with a servo.
constexpr const char* machine = R"({
  "ligament": 1, "gravity": [0, 0, -9.81],
  "bodies": [
    {"name": "stone", "kind": "particle", "mass": 2, "position": [5, 0, 1]},
    {"name": "arm", "position": [0.5, 0, 0],
     "mass": 1, "solid": {"box": {"half": [0.5, 0.1, 0.1]}}},
    {"name": "carriage", "position": [0, 3, 0],
     "mass": 1, "solid": {"box": {"half": [0.1, 0.1, 0.1]}}},
    {"name": "anvil", "kind": "fixed", "position": [0, 0, -2]}],
  "joints": [
    {"name": "shaft", "type": "hinge", "b": "arm", "point": [0, 0, 0], "axis": [0, 0, 1]},
    {"name": "rail", "type": "prismatic", "b": "carriage", "point": [0, 3, 0], "axis": [1, 0, 0]}],
  "controls": [
    {"name": "motor", "type": "motor", "joint": "shaft", "speed": 0},
    {"name": "servo", "type": "servo", "joint": "rail", "target": 0,
     "stiffness": 1e8, "damping": 1e5},
    {"name": "stop", "type": "limit", "joint": "rail", "lower": -1, "upper": 1}],
  "stepper": {"type": "spook", "h": 1e-3},
  "run": {"steps": 1}})";

class LiveSession : public testing::Test {
 protected:
  Json order(const char* text) { return Json::parse(session.obey(Json::parse(text))); }
  Json step(int count) { return Json::parse(session.obey({{"do", "step"}, {"count", count}})); }
  Json state() { return Json::parse(session.state_json()); }
  // x, y, z [m], qw, qx, qy, qz, then vx, vy, vz [m/s].
  std::vector<double> body(const char* name) { return state()["bodies"][name]; }
  std::string refusal(const Json& given) {
    try {
      session.obey(given);
    } catch (const OrderError& error) {
      return error.what();
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }

  Scene scene = read_text_as_scene(machine);
  Session session{scene, scene.model.initial_state()};
};

TEST_F(LiveSession, waits_for_orders) {
  const Json status = order(R"({"do": "pause"})");
  EXPECT_EQ(status["step"], 0);
  EXPECT_EQ(status["playing"], false);
  EXPECT_EQ(status["h"], h);
  EXPECT_TRUE(status["hand"].is_null());
}

// v⁺ = v − g h, z⁺ = z + h v⁺: after n steps z = 1 − g h² n (n + 1)/2.
TEST_F(LiveSession, steps_are_those_of_the_stepper) {
  EXPECT_EQ(step(1)["step"], 1);
  EXPECT_EQ(step(99)["step"], 100);
  EXPECT_NEAR(body("stone")[2], 1.0 - g * h * h * 100 * 101 / 2, round);
  EXPECT_NEAR(body("stone")[9], -g * h * 100, round);
  EXPECT_NEAR(double(state()["t"]), 0.1, round);
}

TEST_F(LiveSession, reset_is_the_start_to_the_last_bit_and_begins_an_epoch) {
  const std::string start = session.state_json();
  const int epoch = order(R"({"do": "pause"})")["epoch"];
  order(R"({"do": "drag", "body": "arm", "target": [1, 1, 1]})");
  step(50);
  ASSERT_NE(session.state_json(), start);
  const Json status = order(R"({"do": "reset"})");
  EXPECT_EQ(session.state_json(), start);
  EXPECT_EQ(status["epoch"], epoch + 1);
  EXPECT_TRUE(status["hand"].is_null());
  // And what follows is the same again.
  const std::string after = (step(20), session.state_json());
  order(R"({"do": "reset"})");
  step(20);
  EXPECT_EQ(session.state_json(), after);
}

TEST_F(LiveSession, plays_until_it_is_paused) {
  std::uint64_t seen = 0;
  order(R"({"do": "speed", "value": 5})");
  order(R"({"do": "play"})");
  for (long steps = 0; steps < 30;) {
    const auto message = session.broadcast().wait(seen, 10s);
    ASSERT_TRUE(message) << "nothing was shown for ten seconds";
    seen = message->number;
    const Json frame = Json::parse(message->frame);
    EXPECT_GE(frame["step"], steps);
    steps = frame["step"];
  }
  const Json paused = order(R"({"do": "pause"})");
  EXPECT_EQ(paused["playing"], false);
  EXPECT_EQ(order(R"({"do": "pause"})")["step"], paused["step"]);
  // However the clock went, the motion is that of so many steps.
  const double n = paused["step"];
  EXPECT_NEAR(body("stone")[9], -g * h * n, round);
}

TEST_F(LiveSession, gravity_changes_between_two_steps) {
  step(10);
  EXPECT_EQ(order(R"({"do": "gravity", "value": [1, 0, -1.62]})")["gravity"],
            Json({1.0, 0.0, -1.62}));
  step(10);
  EXPECT_NEAR(body("stone")[9], -(g + 1.62) * 10 * h, round);
  EXPECT_NEAR(body("stone")[7], 10 * h, round);
}

TEST_F(LiveSession, stepper_solver_and_h_change_between_two_steps) {
  step(10);
  const Json status = order(
      R"({"do": "stepper", "value": {"type": "relaxed", "h": "1/500", "solver": "block_pivot"}})");
  EXPECT_EQ(status["stepper"], "relaxed");
  EXPECT_EQ(status["solver"], "block_pivot");
  EXPECT_EQ(status["h"], 2e-3);
  EXPECT_EQ(step(5)["failure"], "");
  EXPECT_NEAR(double(state()["t"]), 10 * h + 5 * 2e-3, round);
  EXPECT_NEAR(body("stone")[9], -g * 20 * h, round);
}

// The direct solver knows no limits: that is said before any step, nothing moves, and another
// method goes on.
TEST_F(LiveSession, a_solver_that_cannot_take_a_row_is_told_at_once_with_those_that_can) {
  step(3);
  const std::string before = session.state_json();
  const Json status =
      order(R"({"do": "stepper", "value": {"type": "spook", "h": 1e-3, "solver": "direct"}})");
  const std::string failure = status["failure"];
  EXPECT_THAT(failure, testing::HasSubstr("the solver direct does not take control \"stop\""));
  EXPECT_THAT(failure, testing::HasSubstr("which pushes and does not pull"));
  EXPECT_THAT(failure, testing::HasSubstr("These do: block_pivot, gauss_seidel"));
  EXPECT_THAT(failure, testing::HasSubstr("automatic"));
  EXPECT_EQ(session.failure(), failure);
  for (const char* what : {"play", "step"})
    EXPECT_THAT(refusal({{"do", what}}), testing::HasSubstr("another stepper, first"));
  EXPECT_EQ(session.state_json(), before);
  EXPECT_EQ(order(R"({"do": "stepper", "value": {"type": "spook", "h": 1e-3}})")["failure"], "");
  EXPECT_EQ(step(5)["step"], 8);
}

// A ball falls by 0.1 m, which takes some 140 steps of a millisecond: then the direct solver meets
// the contact.
TEST(LiveSessionOfShapes, a_step_that_fails_is_told_and_moves_nothing) {
  const Scene scene = read_text_as_scene(R"({"ligament": 1, "name": "fall",
    "shapes": [{"name": "floor", "type": "half_space"}],
    "bodies": [{"name": "ball", "position": [0, 0, 0.2],
                "shapes": [{"type": "sphere", "radius": 0.1, "density": 1000}]}],
    "stepper": {"type": "spook", "h": 1e-3, "solver": "direct"}, "run": {"steps": 1}})");
  Session session(scene, scene.model.initial_state());
  EXPECT_EQ(session.failure(), "");
  const Json status = Json::parse(session.obey({{"do", "step"}, {"count", 300}}));
  const std::string failure = status["failure"];
  EXPECT_THAT(failure, testing::StartsWith("step 1"));
  EXPECT_THAT(failure, testing::HasSubstr("the solver direct does not take the contact of"));
  EXPECT_THAT(failure, testing::HasSubstr("whose friction is Coulomb's"));
  const long taken = status["step"];
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 150);
  // Nothing moved in the step that failed: it is at the end of the last one.
  EXPECT_NEAR(double(Json::parse(session.state_json())["t"]), static_cast<double>(taken) * h,
              round);
}

// A motor without a limit has its speed after one step, as stiff as its row is; the centre of the
// arm goes around at 0.5 m.
TEST_F(LiveSession, motors_take_the_speed_that_they_are_told) {
  EXPECT_EQ(order(R"({"do": "target", "control": "motor", "value": 3})")["targets"][0], 3.0);
  step(200);
  const std::vector<double> arm = body("arm");
  EXPECT_NEAR(std::hypot(arm[7], arm[8]), 3 * 0.5, 1e-4);
  order(R"({"do": "target", "control": "motor", "value": -1})");
  step(200);
  const std::vector<double> back = body("arm");
  EXPECT_NEAR(back[0] * back[8] - back[1] * back[7], -1 * 0.25, 1e-4);  // r × v
}

// The rail is level, so that nothing but the servo moves the carriage: it ends at the set point.
// Stiffness and damping give a rate of k/d = 1000/s: nothing is left after half a second.
TEST_F(LiveSession, servos_go_to_the_set_point) {
  order(R"({"do": "target", "control": "servo", "value": 0.25})");
  step(500);
  EXPECT_NEAR(body("carriage")[0], 0.25, 1e-6);
  EXPECT_NEAR(body("carriage")[1], 3.0, 1e-6);
}

// k = m ω² and d = 2 m ω at ω = 4π/s, two swings a second, for h ω is small.
TEST_F(LiveSession, a_hand_is_a_damped_spring_in_newtons_and_metres) {
  const Json hand = order(R"({"do": "drag", "body": "stone", "target": [5, 0, 1.2]})")["hand"];
  const double rate = 4.0 * std::numbers::pi, k = m * rate * rate;
  EXPECT_NEAR(hand["stiffness"], k, 1e-9 * k);
  EXPECT_NEAR(hand["damping"], 2.0 * m * rate, 1e-9 * k);
  EXPECT_NEAR(hand["force"][2], 0.2 * k, 1e-9 * k);
  step(1);
  EXPECT_NEAR(body("stone")[9], h * (0.2 * k / m - g), round);
  // Critically damped: after five seconds it hangs m g/k below the hand.
  step(5000);
  EXPECT_NEAR(body("stone")[2], 1.2 - m * g / k, round);
  EXPECT_TRUE(order(R"({"do": "release"})")["hand"].is_null());
  step(10);
  EXPECT_NEAR(body("stone")[9], -g * 10 * h, 1e-7);  // and falls from rest
}

// A coarse step takes a softer hand: ω h ≤ 0.3.
TEST_F(LiveSession, a_hand_is_soft_enough_for_the_step) {
  order(R"({"do": "drag", "body": "stone", "target": [5, 0, 1]})");
  const Json hand = order(R"({"do": "stepper", "value": {"type": "spook", "h": 0.1}})")["hand"];
  EXPECT_NEAR(hand["stiffness"], m * 3.0 * 3.0, round);
  EXPECT_EQ(hand["target"], Json({5.0, 0.0, 1.0}));
  step(300);
  EXPECT_NEAR(body("stone")[2], 1.0 - m * g / 18.0, 1e-6);
}

TEST_F(LiveSession, refuses_what_makes_no_sense_and_changes_nothing) {
  step(5);
  const std::string before = session.state_json();
  Json status = order(R"({"do": "pause"})");
  const std::vector<std::pair<Json, const char*>> wrong{
      {nullptr, "\"do\" is missing"},
      {Json::array({1, 2}), "\"do\" is missing"},
      {{{"do", 3}}, "must be a text"},
      {{{"do", "jump"}}, "unknown order \"jump\""},
      {{{"do", std::string(1000, 'x')}}, "unknown order"},
      {{{"do", "step"}, {"count", -1}}, "whole number"},
      {{{"do", "step"}, {"count", 1e300}}, "between -1e12 and 1e12"},
      {{{"do", "speed"}, {"value", 0}}, "speed must be"},
      {{{"do", "gravity"}, {"value", {1, 2}}}, "three numbers"},
      {{{"do", "gravity"}, {"value", {1, 2, std::nan("")}}}, "must be a number"},
      {{{"do", "stepper"}}, "\"value\" is missing"},
      {{{"do", "stepper"}, {"value", "spook"}}, ""},
      {{{"do", "stepper"}, {"value", {{"type", "spok"}}}}, "spook"},
      {{{"do", "stepper"}, {"value", {{"type", "spook"}, {"h", -1}}}}, "h"},
      {{{"do", "target"}, {"control", "nobody"}, {"value", 1}}, "no control \"nobody\""},
      {{{"do", "target"}, {"control", "stop"}, {"value", 1}}, "motors and servos"},
      {{{"do", "drag"}, {"body", "ghost"}, {"target", {0, 0, 0}}}, "no body \"ghost\""},
      {{{"do", "drag"}, {"body", "anvil"}, {"target", {0, 0, 0}}}, "fixed"},
      {{{"do", "drag"}, {"body", "stone"}}, "\"target\" is missing"},
      {{{"do", "drag"}, {"body", "stone"}, {"target", "up"}}, "three numbers"}};
  for (const auto& [given, reason] : wrong) {
    const std::string said = refusal(given);
    EXPECT_NE(said, "") << given;
    EXPECT_THAT(said, testing::HasSubstr(reason)) << given;
    EXPECT_LT(said.size(), 300U);
  }
  EXPECT_EQ(session.state_json(), before);
  Json after = order(R"({"do": "pause"})");
  for (Json* json : {&status, &after}) json->erase("step_cost");
  EXPECT_EQ(after, status);
}

TEST_F(LiveSession, after_its_end_orders_are_refused_and_nobody_waits) {
  session.stop();
  EXPECT_NE(refusal({{"do", "step"}}), "");
  EXPECT_TRUE(session.broadcast().closed());
  EXPECT_FALSE(session.broadcast().wait(0, 60s));
}

}  // namespace
}  // namespace ligament::apps
