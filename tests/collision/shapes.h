// SPDX-License-Identifier: Apache-2.0
// Bodies, poses and a referee for the tests of this folder.
//
// The gap is the maximum over all directions of the separation s(n) [CO.1]. Two statements together
// thus prove a gap, without a look at how it was found:
//
//     gap = s(n) at the normal it comes with            no larger than the true one,
//     no other direction has a larger s                 no smaller.
//
// s(n) here is written from the formulas of the support functions, not taken from the library:
//
//     s(n) = n·(p_B − p_A) − h_A(n) − h_B(−n),     h(n) = max n·(x − p) over the body.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "ligament/collision/separation.h"
#include "ligament/geometry/hull.h"
#include "support/measured.h"
#include "support/random.h"

namespace ligament {

inline Convex make_sphere(double r, const Vec3& p = Vec3::Zero()) { return {.p = p, .radius = r}; }

// l: half the length of the segment.
inline Convex make_capsule(double r, double l, const Vec3& p = Vec3::Zero(),
                           const Mat3& R = Mat3::Identity()) {
  return {.p = p, .radius = r, .core = Core::segment, .R = R, .half = {0, 0, l}};
}
inline Convex make_box(const Vec3& half, const Vec3& p = Vec3::Zero(),
                       const Mat3& R = Mat3::Identity()) {
  return {.p = p, .core = Core::box, .R = R, .half = half};
}
inline Convex make_cylinder(double r, double l, const Vec3& p = Vec3::Zero(),
                            const Mat3& R = Mat3::Identity()) {
  return {.p = p, .core = Core::cylinder, .R = R, .half = {r, r, l}};
}
// The hull must outlive the body.
inline Convex make_hull_body(const Hull& hull, const Vec3& p = Vec3::Zero(),
                             const Mat3& R = Mat3::Identity()) {
  Convex body{.p = p, .core = Core::hull, .R = R, .vertices = hull.vertices, .hull = &hull};
  double far = 0.0;
  for (const Vec3& x : hull.vertices) far = std::max(far, x.norm());
  body.half = Vec3::Constant(far / std::sqrt(3.0));
  return body;
}

inline Mat3 turn(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

inline const char* name_of(Core core) {
  constexpr const char* names[] = {"sphere", "capsule", "box", "cylinder", "hull", "triangle"};
  return names[static_cast<int>(core)];
}
inline std::string name_of(Core a, Core b) { return std::string(name_of(a)) + "_" + name_of(b); }

// GoogleTest prints parameters with it.
inline void PrintTo(Core core, std::ostream* out) { *out << name_of(core); }

// [m] the farthest point of a body from its origin.
inline double reach_of(const Convex& body) { return body.half.norm() + body.radius; }
inline double size_of(const Convex& a, const Convex& b) { return reach_of(a) + reach_of(b); }

// h(n), n in the axes of the body.
inline double reach_along(const Convex& body, const Vec3& n) {
  const Vec3& half = body.half;
  switch (body.core) {
    case Core::point: return body.radius;
    case Core::segment: return half.z() * std::abs(n.z()) + body.radius;
    case Core::box: return half.dot(n.cwiseAbs());
    case Core::cylinder:
      return half.z() * std::abs(n.z()) + half.x() * std::sqrt(n.x() * n.x() + n.y() * n.y());
    default: break;
  }
  double most = body.vertices[0].dot(n);
  for (const Vec3& x : body.vertices) most = std::max(most, x.dot(n));
  return most;
}

// s(n) of the bodies, radii included.
inline double separation_along(const Convex& a, const Convex& b, const Vec3& n) {
  return n.dot(b.p - a.p) - reach_along(a, a.R.transpose() * n) -
         reach_along(b, -(b.R.transpose() * n));
}

// [m] how far outside its core a point lies; 0 inside. Of a hull: outside the planes of its faces.
inline double distance_outside(const Convex& body, const Vec3& x) {
  const Vec3 local = body.R.transpose() * (x - body.p);
  const Vec3& half = body.half;
  switch (body.core) {
    case Core::cylinder: {
      const double across = std::max(local.head<2>().norm() - half.x(), 0.0);
      return std::hypot(across, std::max(std::abs(local.z()) - half.z(), 0.0));
    }
    case Core::hull: {
      double most = 0.0;
      for (const Hull::Face& face : body.hull->faces)
        most = std::max(most, face.normal.dot(local) - face.offset);
      return most;
    }
    default: return (local - local.cwiseMax(-half).cwiseMin(half)).norm();
  }
}

// `count` directions spread evenly over the sphere, in a spiral of golden angles.
inline std::vector<Vec3> spread_directions(int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, across = std::sqrt(1.0 - z * z);
    const double angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
    directions.push_back({across * std::cos(angle), across * std::sin(angle), z});
  }
  return directions;
}

// Directions that often are the best: normals of faces, products of edges, and from one body's
// axis or corner straight to the other's.
template <class Use>
void for_special_directions(const Convex& a, const Convex& b, const Use& use) {
  const auto both = [&](const Vec3& d) {
    const double length = d.norm();
    if (length < 1e-6) return;
    use(d / length);
    use(-d / length);
  };
  const Vec3 d = b.p - a.p;
  both(d);
  for (const Convex* body : {&a, &b}) {
    if (body->core == Core::point) continue;
    for (int i = 0; i < 3; ++i) {
      both(body->R.col(i));
      both(d - body->R.col(i).dot(d) * body->R.col(i));
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) both(a.R.col(i).cross(b.R.col(j)));
  if (a.hull)
    for (const Hull::Face& face : a.hull->faces) use(a.R * face.normal);
  if (b.hull)
    for (const Hull::Face& face : b.hull->faces) use(-(b.R * face.normal));
}

// Uphill on s from n: a ring of directions that narrows until it is `finest` wide. It ends at a
// local maximum to some finest · size, and at a smooth one to finest² · size.
inline double climb_separation(const Convex& a, const Convex& b, Vec3& n, double width,
                               double finest = 1e-9) {
  double most = separation_along(a, b, n), phase = 0.0;
  for (int step = 0; width > finest && step < 2000; ++step) {
    const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
    bool better = false;
    phase += 1.0;  // an angle that never comes back: ridges are met from all sides
    for (int k = 0; k < 12 && !better; ++k) {
      const double angle = phase + k * std::numbers::pi / 6.0;
      const Vec3 next = (n + width * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const double s = separation_along(a, b, next);
      if (s > most) most = s, n = next, better = true;
    }
    if (!better) width *= 0.6;
  }
  return most;
}

struct Pair {
  Convex a, b;
};

// All numbers of a pair, to repeat a failure with.
inline std::string describe(const Pair& pair) {
  std::string text;
  for (const Convex* body : {&pair.a, &pair.b}) {
    const auto add = [&](const char* what, const auto& v) {
      text += fmt::format("{}{{{:.17g}, {:.17g}, {:.17g}}} ", what, v.x(), v.y(), v.z());
    };
    text += fmt::format("\n{} radius {:.17g} ", name_of(body->core), body->radius);
    add("half", body->half);
    add("p", body->p);
    for (int i = 0; i < 3; ++i) add("column of R", body->R.col(i));
  }
  return text + '\n';
}

// The largest of many errors, and whose it is.
class Worst {
 public:
  void look(double error, const Pair& pair) {
    if (error <= error_) return;  // NaN is the worst
    if (std::isnan(error_)) return;
    error_ = error, pair_ = pair;
  }
  double error() const { return error_; }
  const Pair& pair() const { return pair_; }

 private:
  double error_ = 0.0;
  Pair pair_;
};
inline void expect_below(double bound, const Worst& worst, const std::string& what) {
  measured(what, worst.error());
  EXPECT_LE(worst.error(), bound) << what << describe(worst.pair());
}

}  // namespace ligament
