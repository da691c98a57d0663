// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/manifold.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ligament {
namespace {

// How a point of the overlap came about, in the two upper bits of its feature.
enum class Origin : std::uint64_t { nearest = 0, corner_a = 1, corner_b = 2, crossing = 3 };

std::uint64_t make_feature(Origin origin, int i, int j = 0, int k = 0, int l = 0) {
  const auto bits = [](int id) { return static_cast<std::uint64_t>(id) & 0x7fff; };
  return static_cast<std::uint64_t>(origin) << 60 | bits(i) << 45 | bits(j) << 30 | bits(k) << 15 |
         bits(l);
}

// An edge of the clipped polygon: of the polygon itself (the subject) or of the one that cut it.
struct EdgeLabel {
  bool cut = false;
  int from = 0, to = 0;  // ids of its corners
};

struct ClipCorner {
  Vec3 x;
  EdgeLabel leaving;  // the edge to the next corner
};

struct Polygon {
  std::array<ClipCorner, 2 * most_corners> corners;
  int count = 0;

  void add(const ClipCorner& corner) {
    if (count < static_cast<int>(corners.size()))
      corners[static_cast<std::size_t>(count++)] = corner;
  }
  const ClipCorner& operator[](int i) const { return corners[static_cast<std::size_t>(i)]; }
};

// Sutherland and Hodgman: one half-space m·x ≤ offset. A corner within `slack` [m] of its border is
// inside: one on the border of two triangles is in both, not in none.
void clip(const Polygon& in, const Vec3& m, double offset, double slack, const EdgeLabel& label,
          Polygon& out) {
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const ClipCorner &from = in[i], &to = in[(i + 1) % in.count];
    const double d_from = m.dot(from.x) - offset, d_to = m.dot(to.x) - offset;
    if (d_from <= slack) out.add(from);
    if ((d_from <= slack) == (d_to <= slack)) continue;
    const double along = std::clamp(d_from / (d_from - d_to), 0.0, 1.0);
    // Going out, the polygon follows the cut; coming in, the edge that it was on.
    out.add({from.x + along * (to.x - from.x), d_from <= slack ? label : from.leaving});
  }
}

// A face as a plane: heights along n are linear over it.
struct Plane {
  Vec3 normal;
  Vec3 through;
};
Plane fit_plane(const Feature& face, const Vec3& n) {
  Vec3 area = Vec3::Zero(), centre = Vec3::Zero();
  for (int i = 0; i < face.count; ++i) {
    area += (face[i].x - face[0].x).cross(face[(i + 1) % face.count].x - face[0].x);
    centre += face[i].x / face.count;
  }
  if (area.squaredNorm() == 0.0) return {n, centre};
  return {area.normalized(), centre};
}
Vec3 project_along(const Vec3& n, const Vec3& x, const Plane& plane) {
  return x + plane.normal.dot(plane.through - x) / plane.normal.dot(n) * n;
}

// Whether the corners go around n counter-clockwise.
bool turns_left(const Feature& face, const Vec3& n) {
  Vec3 area = Vec3::Zero();
  for (int i = 1; i + 1 < face.count; ++i)
    area += (face[i].x - face[0].x).cross(face[i + 1].x - face[0].x);
  return area.dot(n) > 0.0;
}

// The feature of a corner between two edges: of the subject, of the cutter, or a crossing.
std::uint64_t name_corner(const EdgeLabel& before, const EdgeLabel& after, bool cutter_is_a) {
  const Origin of_cutter = cutter_is_a ? Origin::corner_a : Origin::corner_b;
  const Origin of_subject = cutter_is_a ? Origin::corner_b : Origin::corner_a;
  if (before.cut && after.cut)
    return make_feature(of_cutter, before.to == after.from ? before.to : before.from);
  if (!before.cut && !after.cut) return make_feature(of_subject, after.from);
  const EdgeLabel& cut = before.cut ? before : after;
  const EdgeLabel& own = before.cut ? after : before;
  const auto [c0, c1] = std::minmax(cut.from, cut.to);
  const auto [s0, s1] = std::minmax(own.from, own.to);
  return cutter_is_a ? make_feature(Origin::crossing, c0, c1, s0, s1)
                     : make_feature(Origin::crossing, s0, s1, c0, c1);
}

struct Overlay {
  const Feature& a;
  const Feature& b;
  const Vec3& n;
  double margin, radius_a, radius_b;
  Candidates& candidates;

  // x and y on the cores.
  void add(const Vec3& x, const Vec3& y, double gap, std::uint64_t feature) const {
    if (gap > margin) return;
    candidates.add({x + radius_a * n, y - radius_b * n, gap, feature});
  }

  // A face cuts a face or an edge.
  void cut(const Feature& cutter, const Feature& subject, bool cutter_is_a) const {
    Polygon one, other;
    Polygon *now = &one, *next = &other;
    for (int i = 0; i < subject.count; ++i)
      now->add({subject[i].x, {false, subject[i].id, subject[(i + 1) % subject.count].id}});
    const bool left = turns_left(cutter, n);
    for (int i = 0; i < cutter.count && now->count > 0; ++i) {
      const FeaturePoint &from = cutter[i], &to = cutter[(i + 1) % cutter.count];
      Vec3 out = (to.x - from.x).cross(n);
      const double length = out.norm();
      if (!(length > 0.0)) continue;
      out *= (left ? 1.0 : -1.0) / length;
      clip(*now, out, out.dot(from.x), 1e-10 * length, {true, from.id, to.id}, *next);
      std::swap(now, next);
    }
    const Plane plane = fit_plane(cutter, n);
    for (int i = 0; i < now->count; ++i) {
      const Vec3& x = (*now)[i].x;
      const Vec3 foot = project_along(n, x, plane);
      const double gap = (cutter_is_a ? n.dot(x - foot) : n.dot(foot - x)) - radius_a - radius_b;
      const std::uint64_t feature = name_corner((*now)[(i + now->count - 1) % now->count].leaving,
                                                (*now)[i].leaving, cutter_is_a);
      cutter_is_a ? add(foot, x, gap, feature) : add(x, foot, gap, feature);
    }
  }

  // Two edges that are nearly parallel share a stretch.
  void share() const {
    const Vec3 u = (a[1].x - a[0].x).normalized();
    Vec3 v = b[1].x - b[0].x;
    const double length_b = v.norm();
    v /= length_b;
    // Sharp edges that cross at an angle meet in a point; round ones, apart, come near each other
    // on a stretch.
    const bool round =
        radius_a + radius_b > 0.0 && n.dot(b[0].x - a[0].x) > 0.0 && n.dot(b[1].x - a[1].x) > 0.0;
    if (u.cross(v).norm() > (round ? flat_sine : 1e-3)) return;
    const bool along = u.dot(v) > 0.0;
    const double a0 = 0.0, a1 = (a[1].x - a[0].x).norm();
    double b0 = u.dot(b[0].x - a[0].x), b1 = u.dot(b[1].x - a[0].x);
    const int id_b0 = along ? b[0].id : b[1].id, id_b1 = along ? b[1].id : b[0].id;
    if (!along) std::swap(b0, b1);
    const double low = std::max(a0, b0), high = std::min(a1, b1);
    if (!(low < high)) return;
    // Ends that lie beside each other are named after A: rounding does not choose.
    const double beside = 1e-10 * (a1 + length_b);
    const bool low_of_a = a0 > b0 - beside, high_of_a = a1 < b1 + beside;
    const auto place = [&](double t, std::uint64_t feature) {
      const Vec3 x = a[0].x + t * u;
      const double on_b = std::clamp(u.dot(x - b[0].x) / u.dot(v), 0.0, length_b);
      const Vec3 y = b[0].x + on_b * v;
      // Round edges that cross at an angle are farther apart at the ends than n tells.
      const Vec3 d = y - x, aside = d - n.dot(d) * n;
      // Parallel, but past each other: of a triangle and a body that meet elsewhere.
      if (!round && aside.norm() > 2e-3 * std::max(a1, length_b)) return;
      const double gap =
          (round ? std::hypot(n.dot(d), aside.norm()) : n.dot(d)) - radius_a - radius_b;
      add(x, x + (gap + radius_a + radius_b) * n, gap, feature);
    };
    place(low, low_of_a ? make_feature(Origin::corner_a, a[0].id)
                        : make_feature(Origin::corner_b, id_b0));
    place(high, high_of_a ? make_feature(Origin::corner_a, a[1].id)
                          : make_feature(Origin::corner_b, id_b1));
  }
};

// The nearest pair of points, named after the corners or edges that it is on.
ManifoldPoint make_witness(const Convex& a, const Convex& b, const Separation& nearest) {
  constexpr double exact = 1e-7;
  Feature of_a, of_b;
  find_feature(a, nearest.n, of_a, exact);
  find_feature(b, -nearest.n, of_b, exact);
  std::uint64_t feature = make_feature(Origin::nearest, 0);
  if (of_a.count == 1)
    feature = make_feature(Origin::corner_a, of_a[0].id);
  else if (of_b.count == 1)
    feature = make_feature(Origin::corner_b, of_b[0].id);
  else if (of_a.count == 2 && of_b.count == 2)
    feature = make_feature(Origin::crossing, of_a[0].id, of_a[1].id, of_b[0].id, of_b[1].id);
  const auto [x, y] = find_nearest_pair(a, b, nearest);
  return {x + a.radius * nearest.n, y - b.radius * nearest.n, nearest.gap, feature};
}

Vec3 across(const Vec3& d, const Vec3& n) { return d - n.dot(d) * n; }

// The index of the largest value; of those within `tie` of it the first.
template <class Value>
int find_largest(int count, double tie, const Value& value) {
  double most = value(0);
  for (int i = 1; i < count; ++i) most = std::max(most, value(i));
  int best = 0;
  while (value(best) < most - tie) ++best;
  return best;
}

}  // namespace

void choose_points(std::span<ManifoldPoint> candidates, double tie, Manifold& manifold) {
  std::ranges::sort(candidates, {},
                    [](const ManifoldPoint& point) { return std::pair(point.feature, point.gap); });
  const auto repeated = std::unique(candidates.begin(), candidates.end(),
                                    [](const ManifoldPoint& one, const ManifoldPoint& other) {
                                      return one.feature == other.feature;
                                    });
  const int count = static_cast<int>(repeated - candidates.begin());
  const auto at = [&](int i) -> const ManifoldPoint& {
    return candidates[static_cast<std::size_t>(i)];
  };
  manifold.count = 0;
  const auto keep = [&](int i) {
    manifold.points[static_cast<std::size_t>(manifold.count++)] = at(i);
  };
  if (count <= most_points) {
    for (int i = 0; i < count; ++i) keep(i);
    return;
  }
  const Vec3& n = manifold.n;
  const int deepest = find_largest(count, tie, [&](int i) { return -at(i).gap; });
  const auto from_first = [&](int i) -> Vec3 { return across(at(i).y - at(deepest).y, n); };
  const int farthest = find_largest(count, tie, [&](int i) { return from_first(i).norm(); });
  const Vec3 side = n.cross(from_first(farthest)).normalized();
  const int left = find_largest(count, tie, [&](int i) { return side.dot(from_first(i)); });
  const int right = find_largest(count, tie, [&](int i) { return -side.dot(from_first(i)); });
  std::array<int, most_points> chosen{deepest, farthest, left, right};
  std::sort(chosen.begin(), chosen.end());
  const auto last = std::unique(chosen.begin(), chosen.end());
  for (auto i = chosen.begin(); i != last; ++i) keep(*i);
}

void overlay(const Feature& a, const Feature& b, const Vec3& n, double margin, double radius_a,
             double radius_b, Candidates& candidates) {
  const Overlay over{a, b, n, margin, radius_a, radius_b, candidates};
  if (a.count < 3 && b.count < 3) {
    if (a.count == 2 && b.count == 2) over.share();
    return;
  }
  const bool cutter_is_a = a.count > 2 && (b.count <= 2 || a.count <= b.count);
  over.cut(cutter_is_a ? a : b, cutter_is_a ? b : a, cutter_is_a);
}

void build_manifold(const Convex& a, const Convex& b, const Separation& nearest, double margin,
                    Manifold& manifold) {
  manifold.n = nearest.n;
  manifold.count = 0;
  if (a.core == Core::point || b.core == Core::point) {
    const Vec3& n = nearest.n;
    const Vec3 x =
        a.core == Core::point ? Vec3(a.p + a.radius * n) : Vec3(b.p - (b.radius + nearest.gap) * n);
    manifold.points[0] = {x, x + nearest.gap * n, nearest.gap, make_feature(Origin::nearest, 0)};
    manifold.count = 1;
    return;
  }
  Feature feature_a, feature_b;
  find_feature(a, nearest.n, feature_a);
  find_feature(b, -nearest.n, feature_b);
  Candidates candidates;
  overlay(feature_a, feature_b, nearest.n, margin, a.radius, b.radius, candidates);
  const double tie = 1e-10 * (a.half.norm() + b.half.norm());
  bool deep_enough = false;
  for (const ManifoldPoint& point : candidates.all()) deep_enough |= point.gap <= nearest.gap + tie;
  if (!deep_enough) candidates.add(make_witness(a, b, nearest));
  choose_points(candidates.all(), tie, manifold);
}

void build_manifold_on_plane(const Vec3& n, double offset, const Convex& b, double margin,
                             Manifold& manifold) {
  manifold.n = n;
  manifold.count = 0;
  Feature feature;
  find_lowest(b, -n, feature);
  Candidates candidates;
  for (int i = 0; i < feature.count; ++i) {
    const double height = n.dot(feature[i].x) - offset, gap = height - b.radius;
    if (gap > margin) continue;
    candidates.add({feature[i].x - height * n, feature[i].x - b.radius * n, gap,
                    make_feature(Origin::corner_b, feature[i].id)});
  }
  choose_points(candidates.all(), 1e-10 * b.half.norm(), manifold);
}

void build_manifold_in_cavity(double radius, const Convex& b, double margin, Manifold& manifold) {
  manifold.count = 0;
  Feature feature;
  find_farthest(b, feature);
  Candidates candidates;
  double deepest = margin;
  for (int i = 0; i < feature.count; ++i) {
    const double distance = feature[i].x.norm(), gap = radius - distance - b.radius;
    if (gap > margin) continue;
    // In the centre all directions are alike.
    const Vec3 out = distance > 0.0 ? Vec3(feature[i].x / distance) : Vec3(-Vec3::UnitZ());
    if (candidates.count == 0 || gap < deepest) deepest = gap, manifold.n = -out;
    candidates.add({radius * out, (distance + b.radius) * out, gap,
                    make_feature(Origin::corner_b, feature[i].id)});
  }
  choose_points(candidates.all(), 1e-10 * (b.half.norm() + b.radius), manifold);
}

}  // namespace ligament
