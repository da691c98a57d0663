// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/epa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ligament {
namespace {

constexpr int most_vertices = 128;
constexpr int most_faces = 8 * most_vertices;  // the replaced ones included

struct Face {
  std::array<int, 3> corners;     // counter-clockwise seen from outside
  std::array<int, 3> neighbours;  // beyond the edge from corner k to corner k + 1
  Vec3 normal;                    // unit, outward
  double distance;                // [m] of its plane from the origin, along the normal
  bool gone;                      // replaced by others
};

class Polytope {
 public:
  Polytope(const Convex& a, const Convex& b)
      : a_(a), b_(b), size_(a.half.norm() + b.half.norm() + (a.p - b.p).norm()) {
    start();
  }

  double size() const { return size_; }
  bool is_full() const { return vertex_count_ == most_vertices; }
  // The point of K that lies farthest along a direction.
  Vec3 find_vertex(const Vec3& d) const { return find_support(a_, d) - find_support(b_, -d); }

  int face_count() const { return face_count_; }
  const Face& face(int i) const { return faces_[static_cast<std::size_t>(i)]; }
  int find_nearest_face() const {
    int best = -1;
    for (int i = 0; i < face_count_; ++i)
      if (!face(i).gone && (best < 0 || face(i).distance < face(best).distance)) best = i;
    return best;
  }

  // Takes away the faces that the vertex sees, going out from one that it does, and closes the hole
  // with new ones. False if there is no more room, or rounding does not let it grow.
  bool grow(const Vec3& added, int seen) {
    edge_count_ = 0;
    look_around(added, seen);
    if (edge_count_ < 3 || face_count_ + edge_count_ > most_faces) return false;
    const int corner = vertex_count_;
    vertices_[static_cast<std::size_t>(vertex_count_++)] = added;
    const int first = face_count_;
    for (int i = 0; i < edge_count_; ++i) {
      const Edge& edge = rim_[static_cast<std::size_t>(i)];
      // The rim runs around the hole: neighbours in the list are neighbours in space.
      const int next = first + (i + 1) % edge_count_;
      const int last = first + (i + edge_count_ - 1) % edge_count_;
      add_face({edge.from, edge.to, corner}, {edge.beyond, next, last});
      Face& outer = at(edge.beyond);
      for (std::size_t k = 0; k < 3; ++k)
        if (outer.corners[k] == edge.to && outer.corners[(k + 1) % 3] == edge.from)
          outer.neighbours[k] = first + i;
    }
    return true;
  }

 private:
  struct Edge {
    int from, to;  // as the face that goes has it
    int beyond;    // the face that stays
  };

  Face& at(int i) { return faces_[static_cast<std::size_t>(i)]; }

  // Depth first, edges in their order: the rim comes out in one round. Explicit stack.
  void look_around(const Vec3& w, int seen) {
    struct Visit {
      int face, entry, done;
    };
    std::array<Visit, most_faces> stack;
    int depth = 0;
    at(seen).gone = true;
    stack[0] = {seen, 0, 0};
    while (depth >= 0) {
      Visit& visit = stack[static_cast<std::size_t>(depth)];
      const int edges = depth == 0 ? 3 : 2;
      if (visit.done == edges) {
        --depth;
        continue;
      }
      const auto k =
          static_cast<std::size_t>((visit.entry + (depth == 0 ? 0 : 1) + visit.done++) % 3);
      const Face& from = face(visit.face);
      const int other = from.neighbours[k];
      if (face(other).gone) continue;
      if (face(other).normal.dot(w) - face(other).distance > 1e-15 * size_) {
        at(other).gone = true;
        int entry = 0;
        while (face(other).neighbours[static_cast<std::size_t>(entry)] != visit.face) ++entry;
        stack[static_cast<std::size_t>(++depth)] = {other, entry, 0};
      } else if (edge_count_ < static_cast<int>(rim_.size())) {
        rim_[static_cast<std::size_t>(edge_count_++)] = {from.corners[k], from.corners[(k + 1) % 3],
                                                         other};
      }
    }
  }

  // A face without area stays out of the way: it is never the nearest.
  void add_face(const std::array<int, 3>& corners, const std::array<int, 3>& neighbours) {
    const auto vertex = [&](int i) { return vertices_[static_cast<std::size_t>(i)]; };
    const Vec3 p = vertex(corners[0]), q = vertex(corners[1]), r = vertex(corners[2]);
    const Vec3 n = (q - p).cross(r - p);
    const double area = n.norm();
    Face face{corners, neighbours, Vec3::Zero(), std::numeric_limits<double>::infinity(), false};
    if (area > 1e-26 * size_ * size_) {
      face.normal = n / area;
      face.distance = face.normal.dot(p);
    }
    faces_[static_cast<std::size_t>(face_count_++)] = face;
  }

  // A tetrahedron of support points, wide in each direction.
  void start() {
    const auto farther = [&](const Vec3& d, const Vec3& from) {
      const Vec3 one = find_vertex(d), other = find_vertex(-d);
      return d.dot(one - from) >= d.dot(from - other) ? one : other;
    };
    const Vec3 d0 = a_.p == b_.p ? Vec3(Vec3::UnitX()) : Vec3(b_.p - a_.p);
    vertices_[0] = find_vertex(d0);
    vertices_[1] = find_vertex(-d0);
    const Vec3 along = (vertices_[1] - vertices_[0]).normalized();
    const Vec3 across = along.unitOrthogonal();
    vertices_[2] = farther(across, vertices_[0]);
    Vec3 n = along.cross(vertices_[2] - vertices_[0]);
    if (n.norm() < 1e-9 * size_) {
      vertices_[2] = farther(along.cross(across), vertices_[0]);
      n = along.cross(vertices_[2] - vertices_[0]);
    }
    vertices_[3] = farther(n.normalized(), vertices_[0]);
    vertex_count_ = 4;
    if (n.dot(vertices_[3] - vertices_[0]) > 0.0) std::swap(vertices_[1], vertices_[2]);
    add_face({0, 1, 2}, {1, 2, 3});
    add_face({0, 3, 1}, {3, 2, 0});
    add_face({1, 3, 2}, {1, 3, 0});
    add_face({2, 3, 0}, {2, 1, 0});
  }

  const Convex& a_;
  const Convex& b_;
  double size_;
  std::array<Vec3, most_vertices> vertices_;
  std::array<Face, most_faces> faces_;
  std::array<Edge, most_vertices> rim_;
  int vertex_count_ = 0, face_count_ = 0, edge_count_ = 0;
};

// Faces that are as near as the nearest, and look elsewhere.
void add_others(const Polytope& polytope, double close, Depth& depth) {
  for (int k = 0; k < polytope.face_count(); ++k) {
    const Face& face = polytope.face(k);
    if (face.gone || face.distance > -depth.gap + close) continue;
    bool known = face.normal.dot(depth.n) > 0.9999;
    for (int i = 0; i < depth.other_count; ++i)
      known |= face.normal.dot(depth.others[static_cast<std::size_t>(i)]) > 0.9999;
    if (known || depth.other_count == static_cast<int>(depth.others.size())) continue;
    depth.others[static_cast<std::size_t>(depth.other_count++)] = face.normal;
  }
}

}  // namespace

Depth find_depth(const Convex& a, const Convex& b) {
  Polytope polytope(a, b);
  const bool round = a.core == Core::cylinder || b.core == Core::cylinder;
  const double close = (round ? 1e-7 : 1e-14) * polytope.size();
  Depth depth{.n = Vec3::UnitZ(), .gap = -std::numeric_limits<double>::infinity(), .others = {}};
  while (!polytope.is_full()) {
    ++depth.iterations;
    const int nearest = polytope.find_nearest_face();
    const Face face = polytope.face(nearest);
    const Vec3 next = polytope.find_vertex(face.normal);
    // The support plane bounds the depth from above.
    const double reach = face.normal.dot(next);
    if (-reach > depth.gap) {
      depth.gap = -reach;
      depth.n = face.normal;
    }
    if (reach - face.distance <= close || !polytope.grow(next, nearest)) break;
  }
  if (round) add_others(polytope, close, depth);
  return depth;
}

}  // namespace ligament
