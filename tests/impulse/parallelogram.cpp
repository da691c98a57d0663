// SPDX-License-Identifier: Apache-2.0
// A parallelogram linkage lies flat at two of its poses. There its rows lose one more rank, and it
// could go on as an antiparallelogram, whose coupler turns. It must pass them closed, and as the
// parallelogram that it is.
#include <gtest/gtest.h>

#include "impulse/flown.h"
#include "support/measured.h"

namespace ligament::reference {
namespace {

// While it is one, the coupler moves without turning and both cranks turn alike: one equation,
//     J θ'' = −g K cos θ,   J = 2 m₁ (l²/3 + w²/12) + m₂ l²,   K = m₁ l + m₂ l,
// for cranks of mass m₁, length l and width w, here by the classical Runge–Kutta rule.
struct Swing {
  static constexpr double l = 0.5, w = 0.06, m1 = 0.5, m2 = 1.2, g = 9.81;
  static constexpr double J = 2.0 * m1 * (l * l / 3.0 + w * w / 12.0) + m2 * l * l;
  static constexpr double K = (m1 + m2) * l;
  double angle, rate;

  void advance(double t) {
    const auto push = [](double a) { return -g * K * std::cos(a) / J; };
    const double a1 = push(angle), r1 = rate;
    const double a2 = push(angle + 0.5 * t * r1), r2 = rate + 0.5 * t * a1;
    const double a3 = push(angle + 0.5 * t * r2), r3 = rate + 0.5 * t * a2;
    const double a4 = push(angle + t * r3), r4 = rate + t * a3;
    angle += t / 6.0 * (r1 + 2.0 * r2 + 2.0 * r3 + r4);
    rate += t / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
};

// The turn of a body about z since its start, within half a turn.
double turn_of(const Model& model, const State& state, BodyId id) {
  const Quat now = compute_pose(model, state, id).R;
  const Quat start = compute_pose(model, model.initial_state(), id).R;
  const Quat turn = now * start.conjugate();
  return std::remainder(2.0 * std::atan2(turn.z(), turn.w()), 2.0 * M_PI);
}

struct Passed {
  double gap = 0.0;    // [m, rad] largest at the end of a step
  double twist = 0.0;  // [rad] largest turn of the coupler
  double apart = 0.0;  // [rad] largest difference of the turns of both cranks
  double off = 0.0;    // [rad] largest distance of the crank from the pendulum
  int flat = 0;        // flat poses that it passed
};

Passed swing_for_two_seconds(double h) {
  const System system = make_parallelogram();
  const Model model = make_model(system);
  const BodyId crank{1}, coupler{2}, rocker{3};
  const auto distance = [](double a, double b) {
    return std::abs(std::remainder(a - b, 2 * M_PI));
  };
  Swing swing{.angle = 1.0, .rate = system.parts[0].w.z()};
  State state = model.initial_state();
  Workspace work(model);
  Passed passed;
  for (long i = 0; i < std::lround(2.0 / h); ++i) {
    const double side = std::sin(swing.angle);
    const StepReport report = step(Impulse{.h = h, .tolerance = 1e-13}, model, state, work);
    EXPECT_TRUE(report.ok()) << "step " << i;
    EXPECT_EQ(report.halvings, 0) << "step " << i;
    for (int k = 0; k < 20; ++k) swing.advance(h / 20.0);
    passed.flat += side * std::sin(swing.angle) < 0.0 ? 1 : 0;
    const double angle = turn_of(model, state, crank);
    passed.gap = std::max(passed.gap, report.violation.max);
    passed.twist = std::max(passed.twist, std::abs(turn_of(model, state, coupler)));
    passed.apart = std::max(passed.apart, distance(turn_of(model, state, rocker), angle));
    passed.off = std::max(passed.off, distance(1.0 + angle, swing.angle));
  }
  return passed;
}

TEST(Parallelogram, passes_its_flat_poses_closed_and_on_its_branch) {
  const Passed coarse = swing_for_two_seconds(0.002), fine = swing_for_two_seconds(0.001);
  for (const Passed& passed : {coarse, fine}) {
    EXPECT_GE(measured("flat poses", passed.flat), 3);
    EXPECT_LE(measured("largest gap", passed.gap), 1e-13);
    // Flat, the coupler may turn by the square root of what the joints may be open, 3e-7 rad: its
    // angle enters their rows by its square. The antiparallelogram has angles of size one.
    EXPECT_LE(measured("twist of the coupler", passed.twist), 1e-6);
    EXPECT_LE(measured("cranks apart", passed.apart), 1e-6);
  }
  // The flat poses cost no order.
  EXPECT_LT(coarse.off, 1e-3);
  EXPECT_NEAR(measured("order", std::log2(coarse.off / fine.off)), 2.0, 0.05);
}

}  // namespace
}  // namespace ligament::reference
