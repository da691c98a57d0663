// SPDX-License-Identifier: Apache-2.0
// Joints and force elements between two bodies: as a user describes them and as the model keeps
// them.
//
// A joint ties a frame of body a to a frame of body b; its axis is the z axis of these frames. A
// user places it in the world, in the pose that the bodies are given in, by `point` and `axis`, or
// gives the frames in body coordinates, `frame_a` and `frame_b`: then the bodies may start anywhere
// and must be brought together (assemble()), or the joint pulls them together. Body a may be left
// out: it is the world then.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ligament/math/types.h"
#include "ligament/model/ids.h"
#include "ligament/model/relaxation.h"

namespace ligament {

enum class JointKind : unsigned char {
  ball,                // ties a point
  hinge,               // ties a point and an axis: one angle free
  prismatic,           // ties the attitude and two directions: one slide along the axis free
  cylindrical,         // ties an axis: an angle about it and a slide along it free
  universal,           // ties a point; z of a stays perpendicular to z of b: two angles free
  planar,              // z of b stays normal to the plane through frame a: two slides, one angle
  fixed,               // ties everything
  screw,               // a cylindrical joint whose slide is pitch · turns
  point_on_line,       // the point of b stays on the z axis of a
  point_on_plane,      // the point of b stays on the plane through a, normal to its z axis
  parallel_axes,       // z of b stays parallel to z of a
  perpendicular_axes,  // z of b stays perpendicular to z of a
  constant_velocity,   // ties a point, and the angles about the two z axes to each other
  rolling_disc,        // a disc of b rolls on a plane of a without slip
  distance,            // keeps two points at a distance
  rope,                // keeps two points from going farther apart than its length
  spring,              // pulls two points to a distance: stiffness and damping
  actuator,            // ties nothing: its length is a coordinate for controls
  bushing              // pulls two frames together, each axis with stiffness and damping of its own
};

constexpr int joint_kinds = static_cast<int>(JointKind::bushing) + 1;

const char* name_of(JointKind kind);

// What the joints that are placed by a point and an axis have in common.
template <JointKind kind>
struct FrameJoint {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();       // [m] world
  Vec3 axis = Vec3::UnitZ();       // world, z of both frames
  std::optional<Vec3> axis_b{};    // world, z of frame b where it is another: universal,
                                   // perpendicular axes
  std::optional<Frame> frame_a{};  // in body a; takes the place of point and axis
  std::optional<Frame> frame_b{};  // in body b
  Relaxation relaxation{};
  bool contacts = false;  // whether the two bodies can touch although the joint ties them
};

using Ball = FrameJoint<JointKind::ball>;
using Hinge = FrameJoint<JointKind::hinge>;
using Prismatic = FrameJoint<JointKind::prismatic>;
using Cylindrical = FrameJoint<JointKind::cylindrical>;
using Universal = FrameJoint<JointKind::universal>;
using Planar = FrameJoint<JointKind::planar>;
using Fixed = FrameJoint<JointKind::fixed>;
using PointOnLine = FrameJoint<JointKind::point_on_line>;
using PointOnPlane = FrameJoint<JointKind::point_on_plane>;
using ParallelAxes = FrameJoint<JointKind::parallel_axes>;
using PerpendicularAxes = FrameJoint<JointKind::perpendicular_axes>;
using ConstantVelocity = FrameJoint<JointKind::constant_velocity>;

// A right-handed screw: body b advances by `pitch` along the axis for each turn about it.
struct Screw {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  double pitch = 0.01;  // [m] a turn; negative: left-handed
  std::optional<Frame> frame_a{};
  std::optional<Frame> frame_b{};
  Relaxation relaxation{};
  bool contacts = false;  // whether the two bodies can touch although the joint ties them
};

// A thin disc of body b rolls on a plane of body a: it keeps touching (one row), and the point that
// touches does not slip (two velocity rows: nonholonomic).
struct RollingDisc {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();          // [m] world, centre of the disc
  Vec3 axis = Vec3::UnitY();          // world, axis of the disc, not normal to the plane
  Vec3 normal = Vec3::UnitZ();        // world, of the plane, towards the disc
  std::optional<Vec3> plane_point{};  // [m] world; unset: the plane touches the disc
  double radius = 0.1;                // [m] > 0
  double slip = 1e-8;                 // [m/(N s)] slip speed per friction force, ≥ 0
  Relaxation relaxation{};
  bool contacts = false;  // whether the two bodies can touch although the joint ties them
};

// What keeps two points at a distance (one row), or from going farther apart (one unilateral row).
template <JointKind kind>
struct LengthJoint {
  std::string name{};
  BodyId a{}, b{};
  std::optional<Vec3> point_a{};   // [m] world; unset: the centre of body a
  std::optional<Vec3> point_b{};   // unset: the centre of body b
  std::optional<double> length{};  // [m] > 0; unset: the distance in the given pose
  Relaxation relaxation{};
};

using Distance = LengthJoint<JointKind::distance>;
using Rope = LengthJoint<JointKind::rope>;

// A linear spring and damper between two points. Stable at any stiffness and step.
struct Spring {
  std::string name{};
  BodyId a{}, b{};
  std::optional<Vec3> point_a{};
  std::optional<Vec3> point_b{};
  std::optional<double> length{};  // [m] > 0, without load; unset: the distance in the given pose
  double stiffness = 0.0;          // [N/m] ≥ 0
  double damping = 0.0;            // [N s/m] ≥ 0
};

// Two points and no force between them: a cylinder or a string pot whose length controls act on.
struct Actuator {
  std::string name{};
  BodyId a{}, b{};
  std::optional<Vec3> point_a{};
  std::optional<Vec3> point_b{};
};

// An elastic mount: three springs and dampers along the axes of frame a, three about them.
struct Bushing {
  std::string name{};
  BodyId a{}, b{};
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  std::optional<Frame> frame_a{};
  std::optional<Frame> frame_b{};
  Vec3 stiffness = Vec3::Zero();          // [N/m] ≥ 0
  Vec3 damping = Vec3::Zero();            // [N s/m] ≥ 0
  Vec3 angular_stiffness = Vec3::Zero();  // [N m/rad] ≥ 0
  Vec3 angular_damping = Vec3::Zero();    // [N m s/rad] ≥ 0
  bool contacts = false;  // whether the two bodies can touch although the joint ties them
};

using JointSpec =
    std::variant<Ball, Hinge, Prismatic, Cylindrical, Universal, Planar, Fixed, Screw, PointOnLine,
                 PointOnPlane, ParallelAxes, PerpendicularAxes, ConstantVelocity, RollingDisc,
                 Distance, Rope, Spring, Actuator, Bushing>;

struct Joint {
  JointKind kind = JointKind::ball;
  BodyId a{}, b{};
  Frame frame_a{};       // in body a: the joint's point, its z axis the joint's axis
  Frame frame_b{};       // in body b
  double length = 0.0;   // [m] of distances, ropes and springs; the radius of a rolling disc
  double advance = 0.0;  // [m/rad] screws: pitch/2π
  int coordinate = -1;   // index in State::s of its first coordinate, −1 if it has none
  int rates = -1;        // index in Model::rates() of its first axis: springs 1, bushings 6
  double slip = 0.0;     // [m/(N s)] rolling discs
  Relaxation relaxation{};
  bool contacts = false;  // whether the two bodies can touch
};

// Stiffness and damping along one axis of a force element.
struct Rate {
  double stiffness = 0.0;  // [N/m] or [N m/rad]
  double damping = 0.0;    // [N s/m] or [N m s/rad]
};

}  // namespace ligament
