// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/csv_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>

#include "ligament/io/results.h"

namespace ligament {
namespace {

constexpr std::size_t buffer_size = 1U << 20U;  // [bytes]

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file) : file_(file), out_(file, std::ios::binary) {
  if (!out_)
    throw ResultsError(
        fmt::format("{}: the file cannot be written: {}", file.string(), std::strerror(errno)));
}

void CsvFile::begin_field() {
  if (!first_) buffer_ += ',';
  first_ = false;
}

void CsvFile::add(double value) {
  begin_field();
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

// By the rules of CSV: in quotes if it has a comma, a quote or a line break in it.
void CsvFile::add(std::string_view text) {
  begin_field();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer_ += text;
    return;
  }
  buffer_ += '"';
  for (const char c : text) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvFile::end_line() {
  buffer_ += '\n';
  first_ = true;
  ++lines_;
  if (buffer_.size() >= buffer_size) flush();
}

void CsvFile::flush() {
  if (failed_) return;
  errno = 0;
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  if (!out_) failed_ = true;
}

void CsvFile::close() {
  flush();
  const int why = errno;
  out_.close();
  if (failed_ || !out_)
    throw ResultsError(fmt::format("{}: the file cannot be written: {}", file_.string(),
                                   std::strerror(why ? why : errno)));
}

}  // namespace ligament
