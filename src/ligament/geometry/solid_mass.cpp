// SPDX-License-Identifier: Apache-2.0
#include "ligament/geometry/solid_mass.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

// The inertia of a point of mass m at r: m (|r|² E − r rᵀ).
Mat3 compute_point_inertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

// A cylinder of mass m_c and two half spheres, m_s together, whose centres of mass are 3r/8 beyond
// the ends ±l of the segment: I_x = m_c (r²/4 + l²/3) + m_s (2r²/5 + l² + 3 l r/4).
MassProperties compute_capsule(const CapsuleShape& shape, double density) {
  const double r = shape.radius, l = shape.half_length;
  const MassProperties cylinder = solid_cylinder(r, l, density);
  const MassProperties sphere = solid_sphere(r, density);
  const double shift = sphere.mass * (l * l + 0.75 * l * r);
  MassProperties capsule{.mass = cylinder.mass + sphere.mass,
                         .inertia = cylinder.inertia + sphere.inertia};
  capsule.inertia(0, 0) += shift;
  capsule.inertia(1, 1) += shift;
  return capsule;
}

// Integrals over the signed tetrahedra between a point of reference and the triangles of a surface.
// Those outside of the solid cancel.
class Integrals {
 public:
  // The reference is the middle of the vertices: the integrals keep their digits far from the
  // origin.
  explicit Integrals(const std::vector<Vec3>& vertices) {
    Vec3 low = vertices.at(0), high = vertices.at(0);
    for (const Vec3& vertex : vertices) {
      low = low.cwiseMin(vertex);
      high = high.cwiseMax(vertex);
    }
    reference_ = 0.5 * (low + high);
  }

  // A tetrahedron 0, a, b, c of volume V, s = a + b + c:
  // ∫r = V s/4 and ∫r rᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20.
  void add(const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 a = p - reference_, b = q - reference_, c = r - reference_, s = a + b + c;
    const double volume = a.dot(b.cross(c)) / 6.0;
    volume_ += volume;
    first_ += volume / 4.0 * s;
    second_ += volume / 20.0 *
               (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }

  // With C = ∫(r − r_c)(r − r_c)ᵀ the inertia is ρ (tr C E − C).
  SolidMass compute_solid(double density) const {
    if (!(volume_ > 0.0))
      throw GeometryError(fmt::format(
          "the surface encloses a volume of {:.3g} m³: a solid has more than 0", volume_));
    const Vec3 centre = first_ / volume_;
    const Mat3 second = second_ - volume_ * centre * centre.transpose();
    return {.about_centre = {.mass = density * volume_,
                             .inertia = density * (second.trace() * Mat3::Identity() - second)},
            .centre = reference_ + centre};
  }

 private:
  Vec3 reference_;
  double volume_ = 0.0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

SolidMass compute_hull(const Hull& hull, double density) {
  const auto vertex = [&](int i) -> const Vec3& {
    return hull.vertices.at(static_cast<std::size_t>(i));
  };
  Integrals integrals(hull.vertices);
  for (const Hull::Face& face : hull.faces) {
    const auto corners = hull.corners(face);
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
      integrals.add(vertex(corners[0]), vertex(corners[k]), vertex(corners[k + 1]));
  }
  return integrals.compute_solid(density);
}

SolidMass compute_mesh(const TriangleMesh& mesh, double density) {
  if (!mesh.closed)
    throw GeometryError("the mesh is open: only a closed one encloses a volume with a mass");
  const auto vertex = [&](std::int32_t i) -> const Vec3& {
    return mesh.vertices.at(static_cast<std::size_t>(i));
  };
  Integrals integrals(mesh.vertices);
  for (const TriangleIndices& t : mesh.triangles)
    integrals.add(vertex(t[0]), vertex(t[1]), vertex(t[2]));
  return integrals.compute_solid(density);
}

struct Solid {
  double density;

  SolidMass operator()(const SphereShape& shape) const {
    return {.about_centre = solid_sphere(shape.radius, density)};
  }
  SolidMass operator()(const BoxShape& shape) const {
    return {.about_centre = solid_box(shape.half, density)};
  }
  SolidMass operator()(const CapsuleShape& shape) const {
    return {.about_centre = compute_capsule(shape, density)};
  }
  SolidMass operator()(const CylinderShape& shape) const {
    return {.about_centre = solid_cylinder(shape.radius, shape.half_length, density)};
  }
  SolidMass operator()(const ConvexShape& shape) const {
    if (!shape.hull) throw GeometryError("the convex shape has no hull: make_hull makes one");
    return compute_hull(*shape.hull, density);
  }
  SolidMass operator()(const MeshShape& shape) const {
    if (!shape.mesh) throw GeometryError("the mesh shape has no mesh: make_mesh makes one");
    return compute_mesh(*shape.mesh, density);
  }
  template <class Unbounded>
  SolidMass operator()(const Unbounded& shape) const {
    throw GeometryError(fmt::format("a {} has no volume: mass comes from closed shapes only",
                                    name_of(Geometry(shape))));
  }
};

}  // namespace

SolidMass compute_solid_mass(const Geometry& geometry, double density) {
  if (!(density > 0.0) || !std::isfinite(density))
    throw GeometryError(fmt::format("the density is {}: it must be finite and > 0", density));
  return std::visit(Solid{density}, geometry);
}

SolidMass move_solid(const SolidMass& solid, const Frame& pose) {
  const Mat3 R = pose.R.toRotationMatrix();
  const Mat3 inertia = R * solid.about_centre.inertia * R.transpose();
  return {.about_centre = {.mass = solid.about_centre.mass,
                           .inertia = 0.5 * (inertia + inertia.transpose())},
          .centre = pose.p + R * solid.centre};
}

// The centre is the mean of the centres by mass; inertias are moved there by Steiner's theorem.
// Distances are taken from the first centre, for digits.
SolidMass add_solids(std::span<const SolidMass> solids) {
  if (solids.empty()) throw GeometryError("no solids to add: it takes at least one");
  double mass = 0.0;
  Vec3 moment = Vec3::Zero();
  for (const SolidMass& solid : solids) {
    mass += solid.about_centre.mass;
    moment += solid.about_centre.mass * (solid.centre - solids[0].centre);
  }
  const Vec3 centre = moment / mass;
  Mat3 inertia = Mat3::Zero();
  for (const SolidMass& solid : solids)
    inertia +=
        solid.about_centre.inertia +
        compute_point_inertia(solid.about_centre.mass, solid.centre - solids[0].centre - centre);
  return {.about_centre = {.mass = mass, .inertia = inertia}, .centre = solids[0].centre + centre};
}

}  // namespace ligament
