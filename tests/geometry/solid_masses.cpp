// SPDX-License-Identifier: Apache-2.0
// Mass, centre and inertia of solids against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/solids.h"
#include "ligament/geometry/geometry_error.h"
#include "ligament/geometry/solid_mass.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double density = 1200.0;

MeshShape make_shape(const Surface& surface) {
  return {make_mesh(surface.vertices, surface.triangles)};
}

void expect_solid(const SolidMass& given, const SolidMass& right, double relative,
                  double centre_error) {
  const double mass = right.about_centre.mass;
  EXPECT_NEAR(given.about_centre.mass, mass, relative * mass);
  EXPECT_LT((given.centre - right.centre).norm(), centre_error);
  EXPECT_LT((given.about_centre.inertia - right.about_centre.inertia).norm(),
            relative * right.about_centre.inertia.trace());
}

// Sums of n terms of one sign are right to n/2 ulp of 2.2e-16 at worst: 1e-13 for 1000.
constexpr double rounding = 1e-13;

TEST(SolidMasses, of_box_meshes_and_hulls_are_the_box) {
  const Vec3 half{0.5, 1.0, 0.2}, centre{0.3, -2.0, 1.0};
  const Surface box = make_box(half, centre);
  const SolidMass right{solid_box(half, density), centre};
  expect_solid(compute_solid_mass(make_shape(box), density), right, rounding, rounding);
  expect_solid(compute_solid_mass(make_shape(refine(refine(refine(box)))), density), right,
               rounding, rounding);
  expect_solid(compute_solid_mass(ConvexShape{make_hull(box.vertices)}, density), right, rounding,
               rounding);
}

// Regular tetrahedron of edge s: V = s³/(6√2), I = m s²/20. Octahedron: V = √2 s³/3, I = m s²/10.
TEST(SolidMasses, of_regular_polyhedra_are_the_closed_forms) {
  const Surface tetrahedron{{Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)},
                            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  const double s = std::sqrt(8.0), sqrt2 = std::numbers::sqrt2;
  const double mass = density * s * s * s / (6.0 * sqrt2);
  const SolidMass right{{mass, mass * s * s / 20.0 * Mat3::Identity()}, Vec3::Zero()};
  for (const Surface& surface : {tetrahedron, refine(refine(refine(tetrahedron)))})
    expect_solid(compute_solid_mass(make_shape(surface), density), right, rounding, rounding);
  std::vector<Vec3> corners;
  for (int k = 0; k < 3; ++k) corners.insert(corners.end(), {Vec3::Unit(k), -Vec3::Unit(k)});
  const double octahedron_mass = density * 4.0 / 3.0;  // s = √2
  expect_solid(compute_solid_mass(ConvexShape{make_hull(corners)}, density),
               {{octahedron_mass, octahedron_mass * 0.2 * Mat3::Identity()}, Vec3::Zero()},
               rounding, rounding);
}

// A coordinate at 1e4 m is rounded to 1e-12 m; relative to the half edge of 0.2 m that is 5e-12,
// and five of them make the inertia. Integrals from the origin would lose (1e4/0.2)² ulp: 1e-6.
TEST(SolidMasses, keep_their_digits_far_away) {
  const Vec3 half{0.5, 1.0, 0.2}, centre{1e4, -1e4, 1e4};
  const SolidMass right{solid_box(half, density), centre};
  const Surface box = make_box(half, centre);
  expect_solid(compute_solid_mass(make_shape(box), density), right, 5 * 5e-12, 4e-12);
  expect_solid(compute_solid_mass(ConvexShape{make_hull(box.vertices)}, density), right, 5 * 5e-12,
               4e-12);
}

// The vertices moved and the integrals moved are the same.
TEST(SolidMasses, move_with_their_frame) {
  Random random(2);
  for (int i = 0; i < 10; ++i) {
    const Frame pose{random.vector(3.0), random.rotation()};
    Surface box = make_box(Vec3(0.5, 1.0, 0.2), random.vector());
    const SolidMass before = compute_solid_mass(make_shape(box), density);
    for (Vec3& vertex : box.vertices) vertex = pose.p + pose.R * vertex;
    expect_solid(move_solid(before, pose), compute_solid_mass(make_shape(box), density), rounding,
                 rounding);
  }
}

TEST(SolidMasses, of_two_half_boxes_are_the_box) {
  const Vec3 half{0.5, 1.0, 0.2}, quarter{0.25, 1.0, 0.2}, shift{0.25, 0.0, 0.0};
  const Frame pose{Vec3(1.0, 2.0, 3.0), Random(3).rotation()};
  const SolidMass part{solid_box(quarter, density), Vec3::Zero()};
  const SolidMass parts[] = {move_solid(move_solid(part, {.p = -shift}), pose),
                             move_solid(move_solid(part, {.p = shift}), pose)};
  expect_solid(add_solids(parts), move_solid({solid_box(half, density), Vec3::Zero()}, pose),
               rounding, rounding);
  EXPECT_THROW(add_solids({}), GeometryError);
}

// Discs of radius r(z): dm = ρπ r² dz, I_z = ∫ r²/2 dm, I_x = ∫ (r²/4 + z²) dm. Simpson's rule is
// exact for cubics; r² is a quadratic of z on each part, r⁴ a quartic: error n⁻⁴ with n intervals.
TEST(SolidMasses, of_a_capsule_is_the_integral_over_discs) {
  const CapsuleShape shape{.radius = 0.3, .half_length = 0.8};
  double mass = 0.0, along = 0.0, across = 0.0;
  const auto add = [&](double z, double weight) {
    const double beyond = std::max(0.0, std::abs(z) - shape.half_length);
    const double r2 = shape.radius * shape.radius - beyond * beyond;
    const double dm = weight * density * std::numbers::pi * r2;
    mass += dm;
    along += 0.5 * r2 * dm;
    across += (0.25 * r2 + z * z) * dm;
  };
  const double ends[] = {-1.1, -0.8, 0.8, 1.1};
  constexpr int n = 1000;
  for (int part = 0; part < 3; ++part) {
    const double h = (ends[part + 1] - ends[part]) / n;
    for (int i = 0; i < n; ++i) {
      const double z = ends[part] + h * i;
      add(z, h / 6.0);
      add(z + 0.5 * h, h * 4.0 / 6.0);
      add(z + h, h / 6.0);
    }
  }
  const SolidMass right{{mass, Vec3(across, across, along).asDiagonal()}, Vec3::Zero()};
  expect_solid(compute_solid_mass(shape, density), right, 1e-12, 1e-15);
}

TEST(SolidMasses, of_primitives_are_those_of_the_solids) {
  expect_solid(compute_solid_mass(SphereShape{0.4}, density), {solid_sphere(0.4, density)}, 1e-16,
               1e-16);
  expect_solid(compute_solid_mass(BoxShape{Vec3(1, 2, 3)}, density),
               {solid_box(Vec3(1, 2, 3), density)}, 1e-16, 1e-16);
  expect_solid(compute_solid_mass(CylinderShape{0.4, 2.0}, density),
               {solid_cylinder(0.4, 2.0, density)}, 1e-16, 1e-16);
  // A capsule without length is a sphere, but for 3l/(2r) = 4e-12 of the mass and as much inertia.
  expect_solid(compute_solid_mass(CapsuleShape{0.4, 1e-12}, density), {solid_sphere(0.4, density)},
               1e-11, 1e-16);
}

TEST(SolidMasses, of_what_has_no_volume_are_refused) {
  Surface open = make_box(Vec3::Ones());
  open.triangles.pop_back();
  for (const Geometry& geometry :
       {Geometry(PlaneShape{}), Geometry(HalfSpaceShape{}), Geometry(HeightFieldShape{}),
        Geometry(ConvexShape{}), Geometry(MeshShape{}), Geometry(make_shape(open))})
    EXPECT_THROW(compute_solid_mass(geometry, density), GeometryError) << name_of(geometry);
  EXPECT_THROW(compute_solid_mass(SphereShape{}, 0.0), GeometryError);
}

}  // namespace
}  // namespace ligament
