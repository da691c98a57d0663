// SPDX-License-Identifier: Apache-2.0
// The mechanisms of the acceptance table, with velocities that obey their ties.
#pragma once

#include <cmath>

#include "impulse/reference.h"
#include "ligament/math/rotation.h"

namespace ligament::reference {

// A chain of particles on links, the first at the origin of the world.
inline System make_links(const std::vector<Part>& parts) {
  System system{.parts = parts};
  for (int i = 0; i < static_cast<int>(parts.size()); ++i)
    system.ties.push_back(
        {.a = i - 1,
         .b = i,
         .point_a = i == 0 ? Vec3(0, 0, 0) : parts[static_cast<std::size_t>(i - 1)].x,
         .point_b = parts[static_cast<std::size_t>(i)].x});
  correct_velocities(system);
  return system;
}

inline System make_double_pendulum() {
  return make_links({{.mass = 1, .x = {1, 0, 0}}, {.mass = 2, .x = {1, -0.8, 0}}});
}

inline System make_triple_pendulum() {
  return make_links({{.mass = 1, .x = {1, 0, 0}, .v = {0, 0, 1}},
                     {.mass = 2, .x = {1.6, -0.5, 0.3}, .v = {0, 0.5, 1}},
                     {.mass = 0.5, .x = {1.9, -0.6, 1.1}, .v = {0.3, 0, 0}}});
}

// Eight masses at the corners of a cuboid, all distances tied; the corner at the origin is fixed
// to the world, or is free like the others.
enum class Corner { fixed, free };
inline System make_cuboid(Corner corner) {
  System system;
  std::vector<int> ids;
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    const Vec3 x((i & 1) != 0 ? 1.0 : 0.0, (i & 2) != 0 ? -0.7 : 0.0, (i & 4) != 0 ? 0.4 : 0.0);
    const bool held = i == 0 && corner == Corner::fixed;
    ids.push_back(held ? -1 : static_cast<int>(system.parts.size()));
    points.push_back(x);
    if (!held) system.parts.push_back({.mass = 0.125, .x = x, .v = Vec3(1, 2, -1).cross(x)});
  }
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = i + 1; j < 8; ++j)
      system.ties.push_back({.a = ids[i], .b = ids[j], .point_a = points[i], .point_b = points[j]});
  return system;
}

inline System make_boxes(Tie::Kind kind) {
  const bool hinges = kind == Tie::Kind::hinge;
  System system;
  system.parts = {{.mass = 1,
                   .box = {1, 0.3, 0.2},
                   .x = {0.5, 0, 0},
                   .w = hinges ? Vec3(0, 1, 5) : Vec3(2, 1, -1)},
                  {.mass = 2,
                   .box = {0.4, 0.8, 0.15},
                   .x = {1.2, -0.4, 0},
                   .e = rotation_by({0.3, -0.5, 0.2}),
                   .w = hinges ? Vec3(4, 0, 2) : Vec3(-1, 3, 2)}};
  const Vec3 joint(1, 0, 0);
  system.ties = {
      {.kind = kind, .a = -1, .b = 0, .axis = {0, 0.2, 1}},
      {.kind = kind, .a = 0, .b = 1, .point_a = joint, .point_b = joint, .axis = {1, 0.3, 0.2}}};
  correct_velocities(system);
  return system;
}
inline System make_ball_pendulum() { return make_boxes(Tie::Kind::ball); }
inline System make_hinge_pendulum() { return make_boxes(Tie::Kind::hinge); }

// Three bars on four hinges about z, the ground along x from 0: 20 rows of rank 17.
struct Bars {
  double crank, coupler, rocker, ground;  // [m]
  double rocker_mass;                     // [kg], the crank has 0.5 and the coupler 1.2
};
inline System make_linkage(const Bars& bars) {
  const auto& [crank, coupler, rocker, ground, rocker_mass] = bars;
  const Vec3 O(0, 0, 0), A(crank * std::cos(1.0), crank * std::sin(1.0), 0), C(ground, 0, 0);
  // B above the line A C, where the circles about A and C meet.
  const Vec3 across = C - A;
  const double d = across.norm();
  const double along = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
  const Vec3 up = Vec3::UnitZ().cross(across) / d;
  const Vec3 B = A + along / d * across + std::sqrt(coupler * coupler - along * along) * up;
  const auto bar = [](double mass, const Vec3& from, const Vec3& to) {
    const Vec3 l = to - from;
    return Part{.mass = mass,
                .box = {l.norm(), 0.06, 0.04},
                .x = 0.5 * (from + to),
                .e = Quat(Eigen::AngleAxisd(std::atan2(l.y(), l.x()), Vec3::UnitZ()))};
  };
  System system;
  system.parts = {bar(0.5, O, A), bar(1.2, A, B), bar(rocker_mass, C, B)};
  system.parts[0].w = {0, 0, 6};
  system.parts[0].v = system.parts[0].w.cross(system.parts[0].x);
  const auto hinge = [](int a, int b, const Vec3& point) {
    return Tie{.kind = Tie::Kind::hinge, .a = a, .b = b, .point_a = point, .point_b = point};
  };
  system.ties = {hinge(-1, 0, O), hinge(0, 1, A), hinge(1, 2, B), hinge(-1, 2, C)};
  correct_velocities(system);
  return system;
}
inline System make_four_bar() { return make_linkage({0.5, 1.2, 0.9, 1.3, 0.9}); }
// Opposite bars are equal: it is flat twice a turn, and could leave as an antiparallelogram there.
inline System make_parallelogram() { return make_linkage({0.5, 1.2, 0.5, 1.2, 0.5}); }

}  // namespace ligament::reference
