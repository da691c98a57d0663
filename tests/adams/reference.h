// SPDX-License-Identifier: Apache-2.0
// Reference trajectories by MSC ADAMS, which Chrono publishes with its tests (projectchrono/chrono,
// data/testing/joints, BSD-3-Clause). They are not part of this project: the folder joints_adams is
// looked for where the environment variable LIGAMENT_SHARED points, or else beside the project in
// ../shared.
//
// A case has files FOLDER/CASE_ADAMS_WHAT.txt: three lines of header, then time and components,
// every 0.01 s to 5 s, with six or seven digits. Positions of the centre of mass, attitudes and
// reactions are all in world axes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ligament/math/types.h"

namespace ligament::adams {

constexpr double file_step = 0.01;  // [s] between two lines
constexpr long file_steps = 500;

std::optional<std::filesystem::path> find_data();

// One file of a case, without its column of times. Throws std::runtime_error if it cannot be read,
// or if its times are not 0, 0.01, …, 5 s.
std::vector<std::vector<double>> read_rows(const std::filesystem::path& file);

std::vector<Vec3> read_vectors(const std::filesystem::path& file);
std::vector<Quat> read_attitudes(const std::filesystem::path& file);

}  // namespace ligament::adams
