// SPDX-License-Identifier: Apache-2.0
// Scenes with contact that tests and benchmarks share, each a function that makes a model. Header
// only, on the public interface alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ligament/ligament.h"

namespace ligament::scenes {

inline Quat turn(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

// The material of two surfaces that together are as given: compliance and levers are halved, as
// they add up [CO.9].
inline Material half_of(Material together) {
  together.compliance *= 0.5;
  together.rolling_friction *= 0.5;
  together.spinning_friction *= 0.5;
  return together;
}

// What a contact is in these tests unless they say otherwise: ε = 1e-8 m/N, dead.
inline Material surface(double friction, double compliance = 1e-8) {
  return {.friction = friction, .compliance = compliance};
}

// ---- Incline: a block on a tilted half-space ----

struct InclineOptions {
  double slope = 0.3;     // [rad]
  double azimuth = 0.0;   // [rad] of the direction downhill, about z
  double heading = 0.0;   // [rad] by which the block is turned on the plane
  double gravity = 9.81;  // [m/s²] along −z
  double mass = 1.0;      // [kg]
  Vec3 half{0.2, 0.15, 0.1};
  Material contact = surface(0.5);
};

// Axes of the incline: x downhill, z its normal.
inline Quat axes_of(const InclineOptions& options) {
  return turn(options.azimuth, Vec3::UnitZ()) * turn(options.slope, Vec3::UnitY());
}

inline BodyId add_incline(ModelBuilder& b, const Quat& axes, MaterialId material) {
  const BodyId incline =
      b.add_body({.name = "incline", .kind = BodyKind::fixed, .orientation = axes});
  b.add_shape(
      {.name = "incline", .body = incline, .geometry = HalfSpaceShape{}, .material = material});
  return incline;
}

// One body that moves, "block", just touching.
inline Model make_block_on_incline(const InclineOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  const Quat axes = axes_of(options);
  add_incline(b, axes, material);
  const BodyId block = b.add_body({.name = "block",
                                   .mass = box_of_mass(options.half, options.mass),
                                   .position = axes * Vec3(0, 0, options.half.z()),
                                   .orientation = axes * turn(options.heading, Vec3::UnitZ())});
  b.add_shape(
      {.name = "block", .body = block, .geometry = BoxShape{options.half}, .material = material});
  return std::move(b).build();
}

// The same with a ball.
struct BallOptions {
  double slope = 0.0;
  double gravity = 9.81;
  double mass = 1.0;
  double radius = 0.1;
  double height = 0.0;  // [m] of its lowest point over the plane
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  // in the axes of the incline
  Material contact = surface(0.5);
};

// One body that moves, "ball".
inline Model make_ball_on_incline(const BallOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  const Quat axes = turn(options.slope, Vec3::UnitY());
  add_incline(b, axes, material);
  const BodyId ball = b.add_body({.name = "ball",
                                  .mass = sphere_of_mass(options.radius, options.mass),
                                  .position = axes * Vec3(0, 0, options.radius + options.height),
                                  .velocity = axes * options.velocity,
                                  .angular_velocity = axes * options.angular_velocity});
  b.add_shape({.name = "ball",
               .body = ball,
               .geometry = SphereShape{options.radius},
               .material = material});
  return std::move(b).build();
}

// ---- Grip: an object between two fingers, which slide towards each other along x ----

// A vice has a jaw that is pushed by a force, the other stays. A hand has two, driven by servos.
enum class Press : unsigned char { vice, hand };

struct GripOptions {
  double share_of_limit = 0.95;  // weight of the object over what friction holds, 2 μ force
  double mass = 1.0;             // [kg] of the object
  Press press = Press::vice;
  double servo_stiffness = 1e4;  // [N/m]
  Material contact = surface(0.5);
};

// "object", a cube of 0.1 m, and two fingers on prismatic joints.
inline Model make_grip(const GripOptions& options = {}) {
  ModelBuilder b{};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  const double half = 0.05, weight = 9.81 * options.mass;
  const double force = weight / (2.0 * options.contact.friction * options.share_of_limit);
  const BodyId object =
      b.add_body({.name = "object", .mass = box_of_mass(Vec3::Constant(half), options.mass)});
  b.add_shape({.name = "object",
               .body = object,
               .geometry = BoxShape{Vec3::Constant(half)},
               .material = material});
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left finger" : "right finger";
    const Vec3 size(0.02, 0.03, 0.04);
    const bool vice = options.press == Press::vice, pushed = vice && side > 0;
    const BodyId finger =
        b.add_body({.name = name,
                    .mass = box_of_mass(size, 0.3),
                    .position = {side * (half + size.x()), 0, 0},
                    .force = pushed ? Vec3(-side * force, 0, 0) : Vec3(Vec3::Zero())});
    b.add_shape({.name = name, .body = finger, .geometry = BoxShape{size}, .material = material});
    const JointId slide =
        b.add_joint(Prismatic{.name = name + "'s slide", .b = finger, .axis = Vec3::UnitX()});
    if (vice && !pushed) b.add_control(Lock{.on = slide});
    if (!vice)
      b.add_control(Servo{.on = slide,
                          .target = -side * force / options.servo_stiffness,
                          .stiffness = options.servo_stiffness});
  }
  return std::move(b).build();
}

// ---- Table: a body on round feet, each with a compliance of its own ----

struct TableLeg {
  double x = 0.0, y = 0.0;   // [m] from the centre of mass
  double compliance = 1e-8;  // [m/N] of its contact
};

struct TableOptions {
  double mass = 10.0;   // [kg]
  double height = 0.7;  // [m] of the centre of mass over the floor
  double friction = 0.5;
  std::vector<TableLeg> legs{{-0.6, -0.35}, {0.4, -0.35}, {0.4, 0.25}, {-0.6, 0.25}};
};

// One body that moves, "table", with shapes "leg 0", "leg 1", …, just touching the floor.
inline Model make_table(const TableOptions& options = {}) {
  ModelBuilder b{};
  const MaterialId hard =
      b.add_material({"floor", {.friction = options.friction, .compliance = 0.0}});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = hard});
  const BodyId table = b.add_body({.name = "table",
                                   .mass = box_of_mass({0.6, 0.4, 0.15}, options.mass),
                                   .position = {0, 0, options.height}});
  for (std::size_t i = 0; i < options.legs.size(); ++i) {
    const TableLeg& leg = options.legs[i];
    const std::string name = "leg " + std::to_string(i);
    const double radius = 0.02;
    const MaterialId material =
        b.add_material({name, {.friction = options.friction, .compliance = leg.compliance}});
    b.add_shape({.name = name,
                 .body = table,
                 .geometry = SphereShape{radius},
                 .pose = {.p = {leg.x, leg.y, radius - options.height}},
                 .material = material});
  }
  return std::move(b).build();
}

// ---- Stacks and walls of boxes, just touching, on a half-space ----

struct StackOptions {
  std::vector<double> masses = std::vector<double>(10, 1.0);  // [kg] from the floor up
  Vec3 half = Vec3::Constant(0.5);
  double gravity = 10.0;
  Material contact = surface(0.5);
};

// "box 0" on the floor, "box 1" on it, …
inline Model make_stack(const StackOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = material});
  for (std::size_t i = 0; i < options.masses.size(); ++i) {
    const std::string name = "box " + std::to_string(i);
    const BodyId box =
        b.add_body({.name = name,
                    .mass = box_of_mass(options.half, options.masses[i]),
                    .position = {0, 0, (2.0 * static_cast<double>(i) + 1.0) * options.half.z()}});
    b.add_shape(
        {.name = name, .body = box, .geometry = BoxShape{options.half}, .material = material});
  }
  return std::move(b).build();
}

// Courses of bricks, each a quarter of a brick further than the one below every other time, with
// joints between the bricks of a course that are wider than what contacts look ahead.
struct WallOptions {
  int courses = 20, bricks = 20;
  Vec3 half{0.1, 0.05, 0.05};
  double mass = 1.0, joint = 0.01;
  Material contact = surface(0.5);
};

inline Model make_wall(const WallOptions& options = {}) {
  ModelBuilder b{};
  const MaterialId material = b.add_material({"stuff", half_of(options.contact)});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = material});
  const double pitch = 2.0 * options.half.x() + options.joint;
  for (int i = 0; i < options.courses; ++i)
    for (int j = 0; j < options.bricks; ++j) {
      const std::string name = "brick " + std::to_string(i) + "/" + std::to_string(j);
      const BodyId brick = b.add_body(
          {.name = name,
           .mass = box_of_mass(options.half, options.mass),
           .position = {(j + 0.25 * (i % 2)) * pitch, 0, (2 * i + 1) * options.half.z()}});
      b.add_shape(
          {.name = name, .body = brick, .geometry = BoxShape{options.half}, .material = material});
    }
  return std::move(b).build();
}

// ---- House of cards: pairs that lean on each other, cards that lie across them ----

struct CardHouseOptions {
  int storeys = 2;                    // the lowest has as many pairs; each above it one less
  Vec3 half{0.15e-3, 0.0315, 0.044};  // [m] playing cards: 0.3 mm × 63 mm × 88 mm
  double mass = 1.8e-3;               // [kg]
  double lean = 0.35;                 // [rad] from upright
  double pitch = 0.065;               // [m] from pair to pair
  Material contact = surface(0.5);
};

// "left i/j" and "right i/j" lean on each other in storey i; "across i/j" lies on pairs j and j + 1
// of storey i, or on the only one.
inline Model make_card_house(const CardHouseOptions& options = {}) {
  ModelBuilder b{};
  const MaterialId material = b.add_material({"card", half_of(options.contact)});
  b.add_shape({.name = "table", .geometry = HalfSpaceShape{}, .material = material});
  const auto add_card = [&](const std::string& name, const Vec3& at, double turned) {
    const BodyId card = b.add_body({.name = name,
                                    .mass = box_of_mass(options.half, options.mass),
                                    .position = at,
                                    .orientation = turn(turned, Vec3::UnitY())});
    b.add_shape(
        {.name = name, .body = card, .geometry = BoxShape{options.half}, .material = material});
  };
  const double c = std::cos(options.lean), s = std::sin(options.lean);
  const double half_height = options.half.z() * c + options.half.x() * s;
  const double aside = options.half.z() * s + options.half.x() * c;
  double floor = 0.0;
  for (int i = 0; i < options.storeys; ++i) {
    const int pairs = options.storeys - i;
    const auto x_of = [&](double j) { return (j - 0.5 * (pairs - 1)) * options.pitch; };
    for (int j = 0; j < pairs; ++j) {
      const std::string where = std::to_string(i) + "/" + std::to_string(j);
      add_card("left " + where, {x_of(j) - aside, 0, floor + half_height}, options.lean);
      add_card("right " + where, {x_of(j) + aside, 0, floor + half_height}, -options.lean);
    }
    const double top = floor + 2 * half_height + options.half.x();
    for (int j = 0; j < std::max(pairs - 1, 1); ++j)
      add_card("across " + std::to_string(i) + "/" + std::to_string(j),
               {x_of(pairs > 1 ? j + 0.5 : 0.0), 0, top}, std::acos(0.0));
    floor = top + options.half.x();
  }
  return std::move(b).build();
}

}  // namespace ligament::scenes
