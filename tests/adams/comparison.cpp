// SPDX-License-Identifier: Apache-2.0
#include "adams/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "adams/reference.h"

namespace ligament::adams {
namespace {

constexpr double bar_end = 2.0;  // [m] from the centre

std::size_t samples_until(double time) {
  return static_cast<std::size_t>(std::lround(time / file_step)) + 1;
}

}  // namespace

Track read_track(const std::filesystem::path& data, const Case& tested, const Machine& machine) {
  const auto file = [&](const std::string& what) {
    return data / tested.folder / (tested.name + "_ADAMS_" + what + ".txt");
  };
  Track track{.position = read_vectors(file("Pos")), .attitude = read_attitudes(file("Quat"))};
  for (const Reaction& reaction : machine.reactions) {
    const std::vector<Vec3> force = read_vectors(file("Rforce" + reaction.suffix));
    const std::vector<Vec3> torque = read_vectors(file("Rtorque" + reaction.suffix));
    std::vector<JointLoad>& loads = track.reactions.emplace_back();
    for (std::size_t i = 0; i < force.size(); ++i)
      loads.push_back({.force = force[i], .torque = torque[i]});
  }
  return track;
}

Track integrate_twin(const Case& tested, const Machine& machine) {
  Track track;
  std::vector<JointLoad> loads;
  for (const BodySample& sample :
       integrate(machine.twin, file_step, file_steps + 1, tested.twin_steps)) {
    track.position.push_back(sample.motion.x);
    track.attitude.push_back(sample.motion.R);
    loads.push_back(sample.reaction);
  }
  if (machine.reactions.size() == 1) track.reactions.push_back(loads);
  return track;
}

Track simulate(const Machine& machine, const Spook& spook) {
  const long stride = std::lround(file_step / spook.h);
  Track track;
  track.reactions.resize(machine.reactions.size());
  State state = machine.model.initial_state();
  const auto look = [&](const Sample& sample) {
    if (sample.step % stride == 0 && sample.step <= file_steps * stride) {
      const Frame pose = compute_pose(machine.model, sample.state, machine.body);
      track.position.push_back(pose.p);
      track.attitude.push_back(pose.R);
    }
    if (sample.step > 0 && (sample.step - 1) % stride == 0)
      for (std::size_t i = 0; i < machine.reactions.size(); ++i)
        track.reactions[i].push_back(compute_reaction(sample, machine, machine.reactions[i]));
  };
  const long steps = file_steps * stride + 1;  // one more, for the reactions at the end
  const RunReport report = run(machine.model, spook, state,
                               {.steps = steps, .staggered_start = true, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
  return track;
}

Deviation compare_poses(const Track& a, const Track& b, double until) {
  Deviation worst;
  for (std::size_t i = 0; i < samples_until(until); ++i) {
    worst.position = std::max(worst.position, (a.position[i] - b.position[i]).norm());
    worst.end = std::max(worst.end, bar_end * a.attitude[i].angularDistance(b.attitude[i]));
  }
  return worst;
}

Deviation compare_reactions(const Track& a, const Track& b, std::size_t reaction, double until) {
  const std::vector<JointLoad>&u = a.reactions[reaction], &w = b.reactions[reaction];
  Deviation worst;
  for (std::size_t i = 0; i < samples_until(until); ++i) {
    worst.force = std::max(worst.force, (u[i].force - w[i].force).norm());
    worst.torque = std::max(worst.torque, (u[i].torque - w[i].torque).norm());
  }
  return worst;
}

double size_of_motion(const Track& track) {
  double size = 0.0;
  for (const Vec3& p : track.position)
    for (const Vec3& q : track.position) size = std::max(size, (p - q).norm());
  return size > 1e-6 ? size : bar_end;
}

Deviation size_of_reaction(const Track& track, std::size_t reaction) {
  Deviation size;
  for (const JointLoad& load : track.reactions[reaction]) {
    size.force = std::max(size.force, load.force.norm());
    size.torque = std::max(size.torque, load.torque.norm());
  }
  if (size.force < 1e-3 * gravity) size.force = gravity;
  if (size.torque < 1e-3 * gravity) size.torque = gravity;
  return size;
}

}  // namespace ligament::adams
