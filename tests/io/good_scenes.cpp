// SPDX-License-Identifier: Apache-2.0
// What a scene says is what the model is.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "io/scene_files.h"

namespace ligament {
namespace {

const std::filesystem::path source = LIGAMENT_TEST_SOURCE_DIR;

TEST(Scenes, of_the_project_load) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source / "scenes")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().string());
    const Scene scene = read_scene(entry.path());
    EXPECT_GT(scene.model.moving_bodies(), 0);
    EXPECT_GT(scene.steps, 0);
    ++count;
  }
  EXPECT_GE(count, 8);
}

// Lacoursière 2007, section 6: 3 N + 1 rods, 4 N + 1 joints.
TEST(Scenes, ladder_has_the_rods_and_joints_of_the_paper) {
  for (const int N : {1, 2, 20}) {
    const Scene scene =
        read_scene(source / "scenes" / "ladder.json", {{.key = "N", .value = std::to_string(N)}});
    EXPECT_EQ(scene.model.moving_bodies(), 3 * N + 1);
    EXPECT_EQ(scene.model.joints().size(), static_cast<std::size_t>(4 * N + 1));
  }
}

TEST(Scenes, defaults_are_those_of_the_structs) {
  const Scene scene = read_text_as_scene(scene_with(R"({"kind": "particle", "mass": 2})"));
  EXPECT_EQ(scene.name, "scene");
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.every, 1);
  EXPECT_EQ(scene.steps, 1);
  const auto& spook = std::get<Spook>(scene.stepper);
  EXPECT_EQ(spook.h, Spook{}.h);
  EXPECT_EQ(spook.damping_steps, Spook{}.damping_steps);
  EXPECT_TRUE(std::holds_alternative<Automatic>(spook.solver));
  EXPECT_FALSE(scene.assemble);
  EXPECT_FALSE(scene.staggered);
  EXPECT_TRUE(scene.joints.empty());
  EXPECT_TRUE(scene.controls.empty());
}

TEST(Scenes, body_gets_its_pose_velocity_and_loads) {
  const Scene scene = read_text_as_scene(scene_with(R"({
    "name": "b", "mass": 2, "inertia": [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]],
    "position": [1, 2, 3], "orientation": {"axis": [0, 0, 5], "angle": "pi/2"},
    "velocity": [4, 5, 6], "angular_velocity": [0, 0, 7],
    "force": [8, 0, 0], "torque": [0, 9, 0]})"));
  const BodyId id = scene.model.find_body("b").value();
  const State& state = scene.model.initial_state();
  const Frame pose = compute_pose(scene.model, state, id);
  EXPECT_EQ(pose.p, Vec3(1, 2, 3));
  EXPECT_LT((pose.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(velocity_of(scene.model, state, id), Vec3(4, 5, 6));
  EXPECT_LT((compute_angular_velocity(scene.model, state, id) - Vec3(0, 0, 7)).norm(), 1e-13);
  EXPECT_EQ(scene.model.body(id).mass, 2.0);
  EXPECT_EQ(scene.model.body(id).force, Vec3(8, 0, 0));
  EXPECT_EQ(scene.model.body(id).torque, Vec3(0, 9, 0));
  EXPECT_NEAR(scene.model.body(id).moments.sum(), 9.0, 1e-14);  // the trace is kept
}

TEST(Scenes, quaternion_is_given_with_w_first) {
  const Scene scene = read_text_as_scene(
      scene_with(R"({"name": "b", "kind": "fixed", "orientation": [0, 0, 0, 1]})"));
  const Frame pose =
      compute_pose(scene.model, scene.model.initial_state(), scene.model.find_body("b").value());
  EXPECT_EQ(pose.R * Vec3::UnitX(), Vec3(-1, 0, 0));  // half a turn about z
}

TEST(Scenes, rod_lies_along_its_direction) {
  const Scene scene = read_text_as_scene(scene_with(
      R"({"name": "r", "kind": "rod", "mass": 12, "length": 2, "direction": [0, 0, -3],
          "compliance": 1e-6, "damping_time": 0.5})"));
  const Body& rod = scene.model.body(scene.model.find_body("r").value());
  EXPECT_LT((scene.model.initial_state().q.segment<3>(rod.q_offset + 3) - Vec3(0, 0, -1)).norm(),
            1e-15);
  EXPECT_EQ(rod.moments.x(), 4.0);  // m l²/12
  EXPECT_EQ(rod.relaxation.compliance, 1e-6);
  EXPECT_EQ(rod.relaxation.damping_time, 0.5);
}

TEST(Scenes, solids_have_their_mass_and_inertia) {
  constexpr double pi = std::numbers::pi;
  const Scene scene = read_text_as_scene(scene_with(R"(
    {"name": "box", "solid": {"box": {"half": [1, 2, 3]}}, "mass": 3},
    {"name": "ball", "solid": {"sphere": {"radius": 2}}, "density": 3},
    {"name": "roll", "solid": {"cylinder": {"radius": 2, "half_length": 3}}, "density": 1})"));
  const auto body = [&](const char* name) {
    return scene.model.body(scene.model.find_body(name).value());
  };
  EXPECT_LT((body("box").moments - Vec3(13, 10, 5)).norm(), 1e-14);
  EXPECT_NEAR(body("ball").mass, 32 * pi, 1e-12);
  EXPECT_NEAR(body("ball").moments.x(), 0.4 * 32 * pi * 4, 1e-11);
  EXPECT_NEAR(body("roll").mass, 24 * pi, 1e-12);
  EXPECT_NEAR(body("roll").moments.z(), 48 * pi, 1e-11);
}

TEST(Scenes, stepper_gets_its_options) {
  const Scene scene = read_text_as_scene(R"({
    "ligament": 1, "bodies": [], "run": {"duration": 1},
    "stepper": {"type": "relaxed", "h": "1/50", "damping_steps": 3, "gyroscopic": "kick_drift",
                "compliance_floor": 0, "solver": {"type": "direct", "refinements": 4}},
    "output": {"every": 7}})");
  const auto& relaxed = std::get<Relaxed>(scene.stepper);
  EXPECT_EQ(relaxed.h, 1.0 / 50.0);
  EXPECT_EQ(relaxed.damping_steps, 3.0);
  EXPECT_EQ(relaxed.gyroscopic, Gyroscopic::kick_drift);
  EXPECT_EQ(relaxed.compliance_floor, 0.0);
  EXPECT_EQ(std::get<Direct>(relaxed.solver).refinements, 4);
  EXPECT_EQ(scene.steps, 50);
  EXPECT_EQ(scene.every, 7);
}

TEST(Scenes, solvers_get_their_options) {
  const auto solver = [](const std::string& text) {
    return solver_of(read_text_as_scene(R"({"ligament": 1, "bodies": [], "run": {"steps": 1},
                                        "stepper": {"solver": )" +
                                        text + "}}")
                         .stepper);
  };
  const auto pivot = std::get<BlockPivot>(
      solver(R"({"type": "block_pivot", "refinements": 3, "pivots_per_row": 7})"));
  EXPECT_EQ(pivot.refinements, 3);
  EXPECT_EQ(pivot.pivots_per_row, 7);
  EXPECT_EQ(std::get<Automatic>(solver(R"({"max_sweeps": 4})")).max_sweeps, 4);
  const auto sweeps = std::get<GaussSeidel>(
      solver(R"({"type": "gauss_seidel", "tolerance": 1e-3, "local": "exact"})"));
  EXPECT_EQ(sweeps.tolerance, 1e-3);
  EXPECT_EQ(sweeps.local, LocalSolve::exact);
  EXPECT_TRUE(std::holds_alternative<BlockPivot>(solver("\"block_pivot\"")));
  EXPECT_TRUE(std::holds_alternative<Direct>(solver("\"direct\"")));
}

constexpr const char* two_pendulums = R"({"ligament": 1, "assemble": true,
  "bodies": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}],
  "joints": [{"name": "j", "type": "hinge", "b": "b", "point": [0, 0, 0], "axis": [0, 0, 1]},
             {"type": "actuator", "b": "b", "point_a": [0, 0, 1]}],
  "controls": [{"name": "c", "type": "motor", "joint": "j", "speed": 1},
               {"type": "lock", "joint": "j"}],
  "run": {"steps": 1, "staggered": true}, "output": )";

TEST(Scenes, say_how_to_start_and_what_to_record) {
  const auto scene = [](const std::string& output) {
    return read_text_as_scene(two_pendulums + output + "}");
  };
  EXPECT_TRUE(scene("{}").assemble);
  EXPECT_TRUE(scene("{}").staggered);
  EXPECT_TRUE(scene(R"({"joints": false, "controls": []})").joints.empty());
  EXPECT_EQ(scene(R"({"joints": true})").joints, (std::vector{JointId{0}, JointId{1}}));
  EXPECT_EQ(scene(R"({"joints": ["joint 2", "j"]})").joints, (std::vector{JointId{1}, JointId{0}}));
  EXPECT_EQ(scene(R"({"controls": ["c"]})").controls, std::vector{ControlId{0}});
  EXPECT_EQ(scene(R"({"controls": true})").controls.size(), 2U);
}

TEST(Scenes, comments_and_a_byte_order_mark_are_allowed) {
  EXPECT_EQ(error_of("\xEF\xBB\xBF// one\n" + scene_with("") + "/* two */"), "");
}

}  // namespace
}  // namespace ligament
