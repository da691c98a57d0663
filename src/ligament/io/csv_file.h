// SPDX-License-Identifier: Apache-2.0
// A file of comma-separated values that is written while a run goes on. Numbers read back as the
// same bits.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ligament {

class CsvFile {
 public:
  // Throws ResultsError.
  explicit CsvFile(const std::filesystem::path& file);

  // Fields of a line, which end_line() ends.
  void add(std::string_view text);
  void add(double value);
  void end_line();
  // Writes what is left and closes the file. Throws ResultsError.
  void close();
  // Whether writing has failed; there is no point in going on then.
  bool failed() const { return failed_; }
  long lines() const { return lines_; }

 private:
  void begin_field();
  void flush();

  std::filesystem::path file_;
  std::ofstream out_;
  std::string buffer_;  // what is not in the file yet
  long lines_ = 0;
  bool first_ = true;  // field of the line
  bool failed_ = false;
};

}  // namespace ligament
