// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/jointed_bodies.h"

namespace ligament::papers {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Matrix3d cross(const Vector3d& a) {
  Matrix3d out;
  out << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return out;
}

// Values and rows of the joint.
struct Joint {
  Eigen::VectorXd g;
  Eigen::MatrixXd A;

  Joint(const std::vector<RigidBody>& bodies, Arms arms) {
    const bool alone = bodies.size() == 1;
    const int count = alone ? 3 : 5;
    g.setZero(count);
    A.setZero(count, 6 * static_cast<int>(bodies.size()));
    Vector3d middle = Vector3d::Zero();
    for (const RigidBody& body : bodies)
      middle += (body.x + body.R * body.anchor) / static_cast<double>(bodies.size());
    double side = alone ? 1.0 : -1.0;  // the joint is where the last body is, seen from the first
    for (std::size_t i = 0; i < bodies.size(); ++i, side = 1.0) {
      const RigidBody& body = bodies[i];
      const Vector3d own = body.R * body.anchor;
      const Vector3d arm = arms == Arms::common ? Vector3d(middle - body.x) : own;
      const auto at = static_cast<Eigen::Index>(6 * i);
      g.head<3>() += side * (body.x + own);
      A.block<3, 3>(0, at) = side * Matrix3d::Identity();
      A.block<3, 3>(0, at + 3) = -side * cross(arm);
    }
    if (alone) return;
    const Vector3d axis = bodies[1].R * Vector3d::UnitZ();
    for (int i = 0; i < 2; ++i) {
      const Vector3d across = bodies[0].R * Vector3d::Unit(i);
      g(3 + i) = across.dot(axis);
      A.block<1, 3>(3 + i, 3) = across.cross(axis).transpose();
      A.block<1, 3>(3 + i, 9) = -across.cross(axis).transpose();
    }
  }
};

bool keeps_momentum(GyroscopicRule rule) {
  return rule == GyroscopicRule::midpoint || rule == GyroscopicRule::symmetrized;
}

// Of I w + (h/2) w × I w.
Matrix3d tangent_of(const Matrix3d& I, const Vector3d& w, double h) {
  return I + 0.5 * h * (cross(w) * I - cross(I * w));
}

// w with I w + (h/2) w × I w = l, by Newton's method.
Vector3d solve_midpoint(const Matrix3d& I, const Vector3d& l, double h, Vector3d w) {
  for (int i = 0; i < 20; ++i) {
    const Vector3d miss = I * w + 0.5 * h * w.cross(I * w) - l;
    if (miss.norm() <= 1e-14 * l.norm()) break;
    w -= tangent_of(I, w, h).partialPivLu().solve(miss);
  }
  return w;
}

// The angular velocity at the end of a free step, in the axes of its start.
Vector3d turn_freely(const RigidBody& body, GyroscopicRule rule, double h) {
  if (rule == GyroscopicRule::none) return body.w;
  if (keeps_momentum(rule)) {
    const Matrix3d I = body.inertia();
    return solve_midpoint(I, *body.l, h, I.inverse() * *body.l);
  }
  const Vector3d w = body.R.conjugate() * body.w, l = body.moments.cwiseProduct(w);
  Matrix3d tangent = body.moments.asDiagonal();
  if (rule == GyroscopicRule::implicit_body)
    tangent += h * (cross(w) * Matrix3d(body.moments.asDiagonal()) - cross(l));
  return body.R * Vector3d(w - tangent.partialPivLu().solve(h * w.cross(l)));
}

// What stands in the place of the inertia in M.
Matrix3d effective_inertia(const RigidBody& body, GyroscopicRule rule, const Vector3d& w,
                           double h) {
  const Matrix3d I = body.inertia();
  if (!keeps_momentum(rule)) return I;
  const Matrix3d tangent = tangent_of(I, w, h);
  if (rule == GyroscopicRule::midpoint) return tangent;
  const Matrix3d inverse = tangent.inverse();
  return (0.5 * (inverse + inverse.transpose())).inverse();
}

// Velocities of the end of a step, and the impulse of the joint on this body.
void move(const Eigen::Matrix<double, 6, 1>& end, const Vector3d& impulse, GyroscopicRule rule,
          double h, RigidBody& body) {
  const Quaterniond before = body.R;
  body.v = end.head<3>();
  body.w = end.tail<3>();
  body.x += h * body.v;
  if (keeps_momentum(rule)) {
    *body.l += impulse;
    body.w = solve_midpoint(body.inertia(), *body.l, h, body.w);
    const Vector3d z = 0.5 * h * body.w;
    body.R = (Quaterniond(1.0, z.x(), z.y(), z.z()) * before).normalized();
    return;
  }
  const double speed = body.w.norm();
  if (speed > 0.0)
    body.R = (Quaterniond(Eigen::AngleAxisd(h * speed, body.w / speed)) * before).normalized();
  // In body axes it is what it was found to be there.
  if (rule == GyroscopicRule::implicit_body) body.w = body.R * (before.conjugate() * body.w);
}

}  // namespace

Matrix3d RigidBody::inertia() const {
  const Matrix3d axes = R.toRotationMatrix();
  return axes * moments.asDiagonal() * axes.transpose();
}

Vector3d RigidBody::spin() const { return l ? *l : Vector3d(inertia() * w); }

Vector3d RigidBody::angular_momentum() const { return mass * x.cross(v) + spin(); }

double JointedBodies::energy() const {
  double sum = 0.0;
  for (const RigidBody& body : bodies)
    sum += 0.5 * body.mass * body.v.squaredNorm() + body.mass * gravity * body.x.z() +
           0.5 * body.spin().dot(body.inertia().inverse() * body.spin());
  return sum;
}

Vector3d JointedBodies::angular_momentum() const {
  Vector3d sum = Vector3d::Zero();
  for (const RigidBody& body : bodies) sum += body.angular_momentum();
  return sum;
}

bool JointedBodies::step(GyroscopicRule rule, double h) {
  const auto columns = static_cast<Eigen::Index>(6 * bodies.size());
  Eigen::VectorXd v(columns), free(columns);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(columns, columns);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody& body = bodies[i];
    if (keeps_momentum(rule) && !body.l) body.l = body.spin();
    const auto at = static_cast<Eigen::Index>(6 * i);
    const Vector3d w = turn_freely(body, rule, h);
    v.segment<3>(at) = body.v;
    v.segment<3>(at + 3) = body.w;
    free.segment<3>(at) = body.v - h * gravity * Vector3d::UnitZ();
    free.segment<3>(at + 3) = w;
    W.block<3, 3>(at, at) = Matrix3d::Identity() / body.mass;
    W.block<3, 3>(at + 3, at + 3) = effective_inertia(body, rule, w, h).inverse();
  }
  const Joint joint(bodies, arms);
  const double upsilon = 1.0 / (1.0 + 4.0 * rows.theta);
  Eigen::MatrixXd S = joint.A * W * joint.A.transpose();
  S.diagonal().array() += 4.0 * rows.compliance * upsilon / (h * h);
  const Eigen::VectorXd b = upsilon * (joint.A * v - 4.0 / h * joint.g);
  const Eigen::VectorXd y = S.partialPivLu().solve(b - joint.A * free);
  const Eigen::VectorXd impulse = joint.A.transpose() * y, end = free + W * impulse;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    move(end.segment<6>(at), impulse.segment<3>(at + 3), rule, h, bodies[i]);
  }
  return end.allFinite();
}

}  // namespace ligament::papers
