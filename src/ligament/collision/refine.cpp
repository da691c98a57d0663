// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/refine.h"

#include <array>
#include <cmath>

namespace ligament {
namespace {

constexpr double near = 3e-3;  // sine of the angle within which a special direction is tried

// Directions that are special for s(n): normals of flat faces and straight edges near n.
struct Directions {
  std::array<Vec3, 16> list;
  int count = 0;
  void add(const Vec3& d) {
    if (count < static_cast<int>(list.size())) list[static_cast<std::size_t>(count++)] = d;
  }
  const Vec3* begin() const { return list.data(); }
  const Vec3* end() const { return list.data() + count; }
};

void add_near(const Convex& body, const Vec3& n, Directions& faces, Directions& edges) {
  const auto try_face = [&](const Vec3& f) {
    if (f.cross(n).norm() < near) faces.add(f.dot(n) < 0.0 ? Vec3(-f) : f);
  };
  const auto try_edge = [&](const Vec3& e) {
    if (std::abs(e.dot(n)) < near) edges.add(e);
  };
  switch (body.core) {
    case Core::point: break;
    case Core::segment: try_edge(body.R.col(2)); break;
    case Core::box:
      for (int i = 0; i < 3; ++i) try_face(body.R.col(i)), try_edge(body.R.col(i));
      break;
    case Core::cylinder: try_face(body.R.col(2)), try_edge(body.R.col(2)); break;
    case Core::hull:
      for (const Hull::Face& face : body.hull->faces) try_face(body.R * face.normal);
      for (const Hull::Edge& edge : body.hull->edges)
        try_edge(body.R * (body.vertices[static_cast<std::size_t>(edge.b)] -
                           body.vertices[static_cast<std::size_t>(edge.a)])
                              .normalized());
      break;
    case Core::triangle:
      for (std::size_t i = 0; i < 3; ++i)
        try_edge(body.R * (body.vertices[(i + 1) % 3] - body.vertices[i]).normalized());
      try_face(body.R * (body.vertices[1] - body.vertices[0])
                            .cross(body.vertices[2] - body.vertices[0])
                            .normalized());
      break;
  }
}

// H of a core at n: how its support point moves as n turns.
Mat3 compute_turning(const Convex& body, const Vec3& n) {
  if (body.core != Core::cylinder) return Mat3::Zero();
  const Vec3 t = n.cross(body.R.col(2));
  const double rho2 = t.squaredNorm();
  if (rho2 < 1e-28) return Mat3::Zero();
  return body.half.x() / (rho2 * std::sqrt(rho2)) * (t * t.transpose());
}

// A Newton step over the plane ⟂ n, or over its line ⟂ e; zero where s is not concave.
Vec3 compute_step(const Convex& a, const Convex& b, const Vec3& n, const Vec3* e) {
  const Vec3 w = find_support(b, -n) - find_support(a, n);
  const Mat3 H = compute_turning(a, n) + compute_turning(b, n) + n.dot(w) * Mat3::Identity();
  const Vec3 t = e ? Vec3(e->cross(n).normalized()) : n.unitOrthogonal();
  const double h_tt = t.dot(H * t), g_t = t.dot(w);
  if (!(h_tt > 0.0)) return Vec3::Zero();
  if (e) return g_t / h_tt * t;
  const Vec3 u = n.cross(t);
  const double h_uu = u.dot(H * u), h_tu = t.dot(H * u), det = h_tt * h_uu - h_tu * h_tu;
  if (!(det > 0.0)) return Vec3::Zero();
  const double g_u = u.dot(w);
  return (h_uu * g_t - h_tu * g_u) / det * t + (h_tt * g_u - h_tu * g_t) / det * u;
}

// Newton's method with steps cut until they go uphill.
Vec3 climb(const Convex& a, const Convex& b, Vec3 n, const Vec3* e) {
  double s = compute_separation(a, b, n);
  for (int iteration = 0; iteration < 20; ++iteration) {
    Vec3 step = compute_step(a, b, n, e);
    if (!(step.norm() < 0.1)) return n;
    bool uphill = false;
    for (int cut = 0; cut < 8 && !uphill; ++cut, step *= 0.25) {
      Vec3 next = (n + step).normalized();
      if (e) next = (next - next.dot(*e) * *e).normalized();
      const double s_next = compute_separation(a, b, next);
      uphill = s_next > s;
      if (uphill) n = next, s = s_next;
    }
    if (!uphill || step.norm() < 1e-15) break;
  }
  return n;
}

}  // namespace

double refine_normal(const Convex& a, const Convex& b, Vec3& n) {
  Directions faces, edges;
  add_near(a, n, faces, edges);
  add_near(b, n, faces, edges);
  const double rounding = 1e-14 * (a.half.norm() + b.half.norm());
  double best = compute_separation(a, b, n);
  Vec3 best_n = n;
  const auto attempt = [&](const Vec3& candidate, double advantage) {
    const double s = compute_separation(a, b, candidate);
    if (!(s > best - advantage)) return;
    best = s;
    best_n = candidate;
  };
  attempt(climb(a, b, n, nullptr), 0.0);
  // Two caps that are nearly parallel: s falls off around each pole like the tip of a cone, and is
  // largest between them.
  if (faces.count == 2) {
    const Vec3 &f = faces.list[0], &g = faces.list[1];
    const Vec3 middle = (f + g).normalized(), d = b.p - a.p;
    const Vec3 aside = 0.5 * (f - g).norm() * (d - d.dot(middle) * middle).normalized();
    attempt(climb(a, b, middle, nullptr), 0.0);
    attempt(climb(a, b, (middle + aside).normalized(), nullptr), 0.0);
    attempt(climb(a, b, (middle - aside).normalized(), nullptr), 0.0);
  }
  for (const Vec3& e : edges) {
    const Vec3 start = n - n.dot(e) * e;
    attempt(climb(a, b, start.normalized(), &e), rounding);
  }
  // Flat on flat: of equals the direction that needs no computing wins.
  for (const Vec3& e : edges)
    for (const Vec3& f : edges) {
      const Vec3 across = e.cross(f);
      if (across.norm() < 1e-6) continue;
      attempt(across.normalized() * (across.dot(n) < 0.0 ? -1.0 : 1.0), rounding);
    }
  for (const Vec3& f : faces) attempt(f, rounding);
  n = best_n;
  return best;
}

}  // namespace ligament
