// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind is whole, or is not there.

#include "ligament/io/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  Scene scene = read_scene_text(scene_with(
      R"({"name": "a,\"b\"", "kind": "particle", "mass": 1, "velocity": [0.1, 0, 0]},
         {"name": "plain", "kind": "fixed", "position": [1, 2, 3]})"));
  scene.every = every;
  return scene;
}

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
  TrajectoryWriter writer(folder / "t.csv", scene.model, scene.every);
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
  TrajectoryWriter writer(folder / "t.csv", scene.model, scene.every);
  State state = scene.model.initial_state();
  for (long step = 0; step <= 7; ++step) {
    state.t = static_cast<double>(step);
    writer.record(state, step);
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
  TrajectoryWriter writer(folder / "t.csv", scene.model, 1);
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
  EXPECT_THROW(TrajectoryWriter(folder / "missing" / "t.csv", scene.model, 1), ResultsError);
  TrajectoryWriter full("/dev/full", scene.model, 1);
  State state = scene.model.initial_state();
  for (long step = 0; !full.failed(); ++step) {
    ASSERT_LT(step, 1'000'000) << "a full disk is noticed while the run goes on";
    full.record(state, step);
  }
  EXPECT_THROW(full.finish(state, 1'000'000), ResultsError);
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
    const ResultsFolder results(folder / "a/b");
    write_text(results.part("trajectory.csv"), "t\n");
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(ResultsFolder, keeps_what_was_there_before) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "old");
  write_file(folder / "old/summary.json", "before");
  {
    const ResultsFolder results(folder / "old");
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
}

}  // namespace
}  // namespace ligament
