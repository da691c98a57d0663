// SPDX-License-Identifier: Apache-2.0
// Mass, centre and inertia of homogeneous solids: closed forms for the primitives, exact integrals
// over tetrahedra for hulls and closed meshes.
#pragma once

#include <span>

#include "ligament/geometry/geometry.h"
#include "ligament/math/mass_properties.h"

namespace ligament {

// Mass properties about a centre that need not be the origin.
struct SolidMass {
  MassProperties about_centre{};  // in the axes of the frame that the centre is given in
  Vec3 centre = Vec3::Zero();     // [m]
};

// A solid of this density [kg/m³] > 0. Throws GeometryError if the geometry encloses no volume: an
// open mesh, a height field, a plane or half-space.
SolidMass compute_solid_mass(const Geometry& geometry, double density);

// The same solid, given in a frame with this pose.
SolidMass move_solid(const SolidMass& solid, const Frame& pose);

// Several solids as one: masses add, overlap counts twice.
SolidMass add_solids(std::span<const SolidMass> solids);

}  // namespace ligament
