// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of a body about its centre of mass, and those of the common solids.
#pragma once

#include "ligament/math/types.h"

namespace ligament {

struct MassProperties {
  double mass = 1.0;                // [kg], > 0
  Mat3 inertia = Mat3::Identity();  // [kg m²] about the centre of mass, in body axes
};

// A solid box of half edge lengths `half` [m] and density [kg/m³].
MassProperties solid_box(const Vec3& half, double density);
// The same box given by its mass [kg].
MassProperties box_of_mass(const Vec3& half, double mass);
// A solid sphere of radius [m] and density [kg/m³].
MassProperties solid_sphere(double radius, double density);
MassProperties sphere_of_mass(double radius, double mass);
// A solid cylinder about the body's z axis, radius and half length [m], density [kg/m³].
MassProperties solid_cylinder(double radius, double half_length, double density);
MassProperties cylinder_of_mass(double radius, double half_length, double mass);

// Principal moments, ascending, with R_BP (columns: principal axes in body axes, right-handed).
// For an inertia that is diagonal already R_BP is the identity and the moments keep their order, so
// that a body given in its principal axes is computed in them to the last digit.
struct PrincipalInertia {
  Vec3 moments;
  Mat3 R_BP;
};
PrincipalInertia compute_principal_inertia(const Mat3& inertia);

}  // namespace ligament
