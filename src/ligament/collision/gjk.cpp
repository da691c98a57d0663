// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/gjk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ligament {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

struct Vertex {
  Vec3 a, b, w;  // points of A and B, w = a − b
  double weight = 0.0;
};

// One to four vertices whose convex combination Σ weight · w is the point nearest to the origin.
struct Simplex {
  std::array<Vertex, 4> vertices;
  int count = 0;

  Vec3 nearest() const { return sum(&Vertex::w); }
  Vec3 sum(Vec3 Vertex::*point) const {
    Vec3 total = Vec3::Zero();
    for (int i = 0; i < count; ++i) total += at(i).weight * (at(i).*point);
    return total;
  }
  const Vertex& at(int i) const { return vertices[static_cast<std::size_t>(i)]; }
  Vertex& at(int i) { return vertices[static_cast<std::size_t>(i)]; }
};

Simplex make_simplex(std::initializer_list<Vertex> vertices) {
  Simplex simplex;
  for (const Vertex& vertex : vertices) simplex.at(simplex.count++) = vertex;
  return simplex;
}

Simplex reduce_point(Vertex p) {
  p.weight = 1.0;
  return make_simplex({p});
}

// The part of a segment nearest to the origin.
Simplex reduce_segment(Vertex p, Vertex q) {
  const Vec3 d = q.w - p.w;
  const double length = d.squaredNorm(), t = -p.w.dot(d);
  if (!(t > 0.0) || length == 0.0) return reduce_point(p);
  if (t >= length) return reduce_point(q);
  q.weight = t / length;
  p.weight = 1.0 - q.weight;
  return make_simplex({p, q});
}

Simplex nearer(const Simplex& one, const Simplex& other) {
  return other.nearest().squaredNorm() < one.nearest().squaredNorm() ? other : one;
}

// The part of a triangle nearest to the origin: its inside, if the foot of the perpendicular lies
// there, or the best of its edges.
Simplex reduce_triangle(Vertex p, Vertex q, Vertex r) {
  const Vec3 n = (q.w - p.w).cross(r.w - p.w);
  const double area = n.squaredNorm();
  const double longest =
      std::max({(q.w - p.w).squaredNorm(), (r.w - p.w).squaredNorm(), (r.w - q.w).squaredNorm()});
  if (area > 16.0 * rounding * rounding * longest * longest) {
    // Barycentric coordinates of the foot, by the volumes of [origin, edge] along n.
    const double u = n.dot(q.w.cross(r.w)), v = n.dot(r.w.cross(p.w)), w = n.dot(p.w.cross(q.w));
    if (u > 0.0 && v > 0.0 && w > 0.0) {
      const double total = u + v + w;
      p.weight = u / total, q.weight = v / total, r.weight = w / total;
      return make_simplex({p, q, r});
    }
  }
  return nearer(nearer(reduce_segment(p, q), reduce_segment(q, r)), reduce_segment(r, p));
}

enum class Inside { possible, impossible };

// The part of a tetrahedron nearest to the origin; count 4 if the origin is inside.
Simplex reduce_tetrahedron(const std::array<Vertex, 4>& v, Inside inside) {
  constexpr int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
  Simplex best;
  bool outside = false;
  for (const auto& face : faces) {
    const Vertex &p = v[static_cast<std::size_t>(face[0])],
                 &q = v[static_cast<std::size_t>(face[1])],
                 &r = v[static_cast<std::size_t>(face[2])],
                 &s = v[static_cast<std::size_t>(face[3])];
    const Vec3 n = (q.w - p.w).cross(r.w - p.w);
    const double inner = n.dot(s.w - p.w), origin = -n.dot(p.w);
    // A flat tetrahedron has no inside.
    const double flat = 8.0 * rounding * n.norm() * (s.w - p.w).norm();
    const bool behind = std::abs(inner) > flat && origin * inner >= 0.0;
    if (behind && inside == Inside::possible) continue;
    const Simplex part = reduce_triangle(p, q, r);
    best = outside ? nearer(best, part) : part;
    outside = true;
  }
  if (outside) return best;
  Simplex whole;
  whole.vertices = v;
  whole.count = 4;
  return whole;
}

Simplex reduce(const Simplex& s, Inside inside) {
  switch (s.count) {
    case 1: return reduce_point(s.at(0));
    case 2: return reduce_segment(s.at(0), s.at(1));
    case 3: return reduce_triangle(s.at(0), s.at(1), s.at(2));
    default: return reduce_tetrahedron(s.vertices, inside);
  }
}

}  // namespace

Nearest find_nearest(const Convex& a, const Convex& b) {
  const auto support = [&](const Vec3& d) {
    Vertex vertex{.a = find_support(a, d), .b = find_support(b, -d), .w = {}};
    vertex.w = vertex.a - vertex.b;
    return vertex;
  };
  Vec3 start = b.p - a.p;
  if (start.squaredNorm() == 0.0) start = Vec3::UnitX();
  Simplex simplex = reduce_point(support(start));
  const double size = a.half.norm() + b.half.norm() + (a.p - b.p).norm();
  const double nothing = 16.0 * rounding * size;  // closer than this is touching
  Nearest result;
  constexpr int most = 200;
  Vec3 v = simplex.nearest();
  while (result.iterations < most) {
    ++result.iterations;
    if (v.norm() <= nothing) {
      result.overlap = true;
      return result;
    }
    const Vertex next = support(-v);
    const double bound = v.dot(next.w);  // of the distance, times |v|
    if (v.squaredNorm() - bound <= 4.0 * rounding * size * v.norm()) break;
    Simplex grown = simplex;
    grown.at(grown.count++) = next;
    // A direction that separates the cores has been seen: a thin tetrahedron that seems to hold the
    // origin is rounding.
    grown = reduce(
        grown, bound > 4.0 * rounding * size * v.norm() ? Inside::impossible : Inside::possible);
    if (grown.count == 4) {
      result.overlap = true;
      return result;
    }
    const Vec3 moved = grown.nearest();
    if (moved.squaredNorm() >= v.squaredNorm()) break;  // rounding has the last word
    simplex = grown;
    v = moved;
  }
  result.a = simplex.sum(&Vertex::a);
  result.b = simplex.sum(&Vertex::b);
  result.distance = v.norm();
  return result;
}

}  // namespace ligament
