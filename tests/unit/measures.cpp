// SPDX-License-Identifier: Apache-2.0
// Energy, momentum and violation against sums over the material points of bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ligament/measure/violation.h"
#include "support/machines.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

struct PointSums {
  double kinetic = 0.0, potential = 0.0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();

  void add(double mass, const Vec3& x, const Vec3& v, const Vec3& gravity) {
    kinetic += 0.5 * mass * v.squaredNorm();
    potential -= mass * gravity.dot(x);
    linear += mass * v;
    angular += mass * x.cross(v);
  }
};

void expect_sums(const Model& model, const PointSums& sums) {
  const Energy energy = compute_energy(model, model.initial_state());
  const Momentum momentum = compute_momentum(model, model.initial_state());
  EXPECT_NEAR(energy.kinetic, sums.kinetic, 1e-12 * sums.kinetic);
  EXPECT_NEAR(energy.potential, sums.potential, 1e-12 * std::abs(sums.potential));
  EXPECT_LT((momentum.linear - sums.linear).norm(), 1e-12 * sums.linear.norm());
  EXPECT_LT((momentum.angular - sums.angular).norm(), 1e-12 * sums.angular.norm());
}

const Vec3 gravity{1, -2, -9};
const Vec3 x{0.3, -0.7, 2.0}, v{1.5, 0.2, -0.4}, w{3.0, -1.0, 2.0};

// Eight equal points at (±a, ±b, ±c) have the inertia m (b² + c²), … : a rigid body made of points.
TEST(Measures, of_a_rigid_body_are_those_of_its_points) {
  const Vec3 corner{0.3, 0.4, 0.5};
  const Quat e = Random(1).rotation();
  const double m = 2.0;
  ModelBuilder b{{.gravity = gravity}};
  const Vec3 s = corner.cwiseAbs2();
  const Mat3 inertia = (m * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal();
  b.add_body({.mass = {.mass = m, .inertia = inertia},
              .position = x,
              .orientation = e,
              .velocity = v,
              .angular_velocity = w});
  PointSums sums;
  for (int i = 0; i < 8; ++i) {
    const Vec3 sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    const Vec3 r = e * corner.cwiseProduct(sign);
    sums.add(m / 8, x + r, v + w.cross(r), gravity);
  }
  expect_sums(std::move(b).build(), sums);
}

// A rod has the moment m l²/12: that of two points at ± l/√12.
TEST(Measures, of_a_rod_are_those_of_its_points) {
  const double m = 3.0, length = 1.7;
  const Quat e = Random(2).rotation();
  ModelBuilder b{{.gravity = gravity}};
  b.add_body({.kind = BodyKind::rod,
              .mass = {.mass = m},
              .length = length,
              .position = x,
              .orientation = e,
              .velocity = v,
              .angular_velocity = w});
  PointSums sums;
  for (const double side : {-1.0, 1.0}) {
    const Vec3 r = side * length / std::sqrt(12.0) * (e * Vec3::UnitX());
    sums.add(m / 2, x + r, v + w.cross(r), gravity);
  }
  expect_sums(std::move(b).build(), sums);
}

TEST(Measures, of_a_particle_are_those_of_a_point) {
  ModelBuilder b{{.gravity = gravity}};
  b.add_body({.kind = BodyKind::particle, .mass = {.mass = 3.0}, .position = x, .velocity = v});
  PointSums sums;
  sums.add(3.0, x, v, gravity);
  expect_sums(std::move(b).build(), sums);
}

// A constant force has the potential −f·x.
TEST(Measures, count_the_potential_of_applied_forces) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const Vec3 f{1, 2, 3};
  b.add_body({.kind = BodyKind::particle, .position = x, .force = f});
  const Model model = std::move(b).build();
  EXPECT_DOUBLE_EQ(compute_energy(model, model.initial_state()).potential, -f.dot(x));
}

TEST(Measures, angular_velocity_is_the_one_that_was_set) {
  for (const BodyKind kind : {BodyKind::rigid, BodyKind::rod}) {
    ModelBuilder b;
    const Quat e = Random(3).rotation();
    b.add_body({.kind = kind, .orientation = e, .angular_velocity = w});
    const Model model = std::move(b).build();
    const Vec3 u = e * Vec3::UnitX();
    // A rod has no spin about its axis.
    const Vec3 expected = kind == BodyKind::rod ? Vec3(w - w.dot(u) * u) : w;
    EXPECT_LT((compute_angular_velocity(model, model.initial_state(), {1}) - expected).norm(),
              1e-14);
  }
}

TEST(Violation, counts_holonomic_rows_only) {
  const Model model = machines::make_slider_crank();
  Workspace work(model);
  VecX g = VecX::Zero(21);
  g(3) = -3e-3;
  g(20) = 7.0;  // the motor, a velocity row
  const Violation violation = compute_violation(work.constraints, g);
  EXPECT_EQ(violation.rows, 20);
  EXPECT_EQ(violation.max, 3e-3);
  EXPECT_EQ(violation.worst_row, 3);
  EXPECT_DOUBLE_EQ(violation.rms(), 3e-3 / std::sqrt(20.0));
  EXPECT_EQ(name_of_row(work.constraints, model, work.problem.G, 3), "joint \"base\", axis tilt 1");
  EXPECT_EQ(name_of_row(work.constraints, model, work.problem.G, 20), "control \"motor\", motor");
}

TEST(Violation, of_a_row_that_is_not_a_number_is_not_a_number) {
  const Model model = machines::make_slider_crank();
  Workspace work(model);
  for (const int row : {0, 7, 19}) {
    VecX g = VecX::Constant(21, 1e-3);
    g(row) = std::numeric_limits<double>::quiet_NaN();
    const Violation violation = compute_violation(work.constraints, g);
    EXPECT_TRUE(std::isnan(violation.max)) << row;
    EXPECT_EQ(violation.worst_row, row);
  }
}

TEST(Violation, of_a_model_without_rows_is_zero) {
  const Violation violation = compute_violation({}, VecX());
  EXPECT_EQ(violation.max, 0.0);
  EXPECT_EQ(violation.rms(), 0.0);
}

}  // namespace
}  // namespace ligament
