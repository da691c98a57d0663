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

  explicit Joint(const std::vector<RigidBody>& bodies) {
    const bool alone = bodies.size() == 1;
    const int count = alone ? 3 : 5;
    g.setZero(count);
    A.setZero(count, 6 * static_cast<int>(bodies.size()));
    double side = alone ? 1.0 : -1.0;  // the joint is where the last body is, seen from the first
    for (std::size_t i = 0; i < bodies.size(); ++i, side = 1.0) {
      const RigidBody& body = bodies[i];
      const Vector3d arm = body.R * body.anchor;
      const auto at = static_cast<Eigen::Index>(6 * i);
      g.head<3>() += side * (body.x + arm);
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

// The angular velocity at the end of a free step, in the axes of its start.
Vector3d turn_freely(const RigidBody& body, GyroscopicRule rule, double h) {
  if (rule == GyroscopicRule::none) return body.w;
  const Vector3d w = body.R.conjugate() * body.w, l = body.moments.cwiseProduct(w);
  Matrix3d tangent = body.moments.asDiagonal();
  if (rule == GyroscopicRule::implicit_body)
    tangent += h * (cross(w) * Matrix3d(body.moments.asDiagonal()) - cross(l));
  return body.R * Vector3d(w - tangent.partialPivLu().solve(h * w.cross(l)));
}

}  // namespace

Matrix3d RigidBody::inertia() const {
  const Matrix3d axes = R.toRotationMatrix();
  return axes * moments.asDiagonal() * axes.transpose();
}

Vector3d RigidBody::angular_momentum() const { return mass * x.cross(v) + inertia() * w; }

double JointedBodies::energy() const {
  double sum = 0.0;
  for (const RigidBody& body : bodies)
    sum += 0.5 * body.mass * body.v.squaredNorm() + 0.5 * body.w.dot(body.inertia() * body.w) +
           body.mass * gravity * body.x.z();
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
    const RigidBody& body = bodies[i];
    const auto at = static_cast<Eigen::Index>(6 * i);
    v.segment<3>(at) = body.v;
    v.segment<3>(at + 3) = body.w;
    free.segment<3>(at) = body.v - h * gravity * Vector3d::UnitZ();
    free.segment<3>(at + 3) = turn_freely(body, rule, h);
    W.block<3, 3>(at, at) = Matrix3d::Identity() / body.mass;
    W.block<3, 3>(at + 3, at + 3) = body.inertia().inverse();
  }
  const Joint joint(bodies);
  const double upsilon = 1.0 / (1.0 + 4.0 * rows.theta);
  Eigen::MatrixXd S = joint.A * W * joint.A.transpose();
  S.diagonal().array() += 4.0 * rows.compliance * upsilon / (h * h);
  const Eigen::VectorXd b = upsilon * (joint.A * v - 4.0 / h * joint.g);
  const Eigen::VectorXd y = S.ldlt().solve(b - joint.A * free);
  const Eigen::VectorXd end = free + W * joint.A.transpose() * y;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    RigidBody& body = bodies[i];
    const auto at = static_cast<Eigen::Index>(6 * i);
    const Quaterniond before = body.R;
    body.v = end.segment<3>(at);
    body.w = end.segment<3>(at + 3);
    body.x += h * body.v;
    const double speed = body.w.norm();
    if (speed > 0.0)
      body.R = (Quaterniond(Eigen::AngleAxisd(h * speed, body.w / speed)) * before).normalized();
    // In body axes it is what it was found to be there.
    if (rule == GyroscopicRule::implicit_body) body.w = body.R * (before.conjugate() * body.w);
  }
  return end.allFinite();
}

}  // namespace ligament::papers
