// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ligament/collision/gjk.h"
#include "ligament/collision/nearest_point.h"
#include "ligament/collision/refine.h"
#include "ligament/collision/surface.h"

namespace ligament {
namespace {

// Sines of angles below this are none: what leans so little over an edge does not lean.
constexpr double no_lean = 1e-7;

enum class Lean { none, over_a_ridge, off_the_surface };

bool is_ridge(const SurfaceTriangle& t, std::size_t k) {
  return t.beyond[k].dot(find_outward(t, k)) > no_lean;
}

// How a direction leans over the edges of a triangle.                                     [CO.10]
Lean find_lean(const SurfaceTriangle& t, const Vec3& m) {
  Lean lean = Lean::none;
  for (std::size_t k = 0; k < 3; ++k) {
    if (m.dot(find_outward(t, k)) <= no_lean) continue;
    const Vec3 e = (t.corners[(k + 1) % 3] - t.corners[k]).normalized();
    if (!is_ridge(t, k) || m.dot(e.cross(t.beyond[k])) > no_lean) return Lean::off_the_surface;
    lean = Lean::over_a_ridge;
  }
  return m.dot(t.normal) > -no_lean ? lean : Lean::off_the_surface;
}

Convex make_flat(const SurfaceTriangle& t) {
  Convex flat{.core = Core::triangle, .vertices = t.corners};
  for (const Vec3& corner : t.corners) flat.half = flat.half.cwiseMax(corner.cwiseAbs());
  return flat;
}

// Straight edges and normals of faces of a body: directions that can decide.
template <class Visit>
void for_each_axis(const Convex& body, const Visit& visit) {
  if (body.core == Core::segment || body.core == Core::cylinder) visit(body.R.col(2));
  if (body.core == Core::box)
    for (int i = 0; i < 3; ++i) visit(body.R.col(i));
  if (body.core == Core::hull)
    for (const Hull::Edge& edge : body.hull->edges)
      visit((body.R * (body.vertices[static_cast<std::size_t>(edge.b)] -
                       body.vertices[static_cast<std::size_t>(edge.a)]))
                .normalized());
}

struct WayOut {
  Vec3 m;    // a surface normal
  double s;  // [m] the separation along it
};

// The surface normal of a triangle along which an overlapping body leaves it soonest.
WayOut find_way_out(const SurfaceTriangle& t, const Convex& flat, const Convex& body) {
  WayOut best{t.normal, compute_separation(flat, body, t.normal)};
  const double handicap = 1e-9 * body.half.norm();
  const auto attempt = [&](const Vec3& m) {
    if (find_lean(t, m) != Lean::over_a_ridge) return;
    const double s = compute_separation(flat, body, m);
    if (s > best.s + handicap) best = {m, s};
  };
  const auto attempt_both = [&](const Vec3& m) {
    const double length = m.norm();
    if (length < 1e-7) return;
    attempt(m / length);
    attempt(-m / length);
  };
  bool has_ridge = false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!is_ridge(t, k)) continue;
    has_ridge = true;
    attempt(t.beyond[k]);
  }
  if (!has_ridge) return best;
  for_each_axis(body, [&](const Vec3& axis) {
    if (body.core != Core::segment) attempt_both(axis);
    for (std::size_t k = 0; k < 3; ++k)
      attempt_both((t.corners[(k + 1) % 3] - t.corners[k]).cross(axis));
  });
  return best;
}

// A body that would sooner leave sideways, over a ridge, than along the normals is more beside the
// triangle than in it: the contact is the neighbour's. (Over a flat edge both have it.)
bool is_beside(const SurfaceTriangle& t, const Convex& flat, const Convex& body, double s) {
  for (std::size_t k = 0; k < 3; ++k)
    if (is_ridge(t, k) && compute_separation(flat, body, find_outward(t, k)) > s) return true;
  return false;
}

bool has_vertex(const SurfaceTriangle& t, int id) {
  return std::ranges::find(t.ids, id) != t.ids.end();
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

// Centres below the surface, but not through it, are pushed out the way they came.
bool SurfaceContacts::find_point_touch(const Convex& body, double margin, Touch& touch) const {
  const SurfaceTriangle& t = touch.triangle;
  const double height = t.normal.dot(body.p - t.corners[0]);
  if (height < -body.radius || height - body.radius > margin) return false;
  const OnTriangle on = find_on_triangle(t.corners[0], t.corners[1], t.corners[2], body.p);
  touch.m = t.normal;
  touch.on_surface = true;
  double distance = height;
  if (on.corners < 3) {
    const Vec3 d = body.p - on.y;
    distance = d.norm();
    if (distance - body.radius > margin || height <= 0.0) return false;
    touch.m = d / distance;
    const Lean lean = find_lean(t, touch.m);
    touch.on_surface = lean != Lean::off_the_surface;
    if (lean == Lean::none) touch.m = t.normal;
  }
  touch.gap = distance - body.radius;
  touch.x = body.p;
  touch.y = on.y;
  touch.apart = true;
  return true;
}

bool SurfaceContacts::find_touch(const Convex& body, double margin, Touch& touch) const {
  if (body.core == Core::point) return find_point_touch(body, margin, touch);
  const SurfaceTriangle& t = touch.triangle;
  const double reach = body.half.norm() + body.radius;
  const double height = t.normal.dot(body.p - t.corners[0]);
  if (height < -reach || height - reach > margin) return false;
  // A body that is wholly below the plane of the triangle is none of its business.
  if (t.normal.dot(find_support(body, t.normal) - t.corners[0]) + body.radius < 0.0) return false;
  const Convex flat = make_flat(t);
  if (compute_separation(flat, body, t.normal) - body.radius > margin) return false;
  const Nearest nearest = find_nearest(body, flat);
  touch.apart = !nearest.overlap && nearest.distance > 1e-10 * reach;
  if (!touch.apart) {
    const WayOut out = find_way_out(t, flat, body);
    touch.on_surface = !is_beside(t, flat, body, out.s);
    touch.m = out.m;
    touch.gap = out.s - body.radius;
    return true;
  }
  if (nearest.distance - body.radius > margin) return false;
  touch.gap = nearest.distance - body.radius;
  touch.m = (nearest.a - nearest.b).normalized();
  touch.x = nearest.a;
  touch.y = nearest.b;
  // Round bodies, faces that are nearly parallel and points very near to each other tell no exact
  // direction.
  if (body.core == Core::cylinder || nearest.distance < 1e-5 * reach ||
      compute_separation(flat, body, touch.m) < nearest.distance - 1e-11 * reach)
    touch.gap = refine_normal(flat, body, touch.m) - body.radius;
  const Lean lean = find_lean(t, touch.m);
  touch.on_surface = lean != Lean::off_the_surface;
  if (lean == Lean::none) touch.m = t.normal;
  // The neighbour is nearer, but corners of the body may stand over this triangle.
  touch.corners_only = !touch.on_surface && touch.m.dot(t.normal) > -0.1;
  // Behind the triangle, over its inside: it goes back the way it came.
  if (touch.m.dot(t.normal) < -1.0 + 1e-9) {
    touch.on_surface = true;
    touch.apart = false;
    touch.m = t.normal;
    touch.gap = compute_separation(flat, body, t.normal) - body.radius;
  }
  return true;
}

void SurfaceContacts::sort_by_vertex() {
  at_vertex_.clear();
  for (std::size_t i = 0; i < touches_.size(); ++i)
    for (const int id : touches_[i].triangle.ids) at_vertex_.push_back({id, static_cast<int>(i)});
  std::ranges::sort(at_vertex_, {}, [](const AtVertex& a) { return std::pair(a.vertex, a.touch); });
}

std::span<const SurfaceContacts::AtVertex> SurfaceContacts::touches_at(int vertex) const {
  const auto first = std::ranges::lower_bound(at_vertex_, vertex, {}, &AtVertex::vertex);
  auto last = first;
  while (last != at_vertex_.end() && last->vertex == vertex) ++last;
  return {first, last};
}

// A corner or an edge that another triangle has too, and this one is nearer elsewhere, is not where
// the surface is nearest.
bool SurfaceContacts::is_nearest_at_its_corners(const Touch& touch, const Convex& body) const {
  if (touch.m == touch.triangle.normal) return true;
  Feature feature;
  const Convex flat = make_flat(touch.triangle);
  find_feature(flat, touch.m, feature, 1e-6);
  if (feature.count == 3) return true;
  const double tie = 1e-9 * (body.half.norm() + body.radius);
  const auto& ids = touch.triangle.ids;
  return std::ranges::none_of(touches_at(ids[feature[0].id]), [&](const AtVertex& at) {
    const Touch& other = touches_[static_cast<std::size_t>(at.touch)];
    return other.gap < touch.gap - tie &&
           (feature.count == 1 || has_vertex(other.triangle, ids[feature[1].id]));
  });
}

// Triangles of one plane are one face: if one of them lets an overlapping body out sooner, over a
// ridge at the border of the face, the others do not hold it back. From the largest gap on, so that
// each is told once.
void SurfaceContacts::defer_to_flat_neighbours(double tie) {
  const auto leans = [](const Touch& touch) {
    return !touch.apart && touch.m != touch.triangle.normal;
  };
  if (std::ranges::none_of(touches_, leans)) return;
  by_gap_.resize(touches_.size());
  std::iota(by_gap_.begin(), by_gap_.end(), std::size_t{0});
  std::ranges::sort(by_gap_, {}, [&](std::size_t i) { return std::pair(-touches_[i].gap, i); });
  for (const std::size_t i : by_gap_)
    if (!touches_[i].apart && !touches_[i].deferred) defer_from(i, tie);
}

void SurfaceContacts::defer_from(std::size_t best, double tie) {
  reached_.assign(1, best);
  while (!reached_.empty()) {
    const SurfaceTriangle& t = touches_[reached_.back()].triangle;
    const double gap = touches_[reached_.back()].gap;
    reached_.pop_back();
    for (std::size_t k = 0; k < 3; ++k) {
      if (t.beyond[k].dot(t.normal) <= 1.0 - no_lean) continue;
      for (const AtVertex& at : touches_at(t.ids[k])) {
        Touch& other = touches_[static_cast<std::size_t>(at.touch)];
        if (other.apart || other.gap >= gap - tie ||
            !has_vertex(other.triangle, t.ids[(k + 1) % 3]))
          continue;
        other.on_surface = false;
        other.deferred = true;
        other.gap = gap;
        reached_.push_back(static_cast<std::size_t>(at.touch));
      }
    }
  }
}

// Corners of the body keep their name from triangle to triangle; what involves the triangle's own
// corners and edges has its number in it.
void SurfaceContacts::add_points(const Touch& touch, const Convex& body, double margin) {
  const Vec3& m = touch.m;
  Candidates candidates;
  if (body.core != Core::point) {
    const Convex flat = make_flat(touch.triangle);
    Feature of_body, of_triangle;
    find_feature(body, -m, of_body);
    find_feature(flat, m, of_triangle);
    overlay(of_body, of_triangle, -m, margin, body.radius, 0.0, candidates);
  }
  const double tie = 1e-10 * (body.half.norm() + body.radius);
  const bool deep_enough = std::ranges::any_of(
      candidates.all(), [&](const ManifoldPoint& point) { return point.gap <= touch.gap + tie; });
  if (touch.apart && !touch.corners_only && !deep_enough)
    candidates.add({touch.x - body.radius * m, touch.y, touch.gap, 0});
  constexpr std::uint64_t own_corner = 1;  // Origin::corner_a
  for (ManifoldPoint& point : candidates.all()) {
    if (touch.corners_only && (point.feature >> 60 != own_corner || point.gap < 0.0)) continue;
    const auto index = static_cast<std::uint64_t>(touch.triangle.index);
    if (point.feature >> 60 > own_corner)
      point.feature = mix(point.feature + index * 0x9e3779b97f4a7c15) | std::uint64_t{1} << 62;
    candidates_.push_back({point, -m});
  }
}

void SurfaceContacts::choose(double size) {
  chosen_.clear();
  constexpr int most_directions = 8;
  constexpr double one_direction = 0.99;  // cosine
  const double tie = 1e-10 * size, same_place = 1e-6 * size;
  for (int direction = 0; direction < most_directions && !candidates_.empty(); ++direction) {
    const Vec3 n = std::ranges::min_element(candidates_, {}, [](const SurfacePoint& candidate) {
                     return std::pair(candidate.point.gap, candidate.point.feature);
                   })->n;
    const auto others = std::partition(
        candidates_.begin(), candidates_.end(),
        [&](const SurfacePoint& candidate) { return candidate.n.dot(n) > one_direction; });
    group_.clear();
    for (auto it = candidates_.begin(); it != others; ++it) group_.push_back(it->point);
    Manifold manifold;
    manifold.n = n;
    choose_points(group_, tie, manifold);
    for (int i = 0; i < manifold.count; ++i) {
      const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(i)];
      const bool known = std::ranges::any_of(chosen_, [&](const SurfacePoint& kept) {
        return kept.n.dot(n) > one_direction && (kept.point.x - point.x).norm() < same_place;
      });
      if (known) continue;
      const auto source = std::find_if(candidates_.begin(), others, [&](const SurfacePoint& c) {
        return c.point.feature == point.feature && c.point.gap == point.gap;
      });
      chosen_.push_back({point, source->n});
    }
    candidates_.erase(candidates_.begin(), others);
  }
  // One corner can touch in several directions.
  for (std::size_t i = 0; i < chosen_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (chosen_[i].point.feature == chosen_[j].point.feature)
        chosen_[i].point.feature = mix(chosen_[i].point.feature + i) | std::uint64_t{1} << 62;
}

std::span<const SurfacePoint> SurfaceContacts::find(const Surface& surface, const Convex& body,
                                                    double margin) {
  candidates_.clear();
  // About the body: its own place is the origin, for the sake of digits.
  Convex here = body;
  here.p.setZero();
  Vec3 reach = Vec3::Constant(body.radius + margin);
  reach += body.R.cwiseAbs() * body.half;
  const Bounds box{body.p - reach, body.p + reach};
  touches_.clear();
  surface.for_each_triangle(box, [&](int index) {
    Touch touch{.triangle = surface.triangle(index), .x = {}, .y = {}};
    for (Vec3& corner : touch.triangle.corners) corner -= body.p;
    if (find_touch(here, margin, touch)) touches_.push_back(touch);
  });
  sort_by_vertex();
  defer_to_flat_neighbours(1e-9 * (body.half.norm() + body.radius));
  for (Touch& touch : touches_) {
    if (touch.corners_only) touch.m = touch.triangle.normal;
    if (touch.corners_only || (touch.on_surface && is_nearest_at_its_corners(touch, here)))
      add_points(touch, here, margin);
  }
  choose(body.half.norm() + body.radius);
  for (SurfacePoint& kept : chosen_) {
    kept.point.x += body.p;
    kept.point.y += body.p;
  }
  return chosen_;
}

}  // namespace ligament
