// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind: a folder with summary.json, trajectory.csv, history.csv, replay.html.
//
// Files are written under other names (*.part) and moved into place at the end, the summary last: a
// summary.json that is there belongs to the trajectory.csv beside it, and both are whole.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "ligament/io/csv_file.h"
#include "ligament/io/quantities.h"
#include "ligament/io/scene.h"
#include "ligament/simulation/run.h"

namespace ligament {

// A file or folder that cannot be written, and why.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A folder that gets its files at once. What was made for it and not published is removed again.
class ResultsFolder {
 public:
  // Makes the folder, and those above it. Throws ResultsError.
  explicit ResultsFolder(std::filesystem::path folder);
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  // Where to write what publish() will call `name`.
  std::filesystem::path part(const std::string& name);
  // Moves the parts into place, in this order. Throws ResultsError.
  void publish(const std::vector<std::string>& names);

 private:
  std::filesystem::path part_of(const std::string& name) const;
  void remove_unpublished() const;

  std::filesystem::path folder_;
  std::vector<std::string> parts_;           // names that were asked for
  std::vector<std::filesystem::path> made_;  // folders that were not there before, outermost first
};

// What happens as comma-separated values, written while the run goes on: t, then x, y, z [m] and
// the quaternion qw, qx, qy, qz of each body but the world; then, as far as the scene asks for
// them, the coordinates of joints, their speeds and what the joints exert, the forces of controls
// and the values they act on. Numbers read back as the same bits.
class TrajectoryWriter {
 public:
  // The scene must live as long as the writer. Throws ResultsError.
  TrajectoryWriter(const std::filesystem::path& file, const Scene& scene);

  // To be shown every step, of which it writes every `every`-th.
  void record(const Sample& sample);
  // Adds the last step, which was recorded, if it is not there yet, and closes the file. Throws
  // ResultsError.
  void finish(const State& state, long step);
  // Whether writing has failed; there is no point in going on then.
  bool failed() const { return out_.failed(); }
  long rows() const { return out_.lines() - 1; }

 private:
  void write_header();
  void measure(const Sample& sample);
  void write_row(const State& state, long step);

  const Scene& scene_;
  CsvFile out_;
  std::vector<BodyFrame> frames_;  // of the last sample
  VecX speeds_;                    // of all joint coordinates
  std::vector<double> measures_;   // of joints and controls, in the order of the columns
  long last_step_ = -1;
};

// The quantities of a run as comma-separated values, at the steps that the trajectory has.
class HistoryWriter {
 public:
  // The scene must live as long as the writer. Throws ResultsError.
  HistoryWriter(const std::filesystem::path& file, const Scene& scene);

  // To be shown every step.
  void record(const Sample& sample);
  // Adds the last step if it is not there yet, and closes the file. Throws ResultsError.
  void finish();
  bool failed() const { return out_.failed(); }

 private:
  void write_row();

  const Scene& scene_;
  CsvFile out_;
  double time_ = 0.0;
  QuantityValues values_{};
  std::string worst_;
  bool pending_ = false;  // whether the last sample is not written yet
};

// The problem of a step that failed, or of the worst that did not converge, beside the summary.
inline constexpr const char* failed_step_file = "failed_step.txt";

// What a run came to, as JSON text.
struct SummaryInput {
  const Scene& scene;
  std::filesystem::path file;  // of the scene
  const RunReport& report;
  long trajectory_rows = 0;
};
std::string make_summary(const SummaryInput& input);

// Writes a small file in one go. Throws ResultsError.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace ligament
