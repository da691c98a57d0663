// SPDX-License-Identifier: Apache-2.0
// A disc that rolls and wobbles: no slip at the touching point, and its energy is kept to the order
// of the step, for ideal rolling does no work.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/fit.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double g = 9.81, radius = 0.3, mass = 2.0, slip = 1e-8;

// Leaning by 0.3 rad, rolling along x at 2 m/s and turning its course at 0.4 rad/s: no steady turn.
Model make_wobbling_disc() {
  const double lean = 0.3, speed = 2.0, yaw = 0.4;
  const Vec3 up(0, -std::sin(lean), std::cos(lean));  // from the touching point to the centre
  const Vec3 axis(0, std::cos(lean), std::sin(lean));
  const Vec3 w = speed / radius * axis + yaw * up;
  const double axial = 0.5 * mass * radius * radius;
  ModelBuilder b{{.gravity = {0, 0, -g}}};
  const BodyId disc = b.add_body(
      {.mass = {.mass = mass, .inertia = Vec3(0.5 * axial, 0.5 * axial, axial).asDiagonal()},
       .position = radius * up,
       .orientation = frame_with_z_along(axis),
       .velocity = w.cross(radius * up),
       .angular_velocity = w});
  b.add_joint(
      RollingDisc{.b = disc, .point = radius * up, .axis = axis, .radius = radius, .slip = slip});
  return std::move(b).build();
}

struct Roll {
  double energy = 0.0;   // [J] farthest from the start
  double slipped = 0.0;  // [m/s] per N of friction, farthest from the slip
  double contact = 0.0;  // [m/s] fastest of the touching point, at the pose after the step
};

Roll roll(double h) {
  const Model model = make_wobbling_disc();
  State state = model.initial_state();
  Roll result;
  double start = 0.0;
  const auto look = [&](const Sample& sample) {
    if (sample.step == 0) start = sample.energy.total();
    result.energy = std::max(result.energy, std::abs(sample.energy.total() - start));
    if (sample.step == 0) return;
    const MatX G = make_dense(sample.work.problem.G);
    const VecX friction = sample.work.solution.lambda.tail(2) / h;
    const VecX creep = G.bottomRows(2) * sample.state.v + slip * friction;
    result.slipped = std::max(result.slipped, creep.norm());
    const MatX after = compute_rows(sample.model, sample.state).G;
    result.contact = std::max(result.contact, (after.bottomRows(2) * sample.state.v).norm());
  };
  const RunReport report = run(model, Spook{.h = h}, state, {.t_end = 3.0, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed);
  return result;
}

// The rows hold at the pose where the step begins, exactly but for the slip (and the velocity that
// follows from the momentum, which differs from that of the step problem by the gyroscopic tangent,
// O((h ω)³)). At the pose where it ends the touching point has moved on: h × ω × v ≈ h × 7 × 2 m/s.
// Energy ripples by half a step of gravity's power, h/2 × m g × the speed at which the centre
// sinks, here some 0.5 m/s, and by as much for the turn of the rows' directions.
TEST(RollingDisc, does_not_slip_and_keeps_its_energy_to_the_order_of_the_step) {
  std::vector<double> steps, energies, contacts;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Roll result = roll(h);
    steps.push_back(h);
    energies.push_back(result.energy);
    contacts.push_back(result.contact);
    const double hw = h * 7.0;
    EXPECT_LT(result.slipped, 2.0 * hw * hw * hw) << h;
    EXPECT_LT(result.contact, hw * 2.0) << h;
    EXPECT_LT(result.energy, h * 0.5 * mass * g * 2.0) << h;
    measured("slip against its law [m/s]", result.slipped);
  }
  measured("energy at h = 1e-3 [J]", energies.back());
  measured("speed of the touching point at h = 1e-3 [m/s]", contacts.back());
  EXPECT_GT(measured("order of the energy", fit_exponent(steps, energies)), 0.9);
  EXPECT_GT(measured("order of the speed of the touching point", fit_exponent(steps, contacts)),
            0.9);
}

// One holonomic row and two nonholonomic: three velocities are free, five coordinates can be
// reached.
TEST(RollingDisc, has_three_free_velocities_and_five_coordinates) {
  const Model model = make_wobbling_disc();
  const MatX G = compute_rows(model, model.initial_state()).G;
  ASSERT_EQ(G.rows(), 3);
  const VecX sizes = Eigen::JacobiSVD<MatX>(G).singularValues();
  EXPECT_GT(sizes.minCoeff(), 0.1);
  const Workspace work(model);
  int holonomic = 0;
  for (const RowPhysics& row : work.constraints.physics)
    if (row.kind == RowKind::holonomic) ++holonomic;
  EXPECT_EQ(6 - G.rows(), 3);
  EXPECT_EQ(6 - holonomic, 5);
}

}  // namespace
}  // namespace ligament
