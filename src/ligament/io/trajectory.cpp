// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>

#include "ligament/io/results.h"

namespace ligament {
namespace {

constexpr std::size_t buffer_size = 1U << 20U;  // [bytes]
constexpr const char* columns[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};

// A field by the rules of CSV: in quotes if it has a comma, a quote or a line break in it.
std::string quote_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& file, const Model& model, int every)
    : file_(file), model_(model), every_(every), out_(file, std::ios::binary) {
  if (!out_)
    throw ResultsError(
        fmt::format("{}: the file cannot be written: {}", file.string(), std::strerror(errno)));
  write_header();
}

void TrajectoryWriter::write_header() {
  buffer_ += 't';
  for (std::uint32_t i = 1; i < model_.bodies().size(); ++i)
    for (const char* column : columns)
      fmt::format_to(std::back_inserter(buffer_), ",{}",
                     quote_field(fmt::format("{}.{}", model_.name(BodyId{i}), column)));
  buffer_ += '\n';
}

void TrajectoryWriter::write_row(const State& state, long step) {
  const auto out = std::back_inserter(buffer_);
  fmt::format_to(out, "{}", state.t);
  for (std::uint32_t i = 1; i < model_.bodies().size(); ++i) {
    const Frame pose = compute_pose(model_, state, BodyId{i});
    fmt::format_to(out, ",{},{},{},{},{},{},{}", pose.p.x(), pose.p.y(), pose.p.z(), pose.R.w(),
                   pose.R.x(), pose.R.y(), pose.R.z());
  }
  buffer_ += '\n';
  ++rows_;
  last_step_ = step;
  if (buffer_.size() >= buffer_size) flush();
}

void TrajectoryWriter::flush() {
  errno = 0;
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  if (!out_) failed_ = true;
}

void TrajectoryWriter::record(const State& state, long step) {
  if (step % every_ == 0 && !failed_) write_row(state, step);
}

void TrajectoryWriter::finish(const State& state, long step) {
  if (step != last_step_ && state.q.allFinite() && !failed_) write_row(state, step);
  if (!failed_) flush();
  const int why = errno;
  out_.close();
  if (failed_ || !out_)
    throw ResultsError(fmt::format("{}: the file cannot be written: {}", file_.string(),
                                   std::strerror(why ? why : errno)));
}

}  // namespace ligament
