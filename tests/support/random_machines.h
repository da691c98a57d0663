// SPDX-License-Identifier: Apache-2.0
// Machines at random: trees, loops, redundant joints and hubs, of all body and joint kinds.
#pragma once

#include <cmath>
#include <vector>

#include "ligament/ligament.h"
#include "support/random.h"

namespace ligament {

struct MachineShape {
  int bodies = 20;
  int loops = 0;       // joints beyond those of a tree
  int doubled = 0;     // joints said twice: redundant rows
  int hub_joints = 0;  // further bodies, all on the first body, by ball joints or hinges
  double spin = 0.0;   // [rad/s] scale of the angular velocities
};

class RandomMachine {
 public:
  RandomMachine(const MachineShape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  Model build() && {
    for (int i = 0; i < shape_.bodies; ++i) {
      add_body();
      tie(i == 0 ? world : id_of(random_.index(i)), id_of(i));
    }
    for (int i = 0; i < shape_.loops && shape_.bodies > 1; ++i) {
      const int a = random_.index(shape_.bodies), b = random_.index(shape_.bodies);
      if (a != b) tie(id_of(a), id_of(b));
    }
    for (int i = 0; i < shape_.doubled; ++i) builder_.add_joint(joints_[random_joint()]);
    for (int i = 0; i < shape_.hub_joints; ++i) {
      add_body();
      tie(id_of(0), id_of(shape_.bodies + i));
    }
    return std::move(builder_).build();
  }

 private:
  static BodyId id_of(int index) { return {static_cast<std::uint32_t>(index + 1)}; }
  std::size_t random_joint() {
    return static_cast<std::size_t>(random_.index(static_cast<int>(joints_.size())));
  }

  void add_body() {
    const Vec3 half(random_.scale(0.05, 0.5), random_.scale(0.05, 0.5), random_.scale(0.05, 0.5));
    builder_.add_body({.mass = box_of_mass(half, random_.scale(0.1, 10.0)),
                       .position = random_.vector(2.0),
                       .orientation = random_.rotation(),
                       .velocity = random_.vector(),
                       .angular_velocity = random_.vector(shape_.spin)});
  }

  // From 1e-12 to 1e-4: machines mix steel and rubber.
  Relaxation relaxation() {
    return {.compliance = random_.scale(1e-12, 1e-4),
            .angular_compliance = random_.scale(1e-12, 1e-4)};
  }

  JointSpec make_joint(BodyId a, BodyId b) {
    const Vec3 point = random_.vector(2.0), axis = random_.direction();
    const Relaxation soft = relaxation();
    switch (random_.index(5)) {
      case 0: return Ball{.a = a, .b = b, .point = point, .relaxation = soft};
      case 1: return Hinge{.a = a, .b = b, .point = point, .axis = axis, .relaxation = soft};
      case 2: return Prismatic{.a = a, .b = b, .point = point, .axis = axis, .relaxation = soft};
      case 3: return Fixed{.a = a, .b = b, .point = point, .relaxation = soft};
      default: return Distance{.a = a, .b = b, .relaxation = soft};
    }
  }

  void tie(BodyId a, BodyId b) {
    joints_.push_back(make_joint(a, b));
    builder_.add_joint(joints_.back());
  }

  MachineShape shape_;
  Random random_;
  ModelBuilder builder_;
  std::vector<JointSpec> joints_;
};

inline Model make_random_machine(const MachineShape& shape, std::uint64_t seed) {
  return RandomMachine(shape, seed).build();
}

}  // namespace ligament
