// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/separation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "ligament/collision/epa.h"
#include "ligament/collision/gjk.h"
#include "ligament/collision/nearest_point.h"
#include "ligament/collision/refine.h"

namespace ligament {
namespace {

double size_of(const Convex& a, const Convex& b) { return a.half.norm() + b.half.norm(); }

// [m] Points that are closer than this tell no direction: the normal then comes from the surfaces.
double touching(const Convex& a, const Convex& b) { return 1e-10 * size_of(a, b); }

bool separate_point(const Convex& a, const Convex& b, const Reach& reach, Separation& out) {
  const NearestPoint nearest = find_nearest_point(b, a.p, Vec3::UnitZ());
  out = {nearest.n, nearest.distance - a.radius - b.radius};
  return out.gap <= reach.along(out.n);
}

// Whether a point is on a core, to 1e-7 of it. Not asked of hulls and triangles.
bool holds(const Convex& body, const Vec3& x) {
  const double slack = 1e-7 * body.half.norm();
  const Vec3 local = body.R.transpose() * (x - body.p);
  if (body.core == Core::cylinder)
    return local.head<2>().norm() <= body.half.x() + slack &&
           std::abs(local.z()) <= body.half.z() + slack;
  if (body.core == Core::hull || body.core == Core::triangle) return true;
  return ((local.cwiseAbs() - body.half).array() <= slack).all();
}

Segment segment_of(const Feature& edge) {
  const Vec3 d = edge[1].x - edge[0].x;
  const double length = d.norm();
  return {0.5 * (edge[0].x + edge[1].x), d / length, 0.5 * length};
}

Segment core_of(const Convex& body) { return {body.p, body.R.col(2), body.half.z()}; }

bool separate_segments(const Convex& a, const Convex& b, const Reach& reach, Separation& out) {
  const auto [x, y] = find_nearest_on_segments(core_of(a), core_of(b));
  const Vec3 d = y - x;
  const double distance = d.norm();
  if (distance - a.radius - b.radius > reach.most()) return false;
  Vec3 n;
  if (distance > touching(a, b)) {
    n = d / distance;
  } else {  // crossing: across both; in one line: across it
    const Vec3 across = a.R.col(2).cross(b.R.col(2));
    n = across.norm() > 1e-9 ? Vec3(across.normalized()) : Vec3(a.R.col(0));
    if (n.dot(b.p - a.p) < 0.0) n = -n;
  }
  out = {n, distance - a.radius - b.radius};
  return out.gap <= reach.along(n);
}

// The separating axes of boxes and segments.
struct Axis {
  Vec3 n = Vec3::UnitZ();
  double s = -std::numeric_limits<double>::infinity();
  bool out_of_reach = false;  // one of the axes separates by more than the reach
};

double extent(const Convex& body, const Vec3& n) {
  return body.half.dot((body.R.transpose() * n).cwiseAbs());
}

// u × v with all its digits, where u and v are nearly parallel and the products cancel (Kahan).
Vec3 cross_exactly(const Vec3& u, const Vec3& v) {
  const auto difference = [](double p, double q, double r, double s) {  // p q − r s
    const double rs = r * s, error = std::fma(-r, s, rs);
    return std::fma(p, q, -rs) + error;
  };
  return {difference(u.y(), v.z(), u.z(), v.y()), difference(u.z(), v.x(), u.x(), v.z()),
          difference(u.x(), v.y(), u.y(), v.x())};
}

// Face normals win over products of edges of the same separation, to a few roundings: what touches
// with faces should say so. And those of A win over those of B: two cards that lean on each other
// have two ways out that are as short.
Axis find_best_axis(const Convex& a, const Convex& b, const Reach& reach) {
  const Vec3 d = b.p - a.p;
  Axis best;
  const double handicap = 1e-11 * size_of(a, b);
  const auto attempt = [&](const Vec3& axis, double ahead) {
    const Vec3 n = axis.dot(d) < 0.0 ? Vec3(-axis) : axis;
    const double s = n.dot(d) - extent(a, n) - extent(b, n);
    if (s - a.radius - b.radius > reach.along(n)) best.out_of_reach = true;
    if (s > best.s + ahead) best.n = n, best.s = s;
  };
  if (a.core == Core::box)
    for (int i = 0; i < 3; ++i) attempt(a.R.col(i), 0.0);
  if (b.core == Core::box)
    for (int i = 0; i < 3; ++i) attempt(b.R.col(i), handicap);
  if (best.out_of_reach) return best;
  for (int i = a.core == Core::segment ? 2 : 0; i < 3; ++i)
    for (int j = b.core == Core::segment ? 2 : 0; j < 3; ++j) {
      Vec3 across = a.R.col(i).cross(b.R.col(j));
      if (across.squaredNorm() < 1e-8) across = cross_exactly(a.R.col(i), b.R.col(j));
      const double sine = across.norm();
      if (sine > 1e-12) attempt(across / sine, handicap);
    }
  return best;
}

// Where a body meets a face of another one well inside, neither GJK nor EPA is needed.
//
// Let n₀ be the normal of a face of A, a prism of half height l, and y a point of B at the height
// −δ_y over the face, with its foot inside the face, ρ from the rim. A − y contains the face and
// its opposite, and so all directions n at an angle θ from n₀ have
//
//     −s(n) ≥ δ_y cos θ + ρ sin θ                     for θ ≤ 90°,
//     −s(n) ≥ (2l − δ_y) |cos θ| + ρ sin θ            beyond.                             [CO.6]
//
// With −s(n₀) = δ ≤ ρ, l the best direction is thus within θ ≈ (δ − δ_y)/ρ of n₀, where
// refine_normal finds it.
struct FaceAxis {
  const Convex* owner = nullptr;
  Vec3 n = Vec3::UnitZ();  // from A to B
  double s = -std::numeric_limits<double>::infinity();
  int axis = 0;
};

FaceAxis find_best_face(const Convex& a, const Convex& b) {
  FaceAxis best;
  for (const Convex* owner : {&a, &b}) {
    const int first = owner->core == Core::box ? 0 : owner->core == Core::cylinder ? 2 : 3;
    const Vec3 d = owner == &a ? Vec3(b.p - a.p) : Vec3(a.p - b.p);
    for (int i = first; i < 3; ++i) {
      const double sign = owner->R.col(i).dot(d) < 0.0 ? -1.0 : 1.0;
      const Vec3 n = (owner == &a ? sign : -sign) * owner->R.col(i);
      const double s = compute_separation(a, b, n);
      if (s > best.s) best = {owner, n, s, i};
    }
  }
  return best;
}

// The middle of what faces a direction, to a hundredth.
Vec3 find_middle_support(const Convex& body, const Vec3& direction) {
  if (body.core == Core::hull || body.core == Core::triangle) return find_support(body, direction);
  constexpr double flat = 1e-2;
  const Vec3 d = body.R.transpose() * direction;
  Vec3 local = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (std::abs(d(i)) > flat) local(i) = d(i) < 0.0 ? -body.half(i) : body.half(i);
  if (body.core == Core::cylinder) {
    const double across = d.head<2>().norm();
    local.head<2>() = across > flat ? Eigen::Vector2d(body.half.x() / across * d.head<2>())
                                    : Eigen::Vector2d::Zero();
  }
  return body.p + body.R * local;
}

// [m] how far inside the face a point stands.
double find_room(const FaceAxis& face, const Vec3& y) {
  const Convex& body = *face.owner;
  const Vec3 local = body.R.transpose() * (y - body.p);
  if (body.core == Core::cylinder) return body.half.x() - local.head<2>().norm();
  const int j = (face.axis + 1) % 3, k = (face.axis + 2) % 3;
  return std::min(body.half(j) - std::abs(local(j)), body.half(k) - std::abs(local(k)));
}

// Whether the nearest point of one body stands over a face of the other: then no direction
// separates them by more than n, the normal of this face, does.
bool meets_face(const Convex& a, const Convex& b, const Vec3& n, double s) {
  for (const Convex* owner : {&a, &b}) {
    if (owner->core != Core::box) continue;
    const Vec3 outward = owner == &a ? n : Vec3(-n);
    const Convex& other = owner == &a ? b : a;
    Eigen::Index along = 0;
    if ((owner->R.transpose() * outward).cwiseAbs().maxCoeff(&along) < 1.0 - 1e-15) continue;
    const int axis = static_cast<int>(along);
    const FaceAxis face{.owner = owner, .n = n, .s = s, .axis = axis};
    const double nearest = s + 1e-13 * size_of(a, b);
    for (const Vec3& y : {find_middle_support(other, -outward), find_support(other, -outward)})
      if (find_room(face, y) >= 0.0 && outward.dot(y - owner->p) - owner->half(axis) <= nearest)
        return true;
  }
  return false;
}

bool separate_boxes(const Convex& a, const Convex& b, const Reach& reach, Separation& out) {
  const double radii = a.radius + b.radius;
  const Axis axis = find_best_axis(a, b, reach);
  if (axis.out_of_reach) return false;
  out = {axis.n, axis.s - radii};
  if (axis.s <= 0.0 || meets_face(a, b, axis.n, axis.s)) return true;
  const Nearest nearest = find_nearest(a, b);
  if (nearest.overlap || nearest.distance <= touching(a, b)) return true;
  if (nearest.distance - radii > reach.most() + 1e-7 * size_of(a, b)) return false;
  Vec3 n = (nearest.b - nearest.a).normalized();
  double distance = nearest.distance;
  // Between faces that are parallel to 1e-6 GJK turns its v without making it shorter, and may end
  // 1e-8 of the size above the distance: what its direction does not separate by is sought nearby.
  const double equal = 1e-12 * size_of(a, b);
  if (compute_separation(a, b, n) < distance - equal) distance = refine_normal(a, b, n);
  // Equal to rounding: the axis is the better normal.
  if (distance > axis.s + equal) out = {n, distance - radii};
  return out.gap <= reach.along(out.n);
}

bool find_on_face(const Convex& a, const Convex& b, Separation& out) {
  const FaceAxis face = find_best_face(a, b);
  if (!face.owner) return false;
  const bool of_a = face.owner == &a;
  const Convex& other = of_a ? b : a;
  const Vec3 inward = of_a ? Vec3(-face.n) : face.n;
  const Vec3 y = find_middle_support(other, inward);
  const double room = find_room(face, y), depth = -face.s;
  const double height = -inward.dot(y - face.owner->p) - face.owner->half(face.axis);
  if (!(room > 0.0) || depth > 0.9 * std::min(room, face.owner->half(face.axis))) return false;
  if (height - face.s > 1e-3 * room) return false;
  out.n = face.n;
  out.gap = refine_normal(a, b, out.n);
  return true;
}

// The axes of a core that are straight edges or normals of faces: first_axis … 2.
int first_axis(const Convex& body) {
  if (body.core == Core::box) return 0;
  return body.core == Core::segment || body.core == Core::cylinder ? 2 : 3;
}

// The largest value of a function with one peak between two angles, to 1e-8.
template <class Value>
double find_peak(const Value& value, double low, double high) {
  constexpr double golden = 0.6180339887498949;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = value(left), at_right = value(right);
  while (high - low > 1e-8) {
    if (at_left > at_right) {
      high = right, right = left, at_right = at_left;
      at_left = value(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = value(right = low + golden * (high - low));
    }
  }
  return 0.5 * (low + high);
}

// The normal of cores that overlap or touch. Where several ways out are nearly as short, each is
// refined.
class WaysOut {
 public:
  WaysOut(const Convex& a, const Convex& b) : a_(a), b_(b), size_(size_of(a, b)) {}

  void attempt(Vec3 n) {
    const double length = n.norm();
    if (!(length > 1e-14 * size_)) return;
    n /= length;
    if (compute_separation(a_, b_, n) < best_.gap - 1e-3 * size_) return;
    const double s = refine_normal(a_, b_, n);
    if (s > best_.gap) best_ = {n, s};
  }
  // The faces of a hull: on round bodies EPA ends at 1e-7, and of two ways that are as short it may
  // have followed the longer one. (A hull with more faces is nearly round itself.)
  void attempt_faces(const Convex& body, double sign) {
    constexpr std::size_t most_faces = 256;
    if (!body.hull || body.hull->faces.size() > most_faces) return;
    for (const Hull::Face& face : body.hull->faces) {
      const Vec3 n = sign * (body.R * face.normal);
      if (compute_separation(a_, b_, n) > best_.gap) attempt(n);
    }
  }
  // Ways across an axis: those of coaxial bodies are nearly all as short, and s(n) along the circle
  // is too flat for Newton's method. Each peak of the samples is narrowed down by golden sections.
  void attempt_around(const Vec3& axis) {
    constexpr int directions = 24;
    const Vec3 u = axis.unitOrthogonal(), v = axis.cross(u);
    const double spacing = 2.0 * std::numbers::pi / directions;
    const auto at = [&](double angle) -> Vec3 { return std::cos(angle) * u + std::sin(angle) * v; };
    const auto s = [&](double angle) { return compute_separation(a_, b_, at(angle)); };
    std::array<double, directions> samples;
    for (int i = 0; i < directions; ++i) samples[static_cast<std::size_t>(i)] = s(i * spacing);
    const auto sample = [&](int i) {
      return samples[static_cast<std::size_t>((i + directions) % directions)];
    };
    for (int i = 0; i < directions; ++i) {
      if (sample(i) < sample(i - 1) || sample(i) < sample(i + 1)) continue;
      if (sample(i) < best_.gap - 1e-2 * size_) continue;
      attempt(at(find_peak(s, (i - 1) * spacing, (i + 1) * spacing)));
    }
  }
  const Separation& best() const { return best_; }

 private:
  const Convex& a_;
  const Convex& b_;
  double size_;
  Separation best_{.gap = -std::numeric_limits<double>::infinity()};
};

Separation find_way_out(const Convex& a, const Convex& b) {
  WaysOut ways(a, b);
  const Depth depth = find_depth(a, b);
  ways.attempt(depth.n);
  for (int i = 0; i < depth.other_count; ++i)
    ways.attempt(depth.others[static_cast<std::size_t>(i)]);
  // Nearly parallel bodies have ways out beside each other that differ by rounding: along the
  // faces' normals, across two edges, and of coaxial ones towards the other body.
  const Vec3 d = b.p - a.p;
  for (const Convex* body : {&a, &b})
    for (int i = first_axis(*body); i < 3; ++i) {
      const Vec3 axis = body->R.col(i);
      ways.attempt(axis);
      ways.attempt(-axis);
      ways.attempt(d - d.dot(axis) * axis);
      if (body->core != Core::box) ways.attempt_around(axis);
    }
  for (int i = first_axis(a); i < 3; ++i)
    for (int j = first_axis(b); j < 3; ++j) {
      const Vec3 across = a.R.col(i).cross(b.R.col(j));
      ways.attempt(across);
      ways.attempt(-across);
    }
  ways.attempt_faces(a, 1.0);
  ways.attempt_faces(b, -1.0);
  return ways.best();
}

bool separate_general(const Convex& a, const Convex& b, const Reach& reach, Separation& out) {
  const double radii = a.radius + b.radius;
  if (find_on_face(a, b, out)) {
    out.gap -= radii;
    return out.gap <= reach.along(out.n);
  }
  const Nearest nearest = find_nearest(a, b);
  const bool apart = !nearest.overlap && nearest.distance > touching(a, b);
  out.gap = -std::numeric_limits<double>::infinity();
  if (apart) {
    // Farther than the margin by more than GJK can err.
    if (nearest.distance - radii > reach.most() + 1e-6 * size_of(a, b)) return false;
    out.n = (nearest.b - nearest.a).normalized();
    out.gap = refine_normal(a, b, out.n);
  }
  // A direction that does not separate by what GJK says was too near to touching to be one.
  if (!apart || out.gap < nearest.distance - std::min(0.5 * nearest.distance, 1e-6 * size_of(a, b)))
    if (const Separation way = find_way_out(a, b); way.gap > out.gap) out = way;
  out.gap -= radii;
  return out.gap <= reach.along(out.n);
}

}  // namespace

bool find_separation(const Convex& a, const Convex& b, const Reach& reach, Separation& out) {
  if (a.core > b.core) {
    if (!find_separation(b, a, reach, out)) return false;
    out.n = -out.n;
    return true;
  }
  if (a.core == Core::point && b.core != Core::hull) return separate_point(a, b, reach, out);
  if (a.core == Core::segment && b.core == Core::segment)
    return separate_segments(a, b, reach, out);
  if (b.core == Core::box) return separate_boxes(a, b, reach, out);
  return separate_general(a, b, reach, out);
}

// The normal is good to the last digits, and with it the corner that reaches farthest. Where
// neither body has one two edges cross, or a face is met by an edge or a face, or n is too near to
// a face's normal to tell the corner: then A and B, moved apart along n, are nearest to each other
// where they were deepest.
PointPair find_nearest_pair(const Convex& a, const Convex& b, const Separation& separation) {
  constexpr double exact = 1e-7;
  const Vec3& n = separation.n;
  const double distance = separation.gap + a.radius + b.radius;
  const auto from_x = [&](const Vec3& x) { return PointPair{x, x + distance * n}; };
  const auto is_good = [&](const PointPair& pair) { return holds(a, pair.x) && holds(b, pair.y); };
  Feature of_a, of_b;
  find_feature(a, n, of_a, exact);
  find_feature(b, -n, of_b, exact);
  PointPair pair{};
  if (of_a.count == 1 && is_good(pair = from_x(of_a[0].x))) return pair;
  if (of_b.count == 1 && is_good(pair = {of_b[0].x - distance * n, of_b[0].x})) return pair;
  if (of_a.count == 2 && of_b.count == 2 &&
      is_good(pair = from_x(find_nearest_on_segments(segment_of(of_a), segment_of(of_b)).x)))
    return pair;
  Convex moved = b;
  moved.p += (0.1 * size_of(a, b) - distance) * n;
  return from_x(find_nearest(a, moved).a);
}

}  // namespace ligament
