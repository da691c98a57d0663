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

// A Newton step over the plane ⟂ n, or over its line ⟂ e; uphill by `near` where s is not concave.
Vec3 compute_step(const Convex& a, const Convex& b, const Vec3& n, const Vec3* e) {
  const Vec3 w = find_support(b, -n) - find_support(a, n);
  const Mat3 H = compute_turning(a, n) + compute_turning(b, n) + n.dot(w) * Mat3::Identity();
  const Vec3 t = e ? Vec3(e->cross(n).normalized()) : n.unitOrthogonal();
  const double h_tt = t.dot(H * t), g_t = t.dot(w);
  if (e) return h_tt > 0.0 ? Vec3(g_t / h_tt * t) : Vec3(std::copysign(near, g_t) * t);
  const Vec3 u = n.cross(t);
  const double h_uu = u.dot(H * u), h_tu = t.dot(H * u), det = h_tt * h_uu - h_tu * h_tu;
  const double g_u = u.dot(w);
  if (!(h_tt > 0.0 && det > 0.0)) return near * (g_t * t + g_u * u).normalized();
  return (h_uu * g_t - h_tu * g_u) / det * t + (h_tt * g_u - h_tu * g_t) / det * u;
}

Vec3 move(const Vec3& n, const Vec3& step, const Vec3* e) {
  const Vec3 next = (n + step).normalized();
  return e ? Vec3((next - next.dot(*e) * *e).normalized()) : next;
}

// [m] Differences of s that may be rounding.
double rounding_of(const Convex& a, const Convex& b) {
  return 1e-14 * (a.half.norm() + b.half.norm());
}

// s is flat to rounding within 1e-8 of its maximum, but its slope is not: as long as the steps
// shrink as Newton's do, and s does not fall, they are taken for what they are.
Vec3 polish(const Convex& a, const Convex& b, Vec3 n, double s, const Vec3* e) {
  const double least = s - rounding_of(a, b);
  double longest = 1e-6;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const Vec3 step = compute_step(a, b, n, e);
    const double length = step.norm();
    if (!(length > 0.0 && length < longest)) break;
    const Vec3 next = move(n, step, e);
    if (!(compute_separation(a, b, next) >= least)) break;
    n = next;
    longest = 0.1 * length;
  }
  return n;
}

// Newton's method with steps cut until they go uphill.
Vec3 climb(const Convex& a, const Convex& b, Vec3 n, const Vec3* e) {
  double s = compute_separation(a, b, n);
  for (int iteration = 0; iteration < 20; ++iteration) {
    Vec3 step = compute_step(a, b, n, e);
    // Near the pole of a cap s bends so much that Newton's steps are far too long.
    if (const double length = step.norm(); length > near) step *= near / length;
    bool uphill = false;
    for (int cut = 0; cut < 8 && !uphill; ++cut, step *= 0.25) {
      const Vec3 next = move(n, step, e);
      const double s_next = compute_separation(a, b, next);
      uphill = s_next > s;
      if (uphill) n = next, s = s_next;
    }
    if (!uphill || step.norm() < 1e-15) break;
  }
  return polish(a, b, n, s, e);
}

// Two caps with axes f and g that are nearly parallel. In the plane ⟂ f + g, with ν the foot of n,
//
//     s ≈ s₀ + d·ν − r_A |ν − f| − r_B |ν − g|,        d from the centre of A's cap to that of B's:
//
// the tips of two cones. Between them s is largest where d is the sum of two vectors of lengths r_A
// and r_B that point to ν from the two poles: the triangle tells their directions, one to each side
// of d, and ν is where the two rays meet.                                                  [CO.3]
Directions find_between_caps(const Convex& a, const Convex& b, const Vec3& f, const Vec3& g) {
  Directions starts;
  const Vec3 m = (f + g).normalized(), u = m.unitOrthogonal(), v = m.cross(u);
  const auto foot = [&](const Vec3& x) { return Eigen::Vector2d(x.dot(u), x.dot(v)); };
  const Eigen::Vector2d d = foot(b.p - b.half.z() * g - a.p - a.half.z() * f);
  const double r_a = a.half.x(), r_b = b.half.x(), D = d.norm();
  if (!(D < r_a + r_b && D > std::abs(r_a - r_b))) return starts;  // best at a pole, or at a rim
  const double along_a = (D * D + r_a * r_a - r_b * r_b) / (2.0 * D), along_b = D - along_a;
  const double aside = std::sqrt(std::max(r_a * r_a - along_a * along_a, 0.0));
  const Eigen::Vector2d along = d / D, across(-along.y(), along.x());
  const Eigen::Vector2d from_f = foot(f), to_g = foot(g) - from_f;
  for (const double side : {-aside, aside}) {
    const Eigen::Vector2d ray_a = along_a * along + side * across;
    const Eigen::Vector2d ray_b = along_b * along - side * across;
    const double turn = ray_a.x() * ray_b.y() - ray_a.y() * ray_b.x();
    const double t = (to_g.x() * ray_b.y() - to_g.y() * ray_b.x()) / turn;
    const Eigen::Vector2d nu = from_f + t * ray_a;
    if (t > 0.0 && (nu - from_f - to_g).dot(ray_b) > 0.0)
      starts.add((m + nu.x() * u + nu.y() * v).normalized());
  }
  return starts;
}

}  // namespace

double refine_normal(const Convex& a, const Convex& b, Vec3& n) {
  Directions faces, edges;
  add_near(a, n, faces, edges);
  add_near(b, n, faces, edges);
  const double rounding = rounding_of(a, b);
  double best = compute_separation(a, b, n);
  Vec3 best_n = n;
  const auto attempt = [&](const Vec3& candidate, double advantage) {
    const double s = compute_separation(a, b, candidate);
    if (!(s > best - advantage)) return;
    best = s;
    best_n = candidate;
  };
  attempt(climb(a, b, n, nullptr), rounding);
  // Two caps that are nearly parallel: s falls off around each pole like the tip of a cone, and is
  // largest between them.
  if (faces.count == 2) {
    const Vec3 &f = faces.list[0], &g = faces.list[1];
    const Vec3 middle = (f + g).normalized(), d = b.p - a.p;
    const Vec3 aside = 0.5 * (f - g).norm() * (d - d.dot(middle) * middle).normalized();
    if (a.core == Core::cylinder && b.core == Core::cylinder)
      for (const Vec3& start : find_between_caps(a, b, f, g))
        attempt(climb(a, b, start, nullptr), rounding);
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
