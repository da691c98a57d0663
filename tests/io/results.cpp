// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind is whole, or is not there.

#include "ligament/io/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

Scene make_scene(int every) {
  Scene scene = read_text_as_scene(scene_with(
      R"({"name": "a,\"b\"", "kind": "particle", "mass": 1, "velocity": [0.1, 0, 0]},
         {"name": "plain", "kind": "fixed", "position": [1, 2, 3]})"));
  scene.every = every;
  return scene;
}

// Shows a state to a writer as a run would.
class Shown {
 public:
  explicit Shown(const Scene& scene) : scene_(scene), work_(scene.model) {}

  void record(TrajectoryWriter& writer, const State& state, long step) const {
    writer.record({scene_.model, state, step, nullptr, energy_, work_, 1.0});
  }

 private:
  const Scene& scene_;
  Energy energy_;
  Workspace work_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(Trajectory, has_a_header_with_names_quoted_where_needed) {
  const TemporaryFolder folder;
  const Scene scene = make_scene(1);
  TrajectoryWriter writer(folder / "t.csv", scene);
  writer.finish(scene.model.initial_state(), 0);
  const auto lines = lines_of(read_file(folder / "t.csv"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], testing::StartsWith(R"(t,"a,""b"".x","a,""b"".y",)"));
  EXPECT_THAT(lines[0], testing::EndsWith(",plain.z,plain.qw,plain.qx,plain.qy,plain.qz"));
  EXPECT_EQ(lines[1], "0,0,0,0,1,0,0,0,1,2,3,1,0,0,0");
}

TEST(Trajectory, has_the_first_every_kth_and_the_last_step) {
  const TemporaryFolder folder;
  const Scene scene = make_scene(3);
  TrajectoryWriter writer(folder / "t.csv", scene);
  const Shown shown(scene);
  State state = scene.model.initial_state();
  for (long step = 0; step <= 7; ++step) {
    state.t = static_cast<double>(step);
    shown.record(writer, state, step);
  }
  writer.finish(state, 7);
  EXPECT_EQ(writer.rows(), 4);
  std::vector<std::string> times;
  for (const std::string& line : lines_of(read_file(folder / "t.csv")))
    times.push_back(line.substr(0, line.find(',')));
  EXPECT_THAT(times, ElementsAre("t", "0", "3", "6", "7"));
}

TEST(Trajectory, numbers_read_back_as_the_same_bits) {
  const TemporaryFolder folder;
  const Scene scene = make_scene(1);
  State state = scene.model.initial_state();
  const double numbers[] = {1.0 / 3.0, -1.2345678901234567e-300, 5e22 + 1.0 / 7.0};
  for (int i = 0; i < 3; ++i) state.q(scene.model.bodies()[1].q_offset + i) = numbers[i];
  TrajectoryWriter writer(folder / "t.csv", scene);
  writer.finish(state, 0);
  std::istringstream line(lines_of(read_file(folder / "t.csv"))[1]);
  std::string field;
  std::getline(line, field, ',');
  for (const double number : numbers) {
    std::getline(line, field, ',');
    EXPECT_EQ(std::stod(field), number) << field;
  }
}

TEST(Trajectory, that_cannot_be_written_is_an_error) {
  const TemporaryFolder folder;
  const Scene scene = make_scene(1);
  EXPECT_THROW(TrajectoryWriter(folder / "missing" / "t.csv", scene), ResultsError);
  TrajectoryWriter full("/dev/full", scene);
  const Shown shown(scene);
  State state = scene.model.initial_state();
  for (long step = 0; !full.failed(); ++step) {
    ASSERT_LT(step, 1'000'000) << "a full disk is noticed while the run goes on";
    shown.record(full, state, step);
  }
  EXPECT_THROW(full.finish(state, 1'000'000), ResultsError);
}

// A wheel that a motor drives from the start at 2 rad/s, and a hinge that carries its weight.
constexpr const char* wheel = R"({"ligament": 1, "gravity": [0, 0, -10],
  "bodies": [{"name": "w", "mass": 3, "inertia": [1, 1, 2], "angular_velocity": [0, 0, 2]}],
  "joints": [{"name": "axle, main", "type": "cylindrical", "b": "w", "point": [0, 0, 0],
              "axis": [0, 0, 1]},
             {"name": "rest", "type": "ball", "b": "w", "point": [0, 0, 0]}],
  "controls": [{"name": "m", "type": "motor", "joint": "axle, main", "speed": 2},
               {"name": "drag", "type": "friction", "joint": "axle, main", "max_force": 0.5}],
  "stepper": {"h": 0.01}, "run": {"steps": 25},
  "output": {"every": 10, "joints": ["axle, main", "rest"], "controls": ["m", "drag"]}})";

TEST(Trajectory, has_the_columns_of_joints_and_controls) {
  const TemporaryFolder folder;
  const Scene scene = read_text_as_scene(wheel);
  TrajectoryWriter writer(folder / "t.csv", scene);
  State state = scene.model.initial_state();
  run(scene.model, scene.stepper, state,
      {.steps = scene.steps, .observers = {[&](const Sample& s) { writer.record(s); }}});
  writer.finish(state, scene.steps);
  const auto lines = lines_of(read_file(folder / "t.csv"));
  ASSERT_EQ(lines.size(), 5U);  // the header and the steps 0, 10, 20, 25
  EXPECT_EQ(
      lines[0].substr(lines[0].find("w.qz,") + 5),
      R"("axle, main.angle","axle, main.angle.speed","axle, main.slide",)"
      R"("axle, main.slide.speed","axle, main.fx","axle, main.fy","axle, main.fz",)"
      R"("axle, main.tx","axle, main.ty","axle, main.tz",)"
      "rest.fx,rest.fy,rest.fz,rest.tx,rest.ty,rest.tz,m.force,m.value,drag.force,drag.value");
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    rows.emplace_back();
    std::istringstream in(lines[i]);
    for (std::string field; std::getline(in, field, ',');) rows.back().push_back(std::stod(field));
    ASSERT_EQ(rows.back().size(), 8U + 10U + 6U + 4U);
    EXPECT_NEAR(rows.back()[9], 2.0, 1e-6);  // the motor slips by 1e-8 · 0.5 N m
  }
  for (std::size_t i = 12; i < 24; ++i) EXPECT_EQ(rows[0][i], 0.0) << "no step, no force";
  // The weight of 30 N rests on the ball joint, for the axle lets it slide; the motor works against
  // the friction. Compliance 1e-8 m/N leaves transients of parts in a million after ten steps. A
  // step of 0.01 s at 2 rad/s turns by 2 atan(h w/2): velocities become rotations so [GY.1].
  for (const std::size_t i : {1U, 2U, 3U}) {
    EXPECT_NEAR(rows[i][8], rows[i][0] / 0.01 * 2.0 * std::atan(0.01), 1e-6);  // angle
    EXPECT_NEAR(rows[i][20], 30.0, 1e-3);  // rest.fz, on the wheel
    EXPECT_NEAR(rows[i][24], 0.5, 1e-6);   // m.force
    EXPECT_NEAR(rows[i][26], -0.5, 1e-6);  // drag.force
    EXPECT_EQ(rows[i][25], rows[i][8]);    // m.value is the angle
  }
  EXPECT_NEAR(rows[3][0], 0.25, 1e-12) << "the last step is there, with its own measures";
}

TEST(ResultsFolder, gets_its_files_at_once) {
  const TemporaryFolder folder;
  {
    ResultsFolder results(folder / "a/b");
    write_text(results.part("trajectory.csv"), "t\n");
    write_text(results.part("summary.json"), "{}");
    for (const std::string& name : names_in(folder / "a/b")) EXPECT_THAT(name, HasSubstr(".part"));
    results.publish({"trajectory.csv", "summary.json"});
  }
  EXPECT_THAT(names_in(folder / "a/b"), UnorderedElementsAre("trajectory.csv", "summary.json"));
}

TEST(ResultsFolder, vanishes_if_nothing_is_published) {
  const TemporaryFolder folder;
  {
    ResultsFolder results(folder / "a/b");
    write_text(results.part("trajectory.csv"), "t\n");
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(ResultsFolder, keeps_what_was_there_before) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "old");
  write_file(folder / "old/summary.json", "before");
  {
    ResultsFolder results(folder / "old");
    write_text(results.part("summary.json"), "after");
  }
  EXPECT_THAT(names_in(folder / "old"), ElementsAre("summary.json"));
  EXPECT_EQ(read_file(folder / "old/summary.json"), "before");
}

TEST(ResultsFolder, that_cannot_be_made_is_an_error) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  EXPECT_THROW(ResultsFolder(folder / "file"), ResultsError);
  EXPECT_THROW(ResultsFolder(folder / "file/below"), ResultsError);
  EXPECT_THAT(names_in(folder.path()), ElementsAre("file"));
}

TEST(Summary, says_what_happened) {
  const Scene scene = make_scene(2);
  State state = scene.model.initial_state();
  const RunReport report = run(scene.model, scene.stepper, state, {.steps = 5});
  const auto summary = nlohmann::json::parse(make_summary(
      {.scene = scene, .file = "dir/\xff.json", .report = report, .trajectory_rows = 4}));
  for (const char* key :
       {"scene", "stepper", "solver", "h", "steps", "time", "cpu_seconds", "bodies", "rows",
        "energy", "violation", "residual", "solver_work", "warnings"})
    EXPECT_TRUE(summary.contains(key)) << key;
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["completed"], true);
  EXPECT_EQ(summary["failure"], nullptr);
  EXPECT_EQ(summary["steps"], 5);
  EXPECT_EQ(summary["h"], 1.0 / 60.0);
  EXPECT_EQ(summary["energy"]["initial"], report.energy.initial);
  EXPECT_EQ(summary["violation"]["max"], 0.0);
  EXPECT_TRUE(summary["warnings"].is_array());
  EXPECT_EQ(summary["simulated"]["as_asked"], true);
  EXPECT_EQ(summary["simulated"]["fed_work"], report.error.fed_work);
  EXPECT_EQ(summary["simulated"]["extra_give"], report.error.give);
  EXPECT_EQ(summary["impulse"], nullptr);  // another method
}

TEST(Summary, of_impulses_has_passes_halvings_and_redundant_rows) {
  // The second link of the same two bodies says nothing new.
  const Scene scene = read_text_as_scene(
      scene_with(R"({"name": "bob", "kind": "particle", "mass": 1, "position": [1, 0, 0]})",
                 R"({"name": "link", "type": "distance", "b": "bob", "point_a": [0, 0, 0]},
                    {"name": "twin", "type": "distance", "b": "bob", "point_a": [0, 0, 0]})"));
  State state = scene.model.initial_state();
  RunReport report = run(scene.model, Impulse{.h = 0.01}, state, {.steps = 20});
  report.halved_steps = 3;
  const auto summary = nlohmann::json::parse(
      make_summary({.scene = scene, .file = "a.json", .report = report, .trajectory_rows = 1}));
  // Newton's method: two or three passes a step.
  EXPECT_EQ(summary["impulse"]["passes"], report.passes);
  EXPECT_GE(report.passes, 1.0);
  EXPECT_LE(report.passes, 5.0);
  EXPECT_EQ(summary["impulse"]["halved_steps"], 3);
  ASSERT_EQ(summary["impulse"]["redundant"].size(), 1U);
  EXPECT_THAT(std::string(summary["impulse"]["redundant"][0]), testing::HasSubstr("twin"));
}

}  // namespace
}  // namespace ligament
