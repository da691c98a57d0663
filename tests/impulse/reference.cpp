// SPDX-License-Identifier: Apache-2.0
#include "impulse/reference.h"

#include <Eigen/Dense>
#include <string>

#include "ligament/math/rotation.h"

namespace ligament::reference {
namespace {

Mat3 inertia_of(const Part& part) {
  if (part.is_particle()) return Mat3::Identity();  // never turns
  const Vec3 s = part.box.cwiseAbs2();
  return part.mass / 12.0 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal();
}

// A tie in the coordinates of its parts.
struct LocalTie {
  Tie::Kind kind;
  int a, b;
  Vec3 r_a, r_b;      // in body axes, or world points of the world
  Vec3 axis, t1, t2;  // axis in a, two directions across it in b
};

class Equations {
 public:
  explicit Equations(const System& system) : system_(system) {
    for (const Tie& tie : system.ties) {
      const auto local = [&](int i, const Vec3& point) -> Vec3 {
        if (i < 0) return point;
        const Part& part = system.parts[static_cast<std::size_t>(i)];
        return part.e.conjugate() * (point - part.x);
      };
      const auto turned = [&](int i, const Vec3& direction) -> Vec3 {
        return i < 0 ? direction
                     : Vec3(system.parts[static_cast<std::size_t>(i)].e.conjugate() * direction);
      };
      const Mat3 frame = frame_with_z_along(tie.axis.normalized()).toRotationMatrix();
      ties_.push_back({tie.kind, tie.a, tie.b, local(tie.a, tie.point_a), local(tie.b, tie.point_b),
                       turned(tie.a, frame.col(2)), turned(tie.b, frame.col(0)),
                       turned(tie.b, frame.col(1))});
    }
  }

  // J (rows × 6 parts) and J̇ v.
  void rows(const std::vector<Part>& parts, MatX& J, VecX& gamma) const {
    int count = 0;
    for (const LocalTie& tie : ties_)
      count += tie.kind == Tie::Kind::distance ? 1 : tie.kind == Tie::Kind::ball ? 3 : 5;
    J.setZero(count, static_cast<int>(6 * parts.size()));
    gamma.setZero(count);
    int row = 0;
    const Part still{};
    const auto part_of = [&](int i) -> const Part& {
      return i < 0 ? still : parts[static_cast<std::size_t>(i)];
    };
    const auto put = [&](int i, const Vec3& linear, const Vec3& angular) {
      if (i < 0) return;
      J.row(row).segment<3>(6 * i) += linear.transpose();
      if (!part_of(i).is_particle()) J.row(row).segment<3>(6 * i + 3) += angular.transpose();
    };
    for (const LocalTie& tie : ties_) {
      const Part &a = part_of(tie.a), &b = part_of(tie.b);
      const Vec3 r_a = a.e * tie.r_a, r_b = b.e * tie.r_b;
      const Vec3 d = b.x + r_b - a.x - r_a;
      const Vec3 rate = b.v + b.w.cross(r_b) - a.v - a.w.cross(r_a);
      const Vec3 central = b.w.cross(b.w.cross(r_b)) - a.w.cross(a.w.cross(r_a));
      const auto put_point = [&](const Vec3& n) {
        put(tie.a, -n, -r_a.cross(n));
        put(tie.b, n, r_b.cross(n));
        gamma(row) = n.dot(central);
      };
      if (tie.kind == Tie::Kind::distance) {
        put_point(d);
        gamma(row++) += rate.squaredNorm();
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        put_point(Vec3::Unit(i));
        ++row;
      }
      if (tie.kind == Tie::Kind::ball) continue;
      const Vec3 n = a.e * tie.axis;
      for (const Vec3& local : {tie.t1, tie.t2}) {
        const Vec3 t = b.e * local, c = n.cross(t);
        put(tie.a, Vec3::Zero(), c);
        put(tie.b, Vec3::Zero(), -c);
        gamma(row++) = a.w.cross(a.w.cross(n)).dot(t) + 2.0 * a.w.cross(n).dot(b.w.cross(t)) +
                       n.dot(b.w.cross(b.w.cross(t)));
      }
    }
  }

  MatX inverse_mass(const std::vector<Part>& parts) const {
    MatX W = MatX::Zero(static_cast<int>(6 * parts.size()), static_cast<int>(6 * parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const int at = static_cast<int>(6 * i);
      const Mat3 R = parts[i].e.normalized().toRotationMatrix();
      W.block<3, 3>(at, at) = Mat3::Identity() / parts[i].mass;
      W.block<3, 3>(at + 3, at + 3) = R * inertia_of(parts[i]).inverse() * R.transpose();
    }
    return W;
  }

  VecX accelerations(const std::vector<Part>& parts) const {
    MatX J;
    VecX gamma;
    rows(parts, J, gamma);
    const MatX W = inverse_mass(parts);
    VecX f = VecX::Zero(W.rows());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const int at = static_cast<int>(6 * i);
      f.segment<3>(at) = part.mass * system_.gravity;
      const Mat3 R = part.e.normalized().toRotationMatrix();
      f.segment<3>(at + 3) = -part.w.cross(R * inertia_of(part) * R.transpose() * part.w);
    }
    const VecX free = W * f;
    return free + W * J.transpose() * solve(J * W * J.transpose(), -gamma - J * free);
  }

  static VecX solve(const MatX& S, const VecX& r) {
    Eigen::CompleteOrthogonalDecomposition<MatX> qr(S);
    return qr.solve(r);
  }

 private:
  const System& system_;
  std::vector<LocalTie> ties_;
};

// parts ⊕ dt · (rates of `at`).
std::vector<Part> advance(const std::vector<Part>& parts, const std::vector<Part>& at,
                          const VecX& a, double dt) {
  std::vector<Part> out = parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out[i].x += dt * at[i].v;
    out[i].v += dt * a.segment<3>(static_cast<int>(6 * i));
    if (parts[i].is_particle()) continue;
    const Vec3& w = at[i].w;
    out[i].e.coeffs() += 0.5 * dt * (Quat(0.0, w.x(), w.y(), w.z()) * at[i].e).coeffs();
    out[i].w += dt * a.segment<3>(static_cast<int>(6 * i + 3));
  }
  return out;
}

}  // namespace

void correct_velocities(System& system) {
  const Equations equations(system);
  MatX J;
  VecX gamma;
  equations.rows(system.parts, J, gamma);
  const MatX W = equations.inverse_mass(system.parts);
  VecX v(W.rows());
  for (std::size_t i = 0; i < system.parts.size(); ++i)
    v.segment<6>(static_cast<int>(6 * i)) << system.parts[i].v, system.parts[i].w;
  v -= W * J.transpose() * Equations::solve(J * W * J.transpose(), J * v);
  for (std::size_t i = 0; i < system.parts.size(); ++i) {
    system.parts[i].v = v.segment<3>(static_cast<int>(6 * i));
    system.parts[i].w = v.segment<3>(static_cast<int>(6 * i + 3));
  }
}

std::vector<Part> integrate(const System& system, double T, int steps) {
  const Equations equations(system);
  const double h = T / steps;
  std::vector<Part> y = system.parts;
  for (int k = 0; k < steps; ++k) {
    const VecX a1 = equations.accelerations(y);
    const auto y2 = advance(y, y, a1, 0.5 * h);
    const VecX a2 = equations.accelerations(y2);
    const auto y3 = advance(y, y2, a2, 0.5 * h);
    const VecX a3 = equations.accelerations(y3);
    const auto y4 = advance(y, y3, a3, h);
    const VecX a4 = equations.accelerations(y4);
    std::vector<Part> next = advance(y, y, a1, h / 6.0);
    next = advance(next, y2, a2, h / 3.0);
    next = advance(next, y3, a3, h / 3.0);
    next = advance(next, y4, a4, h / 6.0);
    for (Part& part : next) part.e.normalize();
    y = next;
  }
  return y;
}

Model make_model(const System& system) {
  ModelBuilder b{{.gravity = system.gravity}};
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < system.parts.size(); ++i) {
    const Part& part = system.parts[i];
    BodySpec spec{.name = "P" + std::to_string(i + 1),
                  .mass = {.mass = part.mass},
                  .position = part.x,
                  .velocity = part.v};
    if (part.is_particle()) {
      spec.kind = BodyKind::particle;
    } else {
      spec.mass.inertia = inertia_of(part);
      spec.orientation = part.e;
      spec.angular_velocity = part.w;
    }
    ids.push_back(b.add_body(spec));
  }
  const auto id = [&](int i) { return i < 0 ? world : ids[static_cast<std::size_t>(i)]; };
  for (const Tie& tie : system.ties) {
    if (tie.kind == Tie::Kind::ball)
      b.add_joint(Ball{.a = id(tie.a), .b = id(tie.b), .point = tie.point_a});
    else if (tie.kind == Tie::Kind::hinge)
      b.add_joint(Hinge{.a = id(tie.a), .b = id(tie.b), .point = tie.point_a, .axis = tie.axis});
    else
      b.add_joint(
          Distance{.a = id(tie.a), .b = id(tie.b), .point_a = tie.point_a, .point_b = tie.point_b});
  }
  return std::move(b).build();
}

double position_error(const Model& model, const State& state, const std::vector<Part>& reference) {
  double sum = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const Frame pose = compute_pose(model, state, BodyId{static_cast<std::uint32_t>(i + 1)});
    sum += (pose.p - reference[i].x).squaredNorm();
    if (!reference[i].is_particle())
      sum += (pose.R.toRotationMatrix() - reference[i].e.toRotationMatrix()).squaredNorm();
  }
  return std::sqrt(sum);
}

double velocity_error(const Model& model, const State& state, const std::vector<Part>& reference) {
  double sum = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const BodyId id{static_cast<std::uint32_t>(i + 1)};
    sum += (velocity_of(model, state, id) - reference[i].v).squaredNorm();
    if (!reference[i].is_particle())
      sum += (compute_angular_velocity(model, state, id) - reference[i].w).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace ligament::reference
