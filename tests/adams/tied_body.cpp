// SPDX-License-Identifier: Apache-2.0
#include "adams/tied_body.h"

#include <Eigen/Dense>

namespace ligament::adams {
namespace {

// At most six rows: enough to hold a body.
using Jacobian = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, 6, 6>;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

struct Acceleration {
  Vec3 a, alpha;
};

// J and γ of all ties.
void build_ties(const TiedBody& body, const BodyMotion& s, Jacobian& J, Rows& gamma) {
  const auto count = static_cast<long>(body.slots.size() + body.rods.size() + body.angles.size());
  J.resize(count, 6);
  gamma.resize(count);
  long row = 0;
  const auto swirl = [&](const Vec3& r) -> Vec3 { return s.w.cross(s.w.cross(r)); };
  for (const TiedBody::Slot& slot : body.slots) {
    const Vec3 r = s.R * slot.on_body;
    J.row(row) << slot.along.transpose(), r.cross(slot.along).transpose();
    gamma(row++) = slot.along.dot(swirl(r));
  }
  for (const TiedBody::Rod& rod : body.rods) {
    const Vec3 r = s.R * rod.on_body, d = s.x + r - rod.on_ground;
    J.row(row) << d.transpose(), r.cross(d).transpose();
    gamma(row++) = d.dot(swirl(r)) + (s.v + s.w.cross(r)).squaredNorm();
  }
  for (const TiedBody::Angle& angle : body.angles) {
    const Vec3 u = s.R * angle.of_body;
    J.row(row) << Vec3::Zero().transpose(), u.cross(angle.of_ground).transpose();
    gamma(row++) = angle.of_ground.dot(swirl(u));
  }
}

Mat3 world_inertia(const TiedBody& body, const BodyMotion& s) {
  const Mat3 R = s.R.toRotationMatrix();
  return R * body.moments.asDiagonal() * R.transpose();
}

Acceleration accelerate(const TiedBody& body, const BodyMotion& s) {
  const Mat3 I = world_inertia(body, s);
  Eigen::Matrix<double, 6, 6> inverse_mass = Eigen::Matrix<double, 6, 6>::Zero();
  inverse_mass.diagonal().head<3>().setConstant(1.0 / body.mass);
  inverse_mass.bottomRightCorner<3, 3>() = I.inverse();
  const JointLoad spring = body.spring ? body.spring(s) : JointLoad{};
  Eigen::Matrix<double, 6, 1> f;
  f << body.mass * body.gravity + spring.force, spring.torque - s.w.cross(I * s.w);
  Eigen::Matrix<double, 6, 1> acceleration = inverse_mass * f;
  Jacobian J;
  Rows gamma;
  build_ties(body, s, J, gamma);
  if (J.rows() > 0) {
    const Square S = J * inverse_mass * J.transpose();
    const Rows lambda = S.ldlt().solve(-gamma - J * acceleration);
    acceleration += inverse_mass * J.transpose() * lambda;
  }
  return {acceleration.head<3>(), acceleration.tail<3>()};
}

// s + h·(slope), the slope with velocities and accelerations given.
BodyMotion moved(const BodyMotion& s, double h, const BodyMotion& at, const Acceleration& k) {
  BodyMotion out;
  out.x = s.x + h * at.v;
  out.v = s.v + h * k.a;
  out.w = s.w + h * k.alpha;
  const Quat rate = Quat(0, at.w.x(), at.w.y(), at.w.z()) * at.R;
  out.R.coeffs() = s.R.coeffs() + 0.5 * h * rate.coeffs();
  return out;
}

BodyMotion step(const TiedBody& body, const BodyMotion& s, double h) {
  const auto unit = [](BodyMotion y) {
    y.R.normalize();
    return y;
  };
  const Acceleration k1 = accelerate(body, s);
  const BodyMotion s2 = unit(moved(s, 0.5 * h, s, k1));
  const Acceleration k2 = accelerate(body, s2);
  const BodyMotion s3 = unit(moved(s, 0.5 * h, s2, k2));
  const Acceleration k3 = accelerate(body, s3);
  const BodyMotion s4 = unit(moved(s, h, s3, k3));
  const Acceleration k4 = accelerate(body, s4);
  BodyMotion out = moved(s, h / 6.0, s, k1);
  out = moved(out, h / 3.0, s2, k2);
  out = moved(out, h / 3.0, s3, k3);
  return unit(moved(out, h / 6.0, s4, k4));
}

// Newton's and Euler's laws, solved for what the ground must exert.
JointLoad compute_reaction(const TiedBody& body, const BodyMotion& s) {
  const Acceleration k = accelerate(body, s);
  const Mat3 I = world_inertia(body, s);
  const Vec3 force = body.mass * (k.a - body.gravity);
  const Vec3 torque = I * k.alpha + s.w.cross(I * s.w);
  return {.force = -force, .torque = -torque - (s.x - body.reaction_point).cross(force)};
}

}  // namespace

std::vector<BodySample> integrate(const TiedBody& body, double every, long samples, int steps) {
  std::vector<BodySample> track;
  BodyMotion s = body.start;
  for (long i = 0; i < samples; ++i) {
    if (i > 0)
      for (int k = 0; k < steps; ++k) s = step(body, s, every / steps);
    track.push_back({s, compute_reaction(body, s)});
  }
  return track;
}

}  // namespace ligament::adams
