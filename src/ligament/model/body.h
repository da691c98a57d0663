// SPDX-License-Identifier: Apache-2.0
// Bodies: as a user describes them (BodySpec) and as the model keeps them (Body).
//
// kind      coordinates q                         velocity v            mass matrix
// rigid     x (3), attitude e = (w x y z) (4)     ẋ, angular velocity   diag(m E, R I₀ Rᵀ)
// particle  x (3)                                 ẋ                     m E
// rod       x (3), direction u (3), |u| = 1       ẋ, u̇                  diag(m E, (m l²/12) E)
// fixed     x, e, constant or prescribed          none                  none
//
// The rod is that of Lacoursière 2007, section 6: a thin bar with no spin about its axis, whose
// unit length is a constraint row g = (u·u − 1)/2 like any other.
#pragma once

#include <string>

#include "ligament/math/mass_properties.h"
#include "ligament/math/types.h"
#include "ligament/model/load.h"
#include "ligament/model/relaxation.h"

namespace ligament {

enum class BodyKind : unsigned char { rigid, particle, rod, fixed };

const char* name_of(BodyKind kind);

struct BodySpec {
  std::string name{};
  BodyKind kind = BodyKind::rigid;
  MassProperties mass{};  // inertia is used for rigid bodies only
  double length = 1.0;    // [m] rods: > 0
  // [m] of the body's frame: joint frames, points of loads and shapes are given in it.
  Vec3 position = Vec3::Zero();
  Vec3 centre = Vec3::Zero();            // [m] centre of mass in that frame; rigid bodies only
  Quat orientation = Quat::Identity();   // rods: their direction is orientation · (1, 0, 0)
  Vec3 velocity = Vec3::Zero();          // [m/s] of the centre of mass
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s] in world axes
  Vec3 force = Vec3::Zero();             // [N] constant applied force at the centre, world axes
  Vec3 torque = Vec3::Zero();            // [N m] constant applied torque, world axes
  Relaxation relaxation{};               // rods: of the unit-length row, compliance in 1/J
  PoseFunction motion{};                 // fixed bodies: their pose, in place of position and
                                         // orientation
};

struct Body {
  BodyKind kind = BodyKind::fixed;
  bool principal_axes = true;   // whether the body axes are principal: R_BP is the identity
  int q_offset = 0;             // first coordinate in State::q
  int v_offset = -1;            // first velocity in State::v, −1 for a fixed body
  int mass_block = -1;          // index of its block in M, −1 for a fixed body
  int motion = -1;              // index in Model::motions(), −1 if nothing is prescribed
  double mass = 0.0;            // [kg]
  Vec3 moments = Vec3::Zero();  // [kg m²] principal moments; rods: m l²/12 three times
  Vec3 force = Vec3::Zero();    // [N]
  Vec3 torque = Vec3::Zero();   // [N m]
  double length = 0.0;          // [m] rods
  Relaxation relaxation{};      // rods
  Vec3 centre = Vec3::Zero();   // [m] of mass, in the frame that the body was described in
};

// Number of coordinates in q and of velocities in v.
constexpr int coordinates_of(BodyKind kind) {
  return kind == BodyKind::particle ? 3 : kind == BodyKind::rod ? 6 : 7;
}
constexpr int velocities_of(BodyKind kind) {
  return kind == BodyKind::fixed ? 0 : kind == BodyKind::particle ? 3 : 6;
}

}  // namespace ligament
