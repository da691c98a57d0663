// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/convex.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ligament {
namespace {

double with_sign(double size, double sign) { return sign < 0.0 ? -size : size; }

int find_farthest(std::span<const Vec3> vertices, const Vec3& d) {
  std::size_t best = 0;
  double most = vertices[0].dot(d);
  for (std::size_t i = 1; i < vertices.size(); ++i)
    if (const double reach = vertices[i].dot(d); reach > most) most = reach, best = i;
  return static_cast<int>(best);
}

// Uphill along the edges: on a convex body a corner without a better neighbour is the best one.
int climb(const Hull& hull, const Vec3& d) {
  int best = 0;
  double most = hull.vertices[0].dot(d);
  for (bool better = true; better;) {
    better = false;
    for (const int next : hull.neighbours_of(best)) {
      const double reach = hull.vertices[static_cast<std::size_t>(next)].dot(d);
      if (!(reach > most)) continue;
      most = reach, best = next, better = true;
      break;
    }
  }
  return best;
}

constexpr std::size_t few_vertices = 64;  // up to here looking at all is faster

int find_farthest_vertex(const Convex& body, const Vec3& d) {
  return body.hull && body.vertices.size() > few_vertices ? climb(*body.hull, d)
                                                          : find_farthest(body.vertices, d);
}

Vec3 box_corner(const Vec3& half, int id) {
  return {id & 1 ? half.x() : -half.x(), id & 2 ? half.y() : -half.y(),
          id & 4 ? half.z() : -half.z()};
}

// Each axis that the direction is nearly perpendicular to lets the feature extend along it.
void find_box_feature(const Vec3& half, const Vec3& d, double sine, Feature& feature) {
  int free[3], free_count = 0, id = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(d(i)) < sine)
      free[free_count++] = i;
    else if (d(i) > 0.0)
      id |= 1 << i;
  }
  constexpr int around[4] = {0, 1, 3, 2};
  const int corners = free_count == 2 ? 4 : free_count == 1 ? 2 : 1;
  for (int k = 0; k < corners; ++k) {
    const int bits = around[k];
    int corner = id;
    if (free_count >= 1 && (bits & 1)) corner |= 1 << free[0];
    if (free_count >= 2 && (bits & 2)) corner |= 1 << free[1];
    feature.add(box_corner(half, corner), corner);
  }
}

// Ids on the rims of a cylinder: the point that reaches farthest is the first of its rim.
constexpr int rim_points = 16;
constexpr int rim_id[2] = {16, 64};

// The point k of the rim of a cap, the first being where `out` points.
void add_rim_point(const Vec3& half, const Eigen::Vector2d& out, int cap, int k, Feature& feature) {
  const double angle = 2.0 * std::numbers::pi * k / rim_points, r = half.x();
  const double c = k == 0 ? 1.0 : std::cos(angle), s = k == 0 ? 0.0 : std::sin(angle);
  feature.add({r * (c * out.x() - s * out.y()), r * (s * out.x() + c * out.y()),
               cap ? half.z() : -half.z()},
              rim_id[cap] + k);
}

// Where a direction points across the axis of a cylinder. A cap that lies flat has no lowest point:
// its points are then fixed to the body.
Eigen::Vector2d find_way_out(const Eigen::Vector2d& across, double size) {
  constexpr double no_tilt = 1e-9;
  const double tilt = across.norm();
  return tilt > no_tilt * size ? Eigen::Vector2d(across / tilt) : Eigen::Vector2d::UnitX();
}

void find_cylinder_feature(const Vec3& half, const Vec3& d, double sine, Feature& feature) {
  const double tilt = std::hypot(d.x(), d.y());
  const int top = d.z() < 0.0 ? 0 : 1;
  const Eigen::Vector2d out = find_way_out(d.head<2>(), 1.0);
  const auto rim = [&](int cap, int k) { add_rim_point(half, out, cap, k, feature); };
  if (tilt < sine) {
    for (int k = 0; k < rim_points; ++k) rim(top, k);
  } else if (std::abs(d.z()) < sine) {
    rim(0, 0);
    rim(1, 0);
  } else {
    rim(top, 0);
  }
}

void find_triangle_feature(std::span<const Vec3> v, const Vec3& d, double sine, Feature& feature) {
  const Vec3 n = (v[1] - v[0]).cross(v[2] - v[0]);
  if (n.cross(d).norm() < sine * n.norm()) {
    for (int i = 0; i < 3; ++i) feature.add(v[static_cast<std::size_t>(i)], i);
    return;
  }
  const std::size_t i = static_cast<std::size_t>(find_farthest(v, d));
  const std::size_t a = (i + 1) % 3, b = (i + 2) % 3;
  const double slope_a = std::abs((v[a] - v[i]).normalized().dot(d));
  const double slope_b = std::abs((v[b] - v[i]).normalized().dot(d));
  const std::size_t j = slope_a < slope_b ? a : b;
  feature.add(v[i], static_cast<int>(i));
  if (std::min(slope_a, slope_b) < sine) feature.add(v[j], static_cast<int>(j));
}

// The face, edge or corner must hold the vertex that reaches farthest: the face that is most nearly
// perpendicular to the direction may be another one.
void find_hull_feature(const Hull& hull, const Vec3& d, double sine, Feature& feature) {
  const auto vertex = [&](int i) { return hull.vertices[static_cast<std::size_t>(i)]; };
  const int farthest =
      hull.vertices.size() > few_vertices ? climb(hull, d) : find_farthest(hull.vertices, d);
  const Hull::Face* best = nullptr;
  for (const Hull::Face& face : hull.faces)
    if (std::ranges::find(hull.corners(face), farthest) != hull.corners(face).end() &&
        (!best || face.normal.dot(d) > best->normal.dot(d)))
      best = &face;
  if (best && best->normal.cross(d).norm() < sine && best->normal.dot(d) > 0.0) {
    const std::span<const int> corners = hull.corners(*best);
    const auto first =
        static_cast<std::size_t>(std::ranges::find(corners, farthest) - corners.begin());
    const std::size_t every = (corners.size() + most_corners - 1) / most_corners;
    for (std::size_t k = 0; k < corners.size(); k += every) {
      const int corner = corners[(first + k) % corners.size()];
      feature.add(vertex(corner), corner);
    }
    return;
  }
  feature.add(vertex(farthest), farthest);
  int along = -1;
  double least = sine;
  for (const int j : hull.neighbours_of(farthest)) {
    const double slope = std::abs((vertex(j) - vertex(farthest)).normalized().dot(d));
    if (slope < least) least = slope, along = j;
  }
  if (along >= 0) feature.add(vertex(along), along);
}

void to_world(const Convex& body, Feature& feature) {
  for (int i = 0; i < feature.count; ++i) {
    Vec3& x = feature.points[static_cast<std::size_t>(i)].x;
    x = body.p + body.R * x;
  }
}

}  // namespace

Vec3 find_support(const Convex& body, const Vec3& direction) {
  if (body.core == Core::point) return body.p;
  const Vec3 d = body.R.transpose() * direction;
  Vec3 local = Vec3::Zero();
  switch (body.core) {
    case Core::point: break;
    case Core::segment: local.z() = with_sign(body.half.z(), d.z()); break;
    case Core::box:
      for (int i = 0; i < 3; ++i) local(i) = with_sign(body.half(i), d(i));
      break;
    case Core::cylinder: {
      const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
      if (across > 0.0) local.head<2>() = body.half.x() / across * d.head<2>();
      local.z() = with_sign(body.half.z(), d.z());
      break;
    }
    case Core::hull:
    case Core::triangle:
      local = body.vertices[static_cast<std::size_t>(find_farthest_vertex(body, d))];
      break;
  }
  return body.p + body.R * local;
}

double compute_separation(const Convex& a, const Convex& b, const Vec3& n) {
  return n.dot(find_support(b, -n) - find_support(a, n));
}

void find_feature(const Convex& body, const Vec3& direction, Feature& feature, double sine) {
  feature.count = 0;
  const Vec3 d = body.R.transpose() * direction;
  switch (body.core) {
    case Core::point: feature.add(Vec3::Zero(), 0); break;
    case Core::segment:
      if (std::abs(d.z()) < sine || d.z() < 0.0) feature.add({0, 0, -body.half.z()}, 0);
      if (std::abs(d.z()) < sine || d.z() > 0.0) feature.add({0, 0, body.half.z()}, 1);
      break;
    case Core::box: find_box_feature(body.half, d, sine, feature); break;
    case Core::cylinder: find_cylinder_feature(body.half, d, sine, feature); break;
    case Core::hull: find_hull_feature(*body.hull, d, sine, feature); break;
    case Core::triangle: find_triangle_feature(body.vertices, d, sine, feature); break;
  }
  to_world(body, feature);
}

void find_lowest(const Convex& body, const Vec3& direction, Feature& feature) {
  feature.count = 0;
  if (body.core == Core::box) {
    for (int id = 0; id < 8; ++id) feature.add(box_corner(body.half, id), id);
  } else if (body.core == Core::segment) {
    feature.add({0, 0, -body.half.z()}, 0);
    feature.add({0, 0, body.half.z()}, 1);
  } else {
    find_feature(body, direction, feature);
    return;
  }
  to_world(body, feature);
}

void find_farthest(const Convex& body, Feature& feature) {
  if (body.core == Core::cylinder) {
    feature.count = 0;
    const Vec3 centre = body.R.transpose() * body.p;
    const Eigen::Vector2d out = find_way_out(centre.head<2>(), body.half.x());
    for (int cap = 0; cap < 2; ++cap)
      for (int k = 0; k < rim_points; ++k) add_rim_point(body.half, out, cap, k, feature);
    to_world(body, feature);
  } else if (body.core == Core::hull) {
    feature.count = 0;
    const Hull& hull = *body.hull;
    const auto vertex = [&](int i) { return hull.vertices[static_cast<std::size_t>(i)]; };
    const int count = static_cast<int>(hull.vertices.size());
    int farthest = 0;
    double most = -1.0;
    for (int i = 0; i < count; ++i) {
      if (count <= most_corners) feature.add(vertex(i), i);
      const double distance = (body.p + body.R * vertex(i)).squaredNorm();
      if (distance > most) most = distance, farthest = i;
    }
    if (count > most_corners) {
      feature.add(vertex(farthest), farthest);
      for (const int i : hull.neighbours_of(farthest))
        if (feature.count < most_corners) feature.add(vertex(i), i);
    }
    to_world(body, feature);
  } else {
    find_lowest(body, -body.p, feature);  // all corners of a box, both ends of a segment
  }
}

}  // namespace ligament
