// SPDX-License-Identifier: Apache-2.0
#include "adams/reference.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ligament::adams {

std::optional<std::filesystem::path> find_data() {
  const char* shared = std::getenv("LIGAMENT_SHARED");
  const std::filesystem::path folder =
      shared != nullptr ? std::filesystem::path(shared)
                        : std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / ".." / "shared";
  if (!std::filesystem::is_directory(folder / "joints_adams")) return std::nullopt;
  return folder / "joints_adams";
}

std::vector<std::vector<double>> read_rows(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", file.string()));
  std::vector<std::vector<double>> rows;
  std::string line;
  for (int header = 0; header < 3; ++header) std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    double time = 0.0;
    if (!(words >> time)) continue;
    if (std::abs(time - file_step * static_cast<double>(rows.size())) > 1e-6)
      throw std::runtime_error(fmt::format("{}: no line for each 0.01 s", file.string()));
    std::vector<double>& row = rows.emplace_back();
    for (double value = 0.0; words >> value;) row.push_back(value);
  }
  if (rows.size() != file_steps + 1)
    throw std::runtime_error(fmt::format("{}: has {} lines", file.string(), rows.size()));
  return rows;
}

std::vector<Vec3> read_vectors(const std::filesystem::path& file) {
  std::vector<Vec3> vectors;
  for (const std::vector<double>& row : read_rows(file))
    vectors.emplace_back(row.at(0), row.at(1), row.at(2));
  return vectors;
}

std::vector<Quat> read_attitudes(const std::filesystem::path& file) {
  std::vector<Quat> attitudes;
  for (const std::vector<double>& row : read_rows(file))
    attitudes.push_back(Quat(row.at(0), row.at(1), row.at(2), row.at(3)).normalized());
  return attitudes;
}

}  // namespace ligament::adams
