// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/nearest_point.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

// [m²] A point that is nearer than this to a core counts as on it: the way to it tells no
// direction.
double touching2(const Convex& body) { return 1e-20 * body.half.squaredNorm(); }

// A pair of points apart gives the normal; a pair at one place has none of its own.
NearestPoint make_apart(const Vec3& x, const Vec3& y, const Vec3& fallback) {
  const Vec3 d = y - x;
  const double distance = d.norm();
  return {y, distance > 0.0 ? Vec3(d / distance) : fallback, distance};
}

NearestPoint find_on_box(const Convex& body, const Vec3& x, const Vec3& fallback) {
  const Vec3 local = body.R.transpose() * (x - body.p);
  const Vec3 clamped = local.cwiseMax(-body.half).cwiseMin(body.half);
  if ((local - clamped).squaredNorm() > touching2(body))
    return make_apart(x, body.p + body.R * clamped, fallback);
  int side = 0;
  const Vec3 depth = body.half - local.cwiseAbs();
  depth.minCoeff(&side);
  const double sign = local(side) < 0.0 ? -1.0 : 1.0;
  Vec3 face = local;
  face(side) = sign * body.half(side);
  return {body.p + body.R * face, -sign * body.R.col(side), -depth(side)};
}

NearestPoint find_on_cylinder(const Convex& body, const Vec3& x, const Vec3& fallback) {
  const Vec3 local = body.R.transpose() * (x - body.p);
  const double r = body.half.x(), l = body.half.z(), rho = local.head<2>().norm();
  const Vec3 out = rho > 0.0 ? Vec3(local.x() / rho, local.y() / rho, 0.0) : Vec3(Vec3::UnitX());
  const double z = std::clamp(local.z(), -l, l);
  const Vec3 nearest = std::min(rho, r) * out + z * Vec3::UnitZ();
  if ((local - nearest).squaredNorm() > touching2(body))
    return make_apart(x, body.p + body.R * nearest, fallback);
  const double side = r - rho, cap = l - std::abs(local.z());
  if (side < cap) return {body.p + body.R * (r * out + z * Vec3::UnitZ()), -(body.R * out), -side};
  const double sign = local.z() < 0.0 ? -1.0 : 1.0;
  return {body.p + body.R * Vec3(local.x(), local.y(), sign * l), -sign * body.R.col(2), -cap};
}

}  // namespace

OnTriangle find_on_triangle(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& x) {
  const Vec3 corners[3] = {p, q, r};
  const Vec3 n = (q - p).cross(r - p);
  bool inside = true;
  for (int k = 0; k < 3 && inside; ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % 3];
    inside = n.dot((b - a).cross(x - a)) >= 0.0;
  }
  if (inside) return {x - n.dot(x - p) / n.squaredNorm() * n, 3, 0};
  OnTriangle best;
  double least = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % 3];
    const double t = (x - a).dot(b - a) / (b - a).squaredNorm();
    const OnTriangle on = t <= 0.0   ? OnTriangle{a, 1, k}
                          : t >= 1.0 ? OnTriangle{b, 1, (k + 1) % 3}
                                     : OnTriangle{a + t * (b - a), 2, k};
    const double distance = (x - on.y).squaredNorm();
    if (k > 0 && distance >= least) continue;
    least = distance;
    best = on;
  }
  return best;
}

// Within both, or at an end of one of them: of segments that are nearly parallel the ends are
// looked at as well. What rounding makes nearer is not: the valley is flat, and a point 1e-5 beside
// its bottom has a normal that is 1e-9 off.
SegmentPair find_nearest_on_segments(const Segment& a, const Segment& b) {
  const Vec3 &u = a.axis, &v = b.axis, d = b.centre - a.centre;
  const double c = u.dot(v), du = d.dot(u), dv = d.dot(v);
  const auto along_b = [&](double s) { return std::clamp(c * s - dv, -b.half, b.half); };
  const auto along_a = [&](double t) { return std::clamp(du + c * t, -a.half, a.half); };
  const double sine2 = u.cross(v).squaredNorm();
  // (d × v)·(u × v) keeps its digits where du − c dv, the same, loses them.
  const double cross = d.cross(v).dot(u.cross(v));
  double s = sine2 > 0.0 ? std::clamp(cross / sine2, -a.half, a.half) : 0.0;
  double t = along_b(s);
  s = along_a(t);
  if (sine2 < 1e-6) {
    const double rounding = 4e-16 * (d.norm() + a.half + b.half);
    double least = (d + t * v - s * u).norm();
    const auto attempt = [&](double s_try, double t_try) {
      const double distance = (d + t_try * v - s_try * u).norm();
      if (distance < least - rounding) least = distance, s = s_try, t = t_try;
    };
    for (const double end : {-1.0, 1.0}) {
      attempt(end * a.half, along_b(end * a.half));
      attempt(along_a(end * b.half), end * b.half);
    }
  }
  return {a.centre + s * u, b.centre + t * v};
}

NearestPoint find_nearest_point(const Convex& body, const Vec3& x, const Vec3& fallback) {
  switch (body.core) {
    case Core::box: return find_on_box(body, x, fallback);
    case Core::cylinder: return find_on_cylinder(body, x, fallback);
    case Core::segment: {
      const Vec3 axis = body.R.col(2);
      const double t = std::clamp(axis.dot(x - body.p), -body.half.z(), body.half.z());
      // On the segment any direction across it does.
      const Vec3 y = body.p + t * axis;
      if ((x - y).squaredNorm() <= touching2(body)) return {y, body.R.col(0), 0.0};
      return make_apart(x, y, fallback);
    }
    case Core::triangle: {
      const auto corner = [&](std::size_t i) -> Vec3 { return body.p + body.R * body.vertices[i]; };
      return make_apart(x, find_on_triangle(corner(0), corner(1), corner(2), x).y, fallback);
    }
    default: return make_apart(x, body.p, fallback);
  }
}

}  // namespace ligament
