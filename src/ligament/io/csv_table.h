// SPDX-License-Identifier: Apache-2.0
// A file of comma-separated values read back: columns by name.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ligament {

// A file that is no table, and where.
class CsvError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // NaN where a field is a text

  // Null if there is no column of this name.
  const std::vector<double>* find(std::string_view name) const;
};

// Throws CsvError if the file cannot be read, has no header, or a line of another length.
CsvTable read_csv(const std::filesystem::path& file);

}  // namespace ligament
