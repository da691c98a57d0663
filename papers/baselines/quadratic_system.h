// SPDX-License-Identifier: Apache-2.0
// Machines of the plane by explicit equations, for the methods that the papers compare with: no
// code of the library takes part.
//
//     M q̈ = f + Gᵀ λ,   rows:  L q = 0,  then (u·u − 1)/2 = 0 for each unit vector u in q
//
// M is diagonal and f constant. A rod of mass m and length l is x, u in ℝ² with mass m and m l²/12,
// and ends x ± (l/2) u: joints are linear rows, the unit length of u is the only curved one.
#pragma once

#include <Eigen/Sparse>
#include <vector>

#include "ligament/math/types.h"

namespace ligament::papers {

using SparseRows = Eigen::SparseMatrix<double>;

struct QuadraticSystem {
  VecX mass;               // diagonal of M
  VecX force;              // f [N]
  SparseRows linear;       // L
  std::vector<int> units;  // the first of the two coordinates of each u
  VecX start;              // q at rest

  int rows() const { return static_cast<int>(linear.rows()) + static_cast<int>(units.size()); }
  VecX compute_g(const VecX& q) const;
  SparseRows compute_G(const VecX& q) const;
  VecX compute_curvature(const VecX& v) const;  // Ġ v
  double compute_energy(const VecX& q, const VecX& v) const;
};

// A point mass at distance 1 from the origin, let go at the horizontal: m = 1 kg, g = 10 m/s².
QuadraticSystem make_planar_pendulum();

struct PlanarRod {
  double mass = 10.0;            // [kg]
  double inertia = 10.0 / 12.0;  // of u [kg m²]; length 1 m, g = 10 m/s²
};

// One rod that hangs from its tail, `angle` [rad] aside.
QuadraticSystem make_planar_rod(const PlanarRod& rod, double angle);

// The ladder of Lacoursière 2007, section 6, with its numbering of rods.
QuadraticSystem make_planar_ladder(int cells, const PlanarRod& rod = {});

// Velocities that the rows allow, nearest to v in the metric of the masses.
VecX project_velocity(const QuadraticSystem& system, const VecX& q, const VecX& v);

}  // namespace ligament::papers
