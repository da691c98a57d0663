// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/ray.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

// The stretch of a ray that is inside a convex body given by half-spaces: it enters by the last
// face that it enters, if that is before the first that it leaves.
struct Passage {
  double enter = -std::numeric_limits<double>::infinity();
  double leave = std::numeric_limits<double>::infinity();
  Vec3 normal = Vec3::UnitZ();

  // The half-space n·x ≤ offset.
  void cut(const Ray& ray, const Vec3& n, double offset) {
    const double speed = n.dot(ray.direction), height = n.dot(ray.origin) - offset;
    if (speed == 0.0) {
      if (height > 0.0) leave = -std::numeric_limits<double>::infinity();
    } else if (speed < 0.0) {
      if (-height / speed > enter) enter = -height / speed, normal = n;
    } else {
      leave = std::min(leave, -height / speed);
    }
  }
  std::optional<RayPoint> hit(const Ray& ray) const {
    if (!(enter <= leave) || enter < 0.0 || enter > ray.farthest) return std::nullopt;
    return RayPoint{enter, normal};
  }
};

// The nearer root of |o + t d|² = r² for o, d in two or three dimensions.
template <class Vector>
std::optional<double> enter_round(const Vector& o, const Vector& d, double r) {
  const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - r * r;
  if (a == 0.0 || c < 0.0) return std::nullopt;  // along the axis, or from inside
  // The distance of the line from the centre, without the cancellation of b² − a c.
  const double off2 = (o - b / a * d).squaredNorm();
  if (off2 > r * r || b > 0.0) return std::nullopt;
  return (-b - std::sqrt(a * (r * r - off2))) / a;
}

std::optional<RayPoint> hit_ball(const Ray& ray, const Vec3& centre, double radius) {
  const Vec3 o = ray.origin - centre;
  const std::optional<double> t = enter_round(o, ray.direction, radius);
  if (!t || *t > ray.farthest) return std::nullopt;
  return RayPoint{*t, (o + *t * ray.direction).normalized()};
}

void keep_nearer(const std::optional<RayPoint>& hit, std::optional<RayPoint>& best) {
  if (hit && (!best || hit->distance < best->distance)) best = hit;
}

std::optional<RayPoint> hit_capsule(const Ray& ray, double radius, double half_length) {
  const double z = std::clamp(ray.origin.z(), -half_length, half_length);
  if ((ray.origin - Vec3(0, 0, z)).squaredNorm() < radius * radius) return std::nullopt;
  std::optional<RayPoint> best;
  const Eigen::Vector2d o = ray.origin.head<2>(), d = ray.direction.head<2>();
  if (const auto t = enter_round(o, d, radius); t && *t >= 0.0 && *t <= ray.farthest) {
    const Vec3 x = ray.origin + *t * ray.direction;
    if (std::abs(x.z()) <= half_length) best = RayPoint{*t, Vec3(x.x(), x.y(), 0.0).normalized()};
  }
  keep_nearer(hit_ball(ray, {0, 0, half_length}, radius), best);
  keep_nearer(hit_ball(ray, {0, 0, -half_length}, radius), best);
  return best;
}

std::optional<RayPoint> hit_cylinder(const Ray& ray, double radius, double half_length) {
  Passage passage;
  passage.cut(ray, Vec3::UnitZ(), half_length);
  passage.cut(ray, -Vec3::UnitZ(), half_length);
  const Eigen::Vector2d o = ray.origin.head<2>(), d = ray.direction.head<2>();
  const double a = d.squaredNorm();
  if (a == 0.0) {
    if (o.norm() > radius) return std::nullopt;
    return passage.hit(ray);
  }
  const double b = o.dot(d), off2 = (o - b / a * d).squaredNorm();
  if (off2 > radius * radius) return std::nullopt;
  const double half_chord = std::sqrt(a * (radius * radius - off2)) / a;
  const double enter = -b / a - half_chord;
  if (enter > passage.enter) {
    const Vec3 x = ray.origin + enter * ray.direction;
    passage.enter = enter;
    passage.normal = Vec3(x.x(), x.y(), 0.0).normalized();
  }
  passage.leave = std::min(passage.leave, -b / a + half_chord);
  return passage.hit(ray);
}

// The wall of a cavity from inside: where the ray leaves the ball.
std::optional<RayPoint> hit_cavity(const Ray& ray, double radius) {
  const double b = ray.origin.dot(ray.direction);
  if (ray.origin.squaredNorm() > radius * radius) return std::nullopt;
  const double off2 = (ray.origin - b * ray.direction).squaredNorm();
  const double t = -b + std::sqrt(std::max(radius * radius - off2, 0.0));
  if (!(t >= 0.0 && t <= ray.farthest)) return std::nullopt;
  return RayPoint{t, -(ray.origin + t * ray.direction).normalized()};
}

std::optional<RayPoint> hit_triangle(const Ray& ray, const SurfaceTriangle& t) {
  const double speed = t.normal.dot(ray.direction);
  if (!(speed < 0.0)) return std::nullopt;
  const double distance = t.normal.dot(t.corners[0] - ray.origin) / speed;
  if (distance < 0.0 || distance > ray.farthest) return std::nullopt;
  const Vec3& d = ray.direction;
  for (std::size_t k = 0; k < 3; ++k) {
    // Seen along the ray: an edge between two triangles is computed alike for both.
    const Vec3 from = t.corners[k] - ray.origin, to = t.corners[(k + 1) % 3] - ray.origin;
    if (d.dot(from.cross(to)) > 0.0) return std::nullopt;
  }
  return RayPoint{distance, t.normal};
}

std::optional<RayPoint> hit_surface(const Ray& ray, const Surface& surface) {
  std::optional<RayPoint> best;
  Ray rest = ray;
  const auto try_triangle = [&](int index) {
    keep_nearer(hit_triangle(rest, surface.triangle(index)), best);
    if (best) rest.farthest = best->distance;
  };
  if (!surface.field()) {
    surface.tree().for_each_in([&](const Bounds& bounds) { return passes(rest, bounds); },
                               try_triangle);
    return best;
  }
  // A field is walked in stretches of a few cells.
  const HeightField& field = *surface.field();
  Passage inside;
  const Bounds& box = surface.bounds();
  for (int i = 0; i < 3; ++i) {
    inside.cut(ray, Vec3::Unit(i), box.high(i) + 1e-9 * (1.0 + std::abs(box.high(i))));
    inside.cut(ray, -Vec3::Unit(i), -box.low(i) + 1e-9 * (1.0 + std::abs(box.low(i))));
  }
  const double end = std::min(inside.leave, ray.farthest);
  const double across = ray.direction.head<2>().norm();
  const double stride = across > 0.0 ? 4.0 * std::min(field.dx, field.dy) / across : end;
  for (double t = std::max(inside.enter, 0.0); t <= end && !best; t += stride) {
    const Vec3 from = ray.origin + t * ray.direction;
    const Vec3 to = ray.origin + std::min(t + stride, end) * ray.direction;
    surface.for_each_triangle({from.cwiseMin(to), from.cwiseMax(to)}, try_triangle);
    if (stride <= 0.0) break;
  }
  return best;
}

}  // namespace

bool passes(const Ray& ray, const Bounds& bounds) {
  double enter = 0.0, leave = ray.farthest;
  for (int i = 0; i < 3; ++i) {
    const double o = ray.origin(i), d = ray.direction(i);
    if (d == 0.0) {
      if (o < bounds.low(i) || o > bounds.high(i)) return false;
      continue;
    }
    const double t0 = (bounds.low(i) - o) / d, t1 = (bounds.high(i) - o) / d;
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  return enter <= leave;
}

std::optional<RayPoint> find_hit(const Ray& ray, const PlacedShape& shape) {
  const Convex& c = shape.convex;
  const Ray local{c.R.transpose() * (ray.origin - c.p), c.R.transpose() * ray.direction,
                  ray.farthest};
  std::optional<RayPoint> hit;
  Passage passage;
  if (shape.kind == ShapeClass::surface) {
    hit = hit_surface(local, *shape.surface);
  } else if (shape.kind == ShapeClass::cavity) {
    hit = hit_cavity(local, c.radius);
  } else if (shape.kind == ShapeClass::half_space || shape.kind == ShapeClass::plane) {
    const bool from_below = shape.kind == ShapeClass::plane && local.origin.z() < 0.0;
    passage.cut(local, from_below ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitZ()), 0.0);
    hit = passage.hit(local);
  } else if (c.core == Core::point) {
    hit = hit_ball(local, Vec3::Zero(), c.radius);
  } else if (c.core == Core::segment) {
    hit = hit_capsule(local, c.radius, c.half.z());
  } else if (c.core == Core::cylinder) {
    hit = hit_cylinder(local, c.half.x(), c.half.z());
  } else if (c.core == Core::box) {
    for (int i = 0; i < 3; ++i) {
      passage.cut(local, Vec3::Unit(i), c.half(i));
      passage.cut(local, -Vec3::Unit(i), c.half(i));
    }
    hit = passage.hit(local);
  } else {
    for (const Hull::Face& face : c.hull->faces) passage.cut(local, face.normal, face.offset);
    hit = passage.hit(local);
  }
  if (hit) hit->normal = c.R * hit->normal;
  return hit;
}

}  // namespace ligament
