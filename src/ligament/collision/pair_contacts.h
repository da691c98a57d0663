// SPDX-License-Identifier: Apache-2.0
// The contacts of two placed shapes, whatever they are.
#pragma once

#include "ligament/collision/placed_shape.h"

namespace ligament {

struct PairPoint {
  ManifoldPoint point;  // x on a, y on b, world
  Vec3 n;               // unit, from a to b
};

class PairContacts {
 public:
  // Points with a gap up to the reach along their normal, valid until the next call. Two shapes of
  // which none is convex have no contacts.
  std::span<const PairPoint> find(const PlacedShape& a, const PlacedShape& b, const Reach& reach);

 private:
  void find_all(const PlacedShape& a, const PlacedShape& b, const Reach& reach);
  void find_convex(const PlacedShape& a, const PlacedShape& b, const Reach& reach);
  void find_on_plane(const PlacedShape& plane, const PlacedShape& body, double margin);
  void find_in_cavity(const PlacedShape& cavity, const PlacedShape& body, double margin);
  void find_on_surface(const PlacedShape& surface, const PlacedShape& body, double margin);
  void add(const Manifold& manifold, const Vec3& origin);
  void turn_around();

  SurfaceContacts surface_contacts_;
  std::vector<PairPoint> points_;
};

}  // namespace ligament
