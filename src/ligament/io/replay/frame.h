// SPDX-License-Identifier: Apache-2.0
// What a picture of a machine shows at one time: poses, what joints and controls do, contacts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ligament/io/quantities.h"

namespace ligament {

// A contact that presses. Its number is the same from step to step while it lasts.
struct FrameContact {
  std::int32_t id = 0;
  std::array<float, 3> point{};  // [m] world
  std::array<float, 3> force{};  // [N] on body b, world
  float excess = 0.0F;           // [m/N] compliance that the solver added; < 0: it feeds energy
};

struct ReplayFrame {
  double t = 0.0;  // [s]
  long step = 0;
  std::vector<float> poses;       // x, y, z [m], qw, qx, qy, qz of each body but the world
  std::vector<float> velocities;  // x, y, z [m/s] of the centre of each body but the world
  std::vector<float> joints;      // as joint_numbers says
  std::vector<float> controls;    // force and value of each control
  std::vector<FrameContact> contacts;
  int all_contacts = 0;  // that press, of which `contacts` has the strongest
  QuantityValues values{};
  std::int32_t worst = -1;  // row of the largest constraint error, in FrameMeter::rows()
};

// Numbers of a joint in a frame: force on body b (x, y, z) [N] in world axes, size of the torque
// [N m], largest constraint error of its rows [m, rad], compliance that the solver added to the row
// that it changed most [m/N, rad/(N m)] (< 0: the row feeds energy), then its coordinates [m, rad].
constexpr std::size_t joint_numbers = 6;

// Makes frames of samples of one model. Contacts and rows get numbers when they are first seen.
class FrameMeter {
 public:
  struct Pair {
    BodyId a{}, b{};
  };

  void measure(const Sample& sample, ReplayFrame& out);

  const std::vector<Pair>& contacts() const { return pairs_; }         // bodies, by number
  const std::vector<std::string>& rows() const { return row_names_; }  // names, by number

 private:
  struct Pressing {
    const Contact* contact;
    Vec3 force;  // [N]
    float excess;
  };
  using ContactKey = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

  void measure_joints(const Sample& sample, ReplayFrame& out);
  void find_pressing(const Sample& sample);
  void measure_contacts(const Sample& sample, ReplayFrame& out);
  void measure_worst(const Sample& sample, ReplayFrame& out);

  std::vector<Pressing> pressing_;  // in the sample at hand
  std::map<ContactKey, std::int32_t> ids_;
  std::vector<Pair> pairs_;
  std::map<int, std::int32_t> row_ids_;
  std::vector<std::string> row_names_;
};

}  // namespace ligament
