// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of solids against numerical integration over their volume.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "ligament/math/mass_properties.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;

// Gauss's rule with five points on [−1, 1]: exact for polynomials up to degree nine.
constexpr double nodes[] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                            0.9061798459386640};
constexpr double weights[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                              0.4786286704993665, 0.2369268850561891};

// ∫ over [low, high].
double integrate(double low, double high, const std::function<double(double)>& f) {
  const double centre = 0.5 * (low + high), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = 0; i < 5; ++i) sum += weights[i] * f(centre + half * nodes[i]);
  return half * sum;
}

// ∫₀^{2π}, exact for trigonometric polynomials up to degree seven.
double integrate_circle(const std::function<double(double)>& f) {
  double sum = 0.0;
  for (int i = 0; i < 8; ++i) sum += f(2.0 * pi * i / 8);
  return 2.0 * pi / 8 * sum;
}

using VolumeIntegral = std::function<double(const std::function<double(const Vec3&)>&)>;

// Mass and inertia by their definitions, ∫ρ and ∫ρ (|r|² E − r rᵀ). All integrands are polynomials
// of the rules' degrees: rounding is all that is left.
void expect_integrals(const MassProperties& given, double density, const VolumeIntegral& volume) {
  const double mass = density * volume([](const Vec3&) { return 1.0; });
  EXPECT_NEAR(given.mass, mass, 1e-13 * mass);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double moment = density * volume([&](const Vec3& r) {
                              return (i == j ? r.squaredNorm() : 0.0) - r(i) * r(j);
                            });
      EXPECT_NEAR(given.inertia(i, j), moment, 1e-13 * given.inertia.trace()) << i << j;
    }
}

TEST(MassProperties, of_a_box_are_the_integrals) {
  const Vec3 half{0.3, 1.2, 0.05};
  expect_integrals(solid_box(half, 700.0), 700.0, [&](const auto& f) {
    return integrate(-half.x(), half.x(), [&](double x) {
      return integrate(-half.y(), half.y(), [&](double y) {
        return integrate(-half.z(), half.z(), [&](double z) { return f(Vec3(x, y, z)); });
      });
    });
  });
}

// In spherical coordinates with c = cos(polar angle): r² dr dc dφ.
TEST(MassProperties, of_a_sphere_are_the_integrals) {
  const double radius = 0.7;
  expect_integrals(solid_sphere(radius, 1200.0), 1200.0, [&](const auto& f) {
    return integrate(0, radius, [&](double r) {
      return integrate(-1, 1, [&](double c) {
        return integrate_circle([&](double a) {
          const double s = std::sqrt(1.0 - c * c);
          return r * r * f(r * Vec3(s * std::cos(a), s * std::sin(a), c));
        });
      });
    });
  });
}

TEST(MassProperties, of_a_cylinder_are_the_integrals) {
  const double radius = 0.4, half = 0.9;
  expect_integrals(solid_cylinder(radius, half, 300.0), 300.0, [&](const auto& f) {
    return integrate(0, radius, [&](double r) {
      return integrate(-half, half, [&](double z) {
        return integrate_circle(
            [&](double a) { return r * f(Vec3(r * std::cos(a), r * std::sin(a), z)); });
      });
    });
  });
}

TEST(MassProperties, by_mass_and_by_density_agree) {
  const Vec3 half{0.1, 0.2, 0.3};
  const MassProperties by_density = solid_box(half, 500.0);
  const MassProperties by_mass = box_of_mass(half, by_density.mass);
  EXPECT_LT((by_density.inertia - by_mass.inertia).norm(), 1e-15);
  EXPECT_NEAR(sphere_of_mass(0.5, solid_sphere(0.5, 10).mass).inertia.trace(),
              solid_sphere(0.5, 10).inertia.trace(), 1e-14);
  EXPECT_NEAR(cylinder_of_mass(0.5, 0.2, solid_cylinder(0.5, 0.2, 10).mass).inertia.trace(),
              solid_cylinder(0.5, 0.2, 10).inertia.trace(), 1e-14);
}

TEST(PrincipalInertia, rebuilds_the_tensor_with_right_handed_axes) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Mat3 R = random.rotation().toRotationMatrix();
    const Mat3 inertia = R * Vec3(1.0, 1.5, 2.2).asDiagonal() * R.transpose();
    const PrincipalInertia principal = compute_principal_inertia(inertia);
    const Mat3 rebuilt =
        principal.R_BP * principal.moments.asDiagonal() * principal.R_BP.transpose();
    EXPECT_LT((rebuilt - inertia).norm(), 1e-13);
    EXPECT_NEAR(principal.R_BP.determinant(), 1.0, 1e-13);
  }
}

TEST(PrincipalInertia, of_a_diagonal_tensor_keeps_its_order_and_axes) {
  const PrincipalInertia principal =
      compute_principal_inertia(Vec3(3.0, 1.0, 2.5).asDiagonal().toDenseMatrix());
  EXPECT_EQ(principal.moments, Vec3(3.0, 1.0, 2.5));
  EXPECT_EQ(principal.R_BP, Mat3(Mat3::Identity()));
}

}  // namespace
}  // namespace ligament
