// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>

#include "ligament/io/results.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

constexpr std::size_t buffer_size = 1U << 20U;  // [bytes]
constexpr const char* body_columns[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr const char* load_columns[] = {"fx", "fy", "fz", "tx", "ty", "tz"};

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

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& file, const Scene& scene)
    : file_(file), scene_(scene), out_(file, std::ios::binary) {
  if (!out_)
    throw ResultsError(
        fmt::format("{}: the file cannot be written: {}", file.string(), std::strerror(errno)));
  write_header();
}

void TrajectoryWriter::write_header() {
  const Model& model = scene_.model;
  const auto add = [&](const std::string& name, const std::string& column) {
    fmt::format_to(std::back_inserter(buffer_), ",{}",
                   quote_field(fmt::format("{}.{}", name, column)));
  };
  buffer_ += 't';
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i)
    for (const char* column : body_columns) add(model.name(BodyId{i}), column);
  for (const JointId id : scene_.joints) {
    for (const Coordinate coordinate : coordinates_of(model.joint(id).kind)) {
      add(model.name(id), name_of(coordinate));
      add(model.name(id), fmt::format("{}.speed", name_of(coordinate)));
    }
    for (const char* column : load_columns) add(model.name(id), column);
  }
  for (const ControlId id : scene_.controls)
    for (const char* column : {"force", "value"}) add(model.name(id), column);
  buffer_ += '\n';
}

// In the order of the header. What joints and controls exert is that of the step that led here.
void TrajectoryWriter::measure(const Sample& sample) {
  const Model& model = scene_.model;
  measures_.clear();
  if (!scene_.joints.empty()) {
    update_frames(model, sample.state, frames_);
    compute_joint_speeds(model, frames_, sample.state, speeds_);
  }
  for (const JointId id : scene_.joints) {
    const Joint& joint = model.joint(id);
    for (std::size_t i = 0; i < coordinates_of(joint.kind).size(); ++i) {
      const int at = joint.coordinate + static_cast<int>(i);
      measures_.insert(measures_.end(), {sample.state.s(at), speeds_(at)});
    }
    JointLoad load;
    if (sample.report) load = compute_joint_load(model, sample.impulses(), id);
    measures_.insert(measures_.end(), load.force.begin(), load.force.end());
    measures_.insert(measures_.end(), load.torque.begin(), load.torque.end());
  }
  for (const ControlId id : scene_.controls)
    measures_.insert(measures_.end(),
                     {sample.report ? compute_control_force(sample.impulses(), id) : 0.0,
                      compute_control_value(model, model.control(id), sample.state.s)});
}

void TrajectoryWriter::write_row(const State& state, long step) {
  const Model& model = scene_.model;
  const auto out = std::back_inserter(buffer_);
  fmt::format_to(out, "{}", state.t);
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const Frame pose = compute_pose(model, state, BodyId{i});
    fmt::format_to(out, ",{},{},{},{},{},{},{}", pose.p.x(), pose.p.y(), pose.p.z(), pose.R.w(),
                   pose.R.x(), pose.R.y(), pose.R.z());
  }
  for (const double value : measures_) fmt::format_to(out, ",{}", value);
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

void TrajectoryWriter::record(const Sample& sample) {
  if (failed_) return;
  measure(sample);  // of every step: any may be the last
  if (sample.step % scene_.every == 0) write_row(sample.state, sample.step);
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
