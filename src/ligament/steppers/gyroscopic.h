// SPDX-License-Identifier: Apache-2.0
// The rotation of one rigid body over one step, in its principal axes (docs/theory/gyroscopic.md).
//
// Implicit midpoint in momentum form: with the mean angular velocity ŵ of the step
//
//     I ŵ + (h/2) ŵ × I ŵ = l⁺                                                            [GY.1]
//     e⁺ = cay(h ŵ) e                                                                     [GY.2]
//
// where l⁺ is the angular momentum at the end, world-fixed. A free body keeps l exactly and its
// energy ½ l·ω too. I is the inertia at the start of the step; in principal axes it is diagonal and
// constant.
#pragma once

#include "ligament/math/types.h"

namespace ligament {

// [GY.1] with I ŵ ≈ l in its second term: right to O(h² w²).
Vec3 guess_midpoint(const Vec3& moments, const Vec3& l_P, double h);

// Newton on [GY.1] from the guess in w_P. False if it does not converge (seen only for h |w| ≫ 1).
bool solve_midpoint(const Vec3& moments, const Vec3& l_P, double h, Vec3& w_P);

// The tangent of [GY.1], I + (h/2)([ŵ] I − [I ŵ]): what the constraints feel as inertia.   [GY.4]
Mat3 compute_midpoint_tangent(const Vec3& moments, const Vec3& w_P, double h);

// Whether the symmetric part of that tangent is positive definite: the step problem needs it.
bool is_positive_definite(const Mat3& tangent);

// Explicit drift of a free body by exact turns of a symmetric top: e_WP after the step.     [GY.5]
Quat compute_symmetric_top_drift(const Vec3& moments, const Vec3& l_W, double h, const Quat& e_WP);

// The same by turns about the principal axes, x and y by halves, z, y and x by halves.      [GY.7]
Quat compute_axes_drift(const Vec3& moments, const Vec3& l_W, double h, const Quat& e_WP);

}  // namespace ligament
