// SPDX-License-Identifier: Apache-2.0
// Joints: as a user describes them and as the model keeps them.
//
// A user places a joint in the world, in the pose that the bodies are given in: `point` and `axis`
// are world vectors. The model keeps the joint as one frame in each body; the joint is closed when
// the two frames agree in what the joint ties. Body a may be left out: it is the world then.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ligament/math/types.h"
#include "ligament/model/ids.h"
#include "ligament/model/relaxation.h"

namespace ligament {

// Ties a point: three rows.
struct Ball {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Relaxation relaxation{};
};

// Ties a point and an axis, free to turn about the axis: five rows.
struct Hinge {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  Relaxation relaxation{};
};

// Ties the attitude and two directions, free to slide along the axis: five rows.
struct Prismatic {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  Relaxation relaxation{};
};

// Ties everything: six rows.
struct Fixed {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Relaxation relaxation{};
};

// Keeps two points at a distance: one row.
struct Distance {
  std::string name{};
  BodyId a{}, b{};
  std::optional<Vec3> point_a{};   // unset: the centre of body a
  std::optional<Vec3> point_b{};   // unset: the centre of body b
  std::optional<double> length{};  // [m] > 0; unset: the distance in the given pose
  Relaxation relaxation{};
};

using JointSpec = std::variant<Ball, Hinge, Prismatic, Fixed, Distance>;

// Drives a hinge at a speed: one velocity row (ω_b − ω_a)·axis = speed.
struct HingeDriver {
  std::string name{};
  JointId joint{};
  double speed = 0.0;          // [rad/s]
  double inverse_drag = 1e-8;  // [rad/(N m s)] slip of the drive per torque, ≥ 0
};

enum class JointKind : unsigned char { ball, hinge, prismatic, fixed, distance };

const char* name_of(JointKind kind);

struct Joint {
  JointKind kind = JointKind::ball;
  BodyId a{}, b{};
  Frame frame_a{};      // in body a: the joint's point, its z axis the joint's axis
  Frame frame_b{};      // in body b
  double length = 0.0;  // [m] distance joints
  Relaxation relaxation{};
};

struct Driver {
  JointId joint{};
  double speed = 0.0;
  double inverse_drag = 0.0;
};

}  // namespace ligament
