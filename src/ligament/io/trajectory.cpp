// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ligament/io/results.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

constexpr const char* body_columns[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
constexpr const char* load_columns[] = {"fx", "fy", "fz", "tx", "ty", "tz"};

}  // namespace

TrajectoryWriter::TrajectoryWriter(const std::filesystem::path& file, const Scene& scene)
    : scene_(scene), out_(file) {
  write_header();
}

void TrajectoryWriter::write_header() {
  const Model& model = scene_.model;
  const auto add = [&](const std::string& name, const std::string& column) {
    out_.add(fmt::format("{}.{}", name, column));
  };
  out_.add("t");
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
  out_.end_line();
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
  out_.add(state.t);
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const Frame pose = compute_pose(model, state, BodyId{i});
    for (const double x : pose.p) out_.add(x);
    for (const double x : {pose.R.w(), pose.R.x(), pose.R.y(), pose.R.z()}) out_.add(x);
  }
  for (const double value : measures_) out_.add(value);
  out_.end_line();
  last_step_ = step;
}

void TrajectoryWriter::record(const Sample& sample) {
  if (failed()) return;
  measure(sample);  // of every step: any may be the last
  if (sample.step % scene_.every == 0) write_row(sample.state, sample.step);
}

void TrajectoryWriter::finish(const State& state, long step) {
  if (step != last_step_ && state.q.allFinite() && !failed()) write_row(state, step);
  out_.close();
}

}  // namespace ligament
