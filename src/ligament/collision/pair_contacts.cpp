// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/pair_contacts.h"

#include <utility>

namespace ligament {

// Positions are relative to the first shape until the end: 10 km from the origin a sum of two still
// has its last digits.
void PairContacts::find_convex(const PlacedShape& a, const PlacedShape& b, const Reach& reach) {
  const Convex &ca = a.convex, &cb = b.convex;
  if (ca.core == Core::point && cb.core == Core::point) {
    const Vec3 d = cb.p - ca.p;
    const double together = ca.radius + cb.radius + reach.most(), distance2 = d.squaredNorm();
    if (distance2 > together * together) return;
    const double distance = std::sqrt(distance2);
    const Vec3 n = distance > 0.0 ? Vec3(d / distance) : Vec3(Vec3::UnitZ());
    points_.push_back(
        {{ca.p + ca.radius * n, cb.p - cb.radius * n, distance - ca.radius - cb.radius, 0}, n});
    return;
  }
  Convex here = ca, there = cb;
  here.p.setZero();
  there.p = cb.p - ca.p;
  Separation nearest;
  if (!find_separation(here, there, reach, nearest)) return;
  Manifold manifold;
  build_manifold(here, there, nearest, reach.along(nearest.n), manifold);
  add(manifold, ca.p);
}

void PairContacts::find_on_plane(const PlacedShape& plane, const PlacedShape& body, double margin) {
  Vec3 n = plane.convex.R.col(2);
  const double height = n.dot(body.convex.p - plane.convex.p);
  if (plane.kind == ShapeClass::plane && height < 0.0) n = -n;
  if ((plane.kind == ShapeClass::plane ? std::abs(height) : height) - body.reach > margin) return;
  Convex there = body.convex;
  there.p.setZero();
  Manifold manifold;
  build_manifold_on_plane(n, n.dot(plane.convex.p - body.convex.p), there, margin, manifold);
  add(manifold, body.convex.p);
}

void PairContacts::find_in_cavity(const PlacedShape& cavity, const PlacedShape& body,
                                  double margin) {
  const Vec3& centre = cavity.convex.p;
  const double radius = cavity.convex.radius;
  Convex there = body.convex;
  there.p = body.convex.p - centre;
  if (radius - there.p.norm() - body.reach > margin) return;
  Manifold manifold;
  build_manifold_in_cavity(radius, there, margin, manifold);
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(i)];
    points_.push_back(
        {{centre + point.x, centre + point.y, point.gap, point.feature}, -point.x / radius});
  }
}

void PairContacts::find_on_surface(const PlacedShape& surface, const PlacedShape& body,
                                   double margin) {
  const Mat3& R = surface.convex.R;
  const Vec3& p = surface.convex.p;
  Convex there = body.convex;
  there.p = R.transpose() * (body.convex.p - p);
  there.R = R.transpose() * body.convex.R;
  for (const SurfacePoint& found : surface_contacts_.find(*surface.surface, there, margin)) {
    const ManifoldPoint& point = found.point;
    points_.push_back({{p + R * point.x, p + R * point.y, point.gap, point.feature}, R * found.n});
  }
}

void PairContacts::add(const Manifold& manifold, const Vec3& origin) {
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(i)];
    points_.push_back({{origin + point.x, origin + point.y, point.gap, point.feature}, manifold.n});
  }
}

void PairContacts::turn_around() {
  for (PairPoint& found : points_) {
    std::swap(found.point.x, found.point.y);
    found.n = -found.n;
  }
}

void PairContacts::find_all(const PlacedShape& a, const PlacedShape& b, const Reach& reach) {
  const bool convex_a = a.kind == ShapeClass::convex, convex_b = b.kind == ShapeClass::convex;
  if (!convex_a && !convex_b) return;
  if (convex_a && convex_b) return find_convex(a, b, reach);
  const double margin = reach.most();
  const PlacedShape &body = convex_a ? a : b, &other = convex_a ? b : a;
  bool other_first = true;
  if (other.kind == ShapeClass::surface) {
    find_on_surface(other, body, margin);
    other_first = false;
  } else if (other.kind == ShapeClass::cavity) {
    find_in_cavity(other, body, margin);
  } else {
    find_on_plane(other, body, margin);
  }
  if (other_first == convex_a) turn_around();
}

std::span<const PairPoint> PairContacts::find(const PlacedShape& a, const PlacedShape& b,
                                              const Reach& reach) {
  points_.clear();
  find_all(a, b, reach);
  std::erase_if(points_,
                [&](const PairPoint& found) { return found.point.gap > reach.along(found.n); });
  return points_;
}

}  // namespace ligament
