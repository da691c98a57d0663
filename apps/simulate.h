// SPDX-License-Identifier: Apache-2.0
// One run of a scene into a results folder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ligament/io/replay/recorder.h"
#include "ligament/io/results.h"
#include "ligament/io/scene.h"

namespace ligament::apps {

struct SimulateOptions {
  std::string file;                          // of the scene
  std::pair<long, std::string> dump{0, ""};  // step and file; no file: no dump
  bool quiet = false;
  bool record = true;  // frames for a replay
};

struct Simulated {
  RunReport report;
  std::string summary;                 // JSON
  long rows = 0;                       // of the trajectory
  std::vector<std::string> files;      // parts of the folder that are whole, the summary last
  std::unique_ptr<Recorder> recorder;  // null if nothing was recorded
};

// Simulates from `start` and writes trajectory.csv, history.csv, summary.json and, if a step went
// wrong, its problem as parts of the folder, which the caller publishes. Ends early if a signal
// comes. The scene must live as long as the result.
Simulated simulate(const Scene& scene, const SimulateOptions& options, State start,
                   ResultsFolder& folder);

}  // namespace ligament::apps
