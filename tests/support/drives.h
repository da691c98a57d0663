// SPDX-License-Identifier: Apache-2.0
// Drives: one body with one freedom, for controls to act on.
#pragma once

#include "ligament/ligament.h"

namespace ligament::machines {

struct DriveOptions {
  double inertia = 2.0;  // [kg] of a slide, [kg m²] of a wheel about its axle
  double load = 0.0;     // [N, N m] constant, along the freedom
  double speed = 0.0;    // [m/s, rad/s] at the start
  double gravity = 0.0;  // [m/s²] along −z
};

// A builder that has the body already, so that a test adds its controls. The coordinate of the
// joint starts at 0; the speed is entry `speed` of State::v.
struct Drive {
  ModelBuilder builder;
  BodyId body;
  JointId joint;
  int speed;
};

// A box on a prismatic joint along z: its constraint rows and its coordinate are exactly linear.
inline Drive make_slide(const DriveOptions& options = {}) {
  Drive drive{.builder = ModelBuilder{{.gravity = {0, 0, -options.gravity}}}, .speed = 2};
  drive.body = drive.builder.add_body({.name = "slide",
                                       .mass = box_of_mass({0.1, 0.2, 0.3}, options.inertia),
                                       .velocity = {0, 0, options.speed},
                                       .force = {0, 0, options.load}});
  drive.joint = drive.builder.add_joint(Prismatic{.name = "guide", .b = drive.body});
  return drive;
}

// A wheel on a hinge about z. Its angle moves by the Cayley map, 2 atan(h ω/2) a step.
inline Drive make_wheel(const DriveOptions& options = {}) {
  Drive drive{.builder = ModelBuilder{{.gravity = {0, 0, -options.gravity}}}, .speed = 5};
  const double radius = 0.5, mass = 2.0 * options.inertia / (radius * radius);
  drive.body = drive.builder.add_body({.name = "wheel",
                                       .mass = cylinder_of_mass(radius, 0.1, mass),
                                       .angular_velocity = {0, 0, options.speed},
                                       .torque = {0, 0, options.load}});
  drive.joint = drive.builder.add_joint(Hinge{.name = "axle", .b = drive.body});
  return drive;
}

}  // namespace ligament::machines
