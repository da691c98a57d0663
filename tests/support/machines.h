// SPDX-License-Identifier: Apache-2.0
// The machines that tests and benchmarks share, each a function that makes a model. Those of the
// papers (ladder of rods, slider crank) have the sizes given there or, where a paper gives none,
// those of the acceptance table. Header only, on the public interface alone.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "ligament/ligament.h"
#include "ligament/math/rotation.h"

namespace ligament::machines {

// ---- Pendulum: a particle on a distance joint, released from the horizontal ----

struct PendulumOptions {
  double mass = 1.0;      // [kg]
  double length = 1.0;    // [m]
  double gravity = 10.0;  // [m/s²] along −z
  double angle = 0.0;     // [rad] of the start below the x axis
  Relaxation relaxation{};
};

// One particle, "bob", in the x–z plane.
inline Model make_pendulum(const PendulumOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const Vec3 start{options.length * std::cos(options.angle), 0,
                   -options.length * std::sin(options.angle)};
  const BodyId bob = b.add_body({.name = "bob",
                                 .kind = BodyKind::particle,
                                 .mass = {.mass = options.mass},
                                 .position = start});
  b.add_joint(Distance{.name = "string",
                       .b = bob,
                       .point_a = Vec3::Zero(),
                       .length = options.length,
                       .relaxation = options.relaxation});
  return std::move(b).build();
}

// ---- Ladders ----
//
// N cells: 2 N rails along x and N + 1 rungs along z, 3 N + 1 bars in all. Every rail is tied by
// ball joints to the two rungs it ends at, 4 N joints, and the lower end of the first rung to the
// world:
//
//        top 0    top 1
//      ┌────────┬────────┬ ·      bars are added cell by cell: rung 0, then (bottom i, top i,
//    rung 0   rung 1   rung 2     rung i + 1); joints in the order of the rails.
//      └────────┴────────┴ ·
//      ↑ bottom 0  bottom 1
//     pin (origin)

enum class LadderEnd : unsigned char { pinned, free };

struct LadderOptions {
  double mass = 10.0;     // [kg] of a bar
  double length = 1.0;    // [m]
  double gravity = 10.0;  // [m/s²] along −z
  LadderEnd end = LadderEnd::pinned;
  Relaxation relaxation{};
};

namespace detail {

// add_bar(name, centre, direction) adds one bar to the builder and gives its id.
template <class AddBar>
void add_ladder(ModelBuilder& b, int cells, const LadderOptions& options, AddBar&& add_bar) {
  const double l = options.length;
  const auto at = [l](double x, double z) { return Vec3(l * x, 0, l * z); };
  const auto tie = [&](BodyId rung, BodyId rail, const Vec3& point) {
    b.add_joint(Ball{.a = rung, .b = rail, .point = point, .relaxation = options.relaxation});
  };
  BodyId rung = add_bar("rung 0", at(0, 0.5), Vec3::UnitZ());
  if (options.end == LadderEnd::pinned)
    b.add_joint(
        Ball{.name = "pin", .b = rung, .point = Vec3::Zero(), .relaxation = options.relaxation});
  for (int i = 0; i < cells; ++i) {
    const std::string number = std::to_string(i);
    const BodyId bottom = add_bar("bottom " + number, at(i + 0.5, 0), Vec3::UnitX());
    const BodyId top = add_bar("top " + number, at(i + 0.5, 1), Vec3::UnitX());
    const BodyId next = add_bar("rung " + std::to_string(i + 1), at(i + 1, 0.5), Vec3::UnitZ());
    tie(rung, bottom, at(i, 0));
    tie(next, bottom, at(i + 1, 0));
    tie(rung, top, at(i, 1));
    tie(next, top, at(i + 1, 1));
    rung = next;
  }
}

inline Quat turn_x_to(const Vec3& direction) { return frame_with_x_along(direction); }

}  // namespace detail

// The ladder of Lacoursière 2007, section 6: bars are rods, which have no spin about their axis.
inline Model make_rod_ladder(int cells, const LadderOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  detail::add_ladder(b, cells, options,
                     [&](const std::string& name, const Vec3& centre, const Vec3& direction) {
                       return b.add_body({.name = name,
                                          .kind = BodyKind::rod,
                                          .mass = {.mass = options.mass},
                                          .length = options.length,
                                          .position = centre,
                                          .orientation = detail::turn_x_to(direction),
                                          .relaxation = options.relaxation});
                     });
  return std::move(b).build();
}

// The same ladder of rigid boxes, length × length/20 × length/20.
inline Model make_rigid_ladder(int cells, const LadderOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MassProperties bar = box_of_mass(options.length * Vec3(0.5, 0.025, 0.025), options.mass);
  detail::add_ladder(b, cells, options,
                     [&](const std::string& name, const Vec3& centre, const Vec3& direction) {
                       return b.add_body({.name = name,
                                          .mass = bar,
                                          .position = centre,
                                          .orientation = detail::turn_x_to(direction)});
                     });
  return std::move(b).build();
}

// ---- Chain: rigid boxes one after the other, ball joints, the first tied to the world ----

struct ChainOptions {
  double mass = 1.0;               // [kg] of a link
  double length = 1.0;             // [m]
  double gravity = 10.0;           // [m/s²] along −z
  Vec3 direction = Vec3::UnitX();  // along which it starts; −z: hanging at rest
  Relaxation relaxation{};
  double end_mass = 1.0;  // of the last point, in masses of the others
};

inline Model make_chain(int links, const ChainOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MassProperties link = box_of_mass(options.length * Vec3(0.5, 0.025, 0.025), options.mass);
  const Vec3 along = options.direction.normalized();
  BodyId last = world;
  for (int i = 0; i < links; ++i) {
    const BodyId next = b.add_body({.name = "link " + std::to_string(i),
                                    .mass = link,
                                    .position = (i + 0.5) * options.length * along,
                                    .orientation = detail::turn_x_to(along)});
    b.add_joint(Ball{.a = last,
                     .b = next,
                     .point = i * options.length * along,
                     .relaxation = options.relaxation});
    last = next;
  }
  return std::move(b).build();
}

// The same of point masses on rigid links without mass: a pendulum of many joints.
inline Model make_point_chain(int links, const ChainOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const Vec3 along = options.direction.normalized();
  BodyId last = world;
  for (int i = 1; i <= links; ++i) {
    const BodyId next =
        b.add_body({.name = "point " + std::to_string(i),
                    .kind = BodyKind::particle,
                    .mass = {.mass = i < links ? options.mass : options.mass * options.end_mass},
                    .position = i * options.length * along});
    b.add_joint(
        Distance{.a = last, .b = next, .length = options.length, .relaxation = options.relaxation});
    last = next;
  }
  return std::move(b).build();
}

// ---- Slider crank [Lacoursière 2005, section 6.2], equal lengths ----

struct SliderCrankOptions {
  double speed = 0.5 * std::numbers::pi;  // [rad/s] of the crank
  double angle = 0.0;                     // [rad] of the crank at the start, 0: extended
  Frame placement{};                      // of the whole machine in the world
  Relaxation relaxation{};
};

// Crank and rod of length 1 m and 1 kg, 0.1 m × 0.1 m, and a load, a cube of 0.3 m and 1 kg, that
// slides along x; three hinges about z, one prismatic joint, one motor: 21 rows on 18 degrees of
// freedom, three redundant. Moving from the start: the load at x = 2 cos(angle). No gravity.
inline Model make_slider_crank(const SliderCrankOptions& options = {}) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const Frame& W = options.placement;
  const double c = std::cos(options.angle), s = std::sin(options.angle), w = options.speed;
  const auto at = [&](double x, double y) -> Vec3 { return W.p + W.R * Vec3(x, y, 0); };
  const auto along = [&](double x, double y) -> Vec3 { return W.R * Vec3(x, y, 0); };
  const auto turned = [&](double angle) {
    return Quat(W.R * Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())));
  };
  const Vec3 axis = W.R * Vec3::UnitZ();
  const MassProperties bar = box_of_mass({0.5, 0.05, 0.05}, 1.0);

  const BodyId crank = b.add_body({.name = "crank",
                                   .mass = bar,
                                   .position = at(0.5 * c, 0.5 * s),
                                   .orientation = turned(options.angle),
                                   .velocity = along(-0.5 * s * w, 0.5 * c * w),
                                   .angular_velocity = w * axis});
  const BodyId rod = b.add_body({.name = "rod",
                                 .mass = bar,
                                 .position = at(1.5 * c, 0.5 * s),
                                 .orientation = turned(-options.angle),
                                 .velocity = along(-1.5 * s * w, 0.5 * c * w),
                                 .angular_velocity = -w * axis});
  const BodyId load = b.add_body({.name = "load",
                                  .mass = box_of_mass(Vec3::Constant(0.15), 1.0),
                                  .position = at(2 * c, 0),
                                  .orientation = W.R,
                                  .velocity = along(-2 * s * w, 0)});
  const Relaxation& soft = options.relaxation;
  const JointId base = b.add_joint(
      Hinge{.name = "base", .b = crank, .point = at(0, 0), .axis = axis, .relaxation = soft});
  b.add_joint(Hinge{.name = "crank pin",
                    .a = crank,
                    .b = rod,
                    .point = at(c, s),
                    .axis = axis,
                    .relaxation = soft});
  b.add_joint(Hinge{.name = "wrist pin",
                    .a = rod,
                    .b = load,
                    .point = at(2 * c, 0),
                    .axis = axis,
                    .relaxation = soft});
  b.add_joint(Prismatic{
      .name = "guide", .b = load, .point = at(2 * c, 0), .axis = along(1, 0), .relaxation = soft});
  b.add_control(
      Motor{.name = "motor", .on = base, .speed = w, .inverse_drag = soft.angular_compliance});
  return std::move(b).build();
}

// ---- Heavy top: a rigid body on a ball joint at the origin ----

struct HeavyTopOptions {
  Vec3 moments{0.04, 0.04, 0.06};  // [kg m²] about the centre, the spin axis last
  double mass = 1.0;               // [kg]
  double arm = 0.5;                // [m] from the tip to the centre
  double tilt = 0.6;               // [rad] of the spin axis from the vertical, in the x–z plane
  double spin = 100.0;             // [rad/s]
  double gravity = 10.0;           // [m/s²] along −z
  Relaxation relaxation{.compliance = 1e-10, .angular_compliance = 1e-10};
};

inline Model make_heavy_top(const HeavyTopOptions& options = {}) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const Vec3 axis{std::sin(options.tilt), 0, std::cos(options.tilt)};
  const BodyId top =
      b.add_body({.name = "top",
                  .mass = {.mass = options.mass, .inertia = options.moments.asDiagonal()},
                  .position = options.arm * axis,
                  .orientation = Quat(Eigen::AngleAxisd(options.tilt, Vec3::UnitY())),
                  .angular_velocity = options.spin * axis});
  b.add_joint(Ball{.name = "tip", .b = top, .relaxation = options.relaxation});
  return std::move(b).build();
}

// ---- Rotor: a disc that spins on a box, which floats freely ----

struct RotorOptions {
  double spin = 300.0;                       // [rad/s] of the disc about its axis
  Vec3 box_angular_velocity{0.1, 0.2, 0.3};  // [rad/s]
  Relaxation relaxation{};
};

// A box of 1 m × 0.8 m × 0.6 m and 10 kg; on top of it a disc of radius 0.3 m, 0.1 m thick, 2 kg,
// hinged about z. No gravity. The disc is carried along with the box as the hinge demands.
inline Model make_rotor_on_box(const RotorOptions& options = {}) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const Vec3 centre{0, 0, 0.4};
  const Vec3 w = options.box_angular_velocity;
  const BodyId box = b.add_body(
      {.name = "box", .mass = box_of_mass({0.5, 0.4, 0.3}, 10.0), .angular_velocity = w});
  const BodyId disc = b.add_body({.name = "disc",
                                  .mass = cylinder_of_mass(0.3, 0.05, 2.0),
                                  .position = centre,
                                  .velocity = w.cross(centre),
                                  .angular_velocity = w + options.spin * Vec3::UnitZ()});
  b.add_joint(Hinge{
      .name = "bearing", .a = box, .b = disc, .point = centre, .relaxation = options.relaxation});
  return std::move(b).build();
}

}  // namespace ligament::machines
