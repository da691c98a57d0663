// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <numbers>

namespace ligament {

MassProperties box_of_mass(const Vec3& half, double mass) {
  const Vec3 s = half.cwiseAbs2();  // I_xx = m (a_y² + a_z²)/3 with half edges a
  const Vec3 moments = mass / 3.0 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return {.mass = mass, .inertia = moments.asDiagonal()};
}

MassProperties solid_box(const Vec3& half, double density) {
  return box_of_mass(half, 8.0 * density * half.prod());
}

MassProperties sphere_of_mass(double radius, double mass) {
  return {.mass = mass, .inertia = 0.4 * mass * radius * radius * Mat3::Identity()};
}

MassProperties solid_sphere(double radius, double density) {
  return sphere_of_mass(radius, 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density);
}

MassProperties cylinder_of_mass(double radius, double half_length, double mass) {
  const double r2 = radius * radius;
  const double across = mass * (r2 / 4.0 + half_length * half_length / 3.0);
  return {.mass = mass, .inertia = Vec3(across, across, 0.5 * mass * r2).asDiagonal()};
}

MassProperties solid_cylinder(double radius, double half_length, double density) {
  const double volume = 2.0 * std::numbers::pi * radius * radius * half_length;
  return cylinder_of_mass(radius, half_length, volume * density);
}

PrincipalInertia compute_principal_inertia(const Mat3& inertia) {
  if (inertia.isDiagonal(0.0)) return {.moments = inertia.diagonal(), .R_BP = Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(inertia);
  Mat3 axes = eigen.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  return {.moments = eigen.eigenvalues(), .R_BP = axes};
}

}  // namespace ligament
