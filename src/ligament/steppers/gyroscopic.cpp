// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/gyroscopic.h"

#include <Eigen/LU>
#include <cmath>

#include "ligament/math/rotation.h"

namespace ligament {
namespace {

constexpr double newton_tolerance = 1e-13;  // of |l|
constexpr int most_iterations = 20;
constexpr int most_halvings = 8;

// F(w) = I w + (h/2) w × I w − l.
Vec3 midpoint_defect(const Vec3& I, const Vec3& l, double h, const Vec3& w) {
  const Vec3 Iw = I.cwiseProduct(w);
  return Iw + 0.5 * h * w.cross(Iw) - l;
}

}  // namespace

Mat3 compute_midpoint_tangent(const Vec3& I, const Vec3& w, double h) {
  const double k = 0.5 * h;
  Mat3 T;
  T << I(0), k * w(2) * (I(2) - I(1)), k * w(1) * (I(2) - I(1)),  //
      k * w(2) * (I(0) - I(2)), I(1), k * w(0) * (I(0) - I(2)),   //
      k * w(1) * (I(1) - I(0)), k * w(0) * (I(1) - I(0)), I(2);
  return T;
}

Vec3 guess_midpoint(const Vec3& I, const Vec3& l, double h) {
  const Vec3 w = l.cwiseQuotient(I);
  return w - 0.5 * h * w.cross(l).cwiseQuotient(I);
}

bool solve_midpoint(const Vec3& I, const Vec3& l, double h, Vec3& w) {
  const double goal = newton_tolerance * newton_tolerance * l.squaredNorm();
  Vec3 defect = midpoint_defect(I, l, h, w);
  double size = defect.squaredNorm();
  for (int iteration = 0; size > goal; ++iteration) {
    if (iteration == most_iterations || !std::isfinite(size)) return false;
    const Vec3 step = compute_midpoint_tangent(I, w, h).inverse() * defect;
    double share = 1.0;
    for (int halving = 0;; ++halving, share *= 0.5) {
      const Vec3 trial = w - share * step;
      const Vec3 trial_defect = midpoint_defect(I, l, h, trial);
      const double trial_size = trial_defect.squaredNorm();
      if (trial_size < size) {
        w = trial, defect = trial_defect, size = trial_size;
        break;
      }
      // No progress: either rounding is the limit, which is as good as it gets, or Newton is lost.
      if (halving == most_halvings) return size <= 1e4 * goal;
    }
  }
  return true;
}

bool is_positive_definite(const Mat3& tangent) {
  const Mat3 S = 0.5 * (tangent + tangent.transpose());
  return S(0, 0) > 0.0 && S(0, 0) * S(1, 1) - S(0, 1) * S(0, 1) > 0.0 && S.determinant() > 0.0;
}

Quat compute_symmetric_top_drift(const Vec3& I, const Vec3& l_W, double h, const Quat& e_WP) {
  // Axes a, b with the closest 1/I, c the third: the top that is symmetric about c is closest to
  // it.
  const Vec3 inverse = I.cwiseInverse();
  int c = 0;
  double closest = std::abs(inverse(1) - inverse(2));
  for (int i = 1; i < 3; ++i) {
    const double gap = std::abs(inverse((i + 1) % 3) - inverse((i + 2) % 3));
    if (gap < closest) closest = gap, c = i;
  }
  const int a = (c + 1) % 3, b = (c + 2) % 3;

  Quat e = e_WP;
  const auto turn_about_body_axis = [&](int axis, double time) {
    const double l_axis = (e.conjugate() * l_W)(axis);
    e = e * rotation_by(time * (inverse(axis) - inverse(a)) * l_axis * Vec3::Unit(axis));
  };
  turn_about_body_axis(b, 0.5 * h);
  e = rotation_by(h * inverse(a) * l_W) * e;
  turn_about_body_axis(c, h);
  turn_about_body_axis(b, 0.5 * h);
  return e.normalized();
}

Quat compute_axes_drift(const Vec3& I, const Vec3& l_W, double h, const Quat& e_WP) {
  Quat e = e_WP;
  const auto turn = [&](int axis, double time) {
    const double l_axis = (e.conjugate() * l_W)(axis);
    e = e * rotation_by(time * l_axis / I(axis) * Vec3::Unit(axis));
  };
  turn(0, 0.5 * h);
  turn(1, 0.5 * h);
  turn(2, h);
  turn(1, 0.5 * h);
  turn(0, 0.5 * h);
  return e.normalized();
}

}  // namespace ligament
