// SPDX-License-Identifier: Apache-2.0
// A rigid body as point masses: as heavy, with the same centre of mass and the same inertia, and
// with masses at places that are given (where joints are to hold it).
//
// In principal axes, with the second moments X² = Σ m x² = (I_y + I_z − I_x)/2, Y², Z² and q given
// points, every given point and its images in the three planes get a mass
//
//     m̃ = f min(m/(8 q), X²/(8 Σ x_i²), Y²/(8 Σ y_i²), Z²/(8 Σ z_i²)),   0 < f < 1         [IB.13]
//
// and eight masses m̂ = (m − 8 q m̃)/8 at (±√(X²_rest/(8 m̂)), …) are what is missing. Points that
// fall together are one.
// Reference Schmitt, Bender and Prautzsch 2005, section 3.
#pragma once

#include <span>
#include <vector>

#include "ligament/math/mass_properties.h"

namespace ligament {

struct PointMass {
  double mass = 0.0;      // [kg]
  Vec3 x = Vec3::Zero();  // [m] from the centre of mass, in body axes
};

struct PointMasses {
  std::vector<PointMass> points;
  std::vector<int> given;  // index in `points` of each point that was given
};

// `given` from the centre of mass, in body axes. Throws std::invalid_argument for a body that is
// flat: its points would not be rigid.
PointMasses make_point_masses(const MassProperties& body, std::span<const Vec3> given,
                              double fraction = 0.5);

}  // namespace ligament
