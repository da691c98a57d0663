// SPDX-License-Identifier: Apache-2.0
// The ladder of rods of Lacoursière 2007, section 6: m = 10 kg, l = 1 m, g = 10 m/s², one corner
// pinned, released at rest. The rods are three-dimensional here; the motion stays in the x–z plane
// and the counts of the paper are those of the plane. D1 … D9 of the acceptance table.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analytic/pendulum.h"
#include "support/fit.h"
#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

// A velocity column or a row of the plane: y has no part in it.
struct Plane {
  std::vector<int> columns, rows;
};

Plane find_plane(const Model& model) {
  Plane plane;
  for (int c = 0; c < model.velocities(); ++c)
    if (c % 3 != 1) plane.columns.push_back(c);
  const int joints = static_cast<int>(model.joints().size());
  const int rods = model.moving_bodies();
  for (int r = 0; r < 3 * joints; ++r)
    if (r % 3 != 1) plane.rows.push_back(r);
  for (int r = 0; r < rods; ++r) plane.rows.push_back(3 * joints + r);  // unit lengths
  return plane;
}

int count_plane_rows(const Model& model) { return static_cast<int>(find_plane(model).rows.size()); }

// D1. 7 n = 427 is printed in the paper; it misses the rows that close the loops.
TEST(RodLadder, of_twenty_cells_has_467_unknowns_and_rank_223_in_its_plane) {
  const Model model = machines::make_rod_ladder(20);
  const Plane plane = find_plane(model);
  EXPECT_EQ(plane.columns.size() + plane.rows.size(), 467u);
  const MatX G = compute_rows(model, model.initial_state()).G(plane.rows, plane.columns);
  const VecX sizes = Eigen::JacobiSVD<MatX>(G).singularValues();
  EXPECT_EQ(std::ranges::count_if(sizes, [](double s) { return s > 1e-9; }), 223);
  EXPECT_EQ(plane.rows.size(), 223u);  // full rank
}

// The columns of y share no row with the others, so not even rounding leaves the plane.
TEST(RodLadder, stays_in_its_plane_to_the_last_bit) {
  const Model model = machines::make_rod_ladder(20);
  for (const Stepper& stepper : both_steppers(1.0 / 60)) {
    State state = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 600, state, work);
    for (int c = 1; c < model.velocities(); c += 3) {
      ASSERT_EQ(state.v(c), 0.0);
      ASSERT_EQ(state.p(c), 0.0);
      ASSERT_EQ(state.q(7 + c), 0.0);
    }
  }
}

// E_min: all bars hang down.
double lowest_energy(int cells) {
  const double n = cells;
  return -100.0 * (n * n + n + 0.5 * (n + 1.0) * (n + 1.0));
}

struct Fall {
  double energy_rise = 0.0;  // largest E − E₀ over D = E₀ − E_min
  double mean_rms = 0.0;     // mean over time of the rms of g, rows of the plane
  double max_rms = 0.0;
};

// Disturbs the start by random velocities in the plane, 1e-3 m/s and 1e-3 rad/s.
void disturb(const Model& model, Random& random, State& state) {
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const double x = random.uniform(), z = random.uniform(), turn = random.uniform();
    set_velocity(model, {i}, 1e-3 * Vec3(x, 0, z), 1e-3 * Vec3(0, turn, 0), state);
  }
}

Fall fall(const Model& model, int cells, const Stepper& stepper, State state, double time) {
  const int rows = count_plane_rows(model);
  const double start = compute_energy(model, state).total();
  const double D = start - lowest_energy(cells);
  Fall result;
  const RunReport report =
      run(model, stepper, state, {.t_end = time, .observers = {[&](const Sample& sample) {
                                                   if (!sample.report) return;
                                                   const double squares =
                                                       sample.report->violation.sum_squares;
                                                   const double rms = std::sqrt(squares / rows);
                                                   result.mean_rms += rms;
                                                   result.max_rms = std::max(result.max_rms, rms);
                                                 }}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  result.mean_rms /= static_cast<double>(report.steps);
  result.energy_rise = (report.energy.max - start) / D;
  return result;
}

// The worst over several disturbed starts: beyond the first whiplash (4 s) the motion is chaotic,
// and bounds are all that can be compared.
Fall worst_fall(int cells, double h, int starts, std::uint64_t seed) {
  const Model model = machines::make_rod_ladder(cells);
  Random random(seed);
  Fall worst;
  for (int i = 0; i < starts; ++i) {
    State state = model.initial_state();
    disturb(model, random, state);
    const Fall one = fall(model, cells, Spook{.h = h}, state, 30.0);
    worst.energy_rise = std::max(worst.energy_rise, one.energy_rise);
    worst.mean_rms = std::max(worst.mean_rms, one.mean_rms);
    worst.max_rms = std::max(worst.max_rms, one.max_rms);
  }
  measured("energy above start over D", worst.energy_rise);
  measured("mean rms g", worst.mean_rms);
  measured("max rms g", worst.max_rms);
  return worst;
}

// D2, 20 starts.
TEST(RodLadder, of_20_cells_falls_for_30_seconds_without_gaining_energy) {
  const Fall worst = worst_fall(20, 1.0 / 60, 20, 2);
  EXPECT_LE(worst.energy_rise, 1e-6);
  EXPECT_LT(worst.mean_rms, 1e-2);
  EXPECT_LT(worst.max_rms, 0.2);
}

// D3, 5 starts.
TEST(RodLadder, of_100_cells_falls_for_30_seconds_without_gaining_energy) {
  const Fall worst = worst_fall(100, 1.0 / 60, 5, 3);
  EXPECT_LE(worst.energy_rise, 1e-6);
  EXPECT_LT(worst.mean_rms, 1.5e-2);
  EXPECT_LT(worst.max_rms, 0.6);
}

// D4, 20 starts.
TEST(RodLadder, of_20_cells_is_stable_at_20_steps_a_second) {
  const Fall worst = worst_fall(20, 1.0 / 20, 20, 4);
  EXPECT_LE(worst.energy_rise, 1e-3);
  EXPECT_LT(worst.mean_rms, 8e-2);
}

// D5. Before the first whiplash, and with ε so small that ε λ, which does not depend on h, is below
// the curvature violation at every h.
TEST(RodLadder, violation_falls_with_the_square_of_the_step) {
  const Model model = machines::make_rod_ladder(
      10, {.relaxation = {.compliance = 1e-12, .angular_compliance = 1e-12}});
  const std::array h{1.0 / 60, 1.0 / 120, 1.0 / 240, 1.0 / 480};
  std::array<double, 4> rms{};
  for (std::size_t i = 0; i < h.size(); ++i)
    rms[i] = fall(model, 10, Spook{.h = h[i]}, model.initial_state(), 2.0).mean_rms;
  const double slope = measured("D5 slope", fit_exponent(h, rms));
  EXPECT_GT(slope, 1.85);
  EXPECT_LT(slope, 2.1);
}

// D6, counted instead of timed: multiply-adds of a step. A chain of cells has a factor whose blocks
// grow with N and not faster, whatever the order of elimination finds.
TEST(Ladder, costs_in_proportion_to_its_length) {
  const std::array cells{200.0, 500.0, 1000.0, 2000.0};
  const auto exponent_of = [&](auto&& make) {
    std::array<double, 4> work{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Model model = make(static_cast<int>(cells[i]));
      State state = model.initial_state();
      Workspace workspace(model);
      const StepReport report = step(Spook{}, model, state, workspace);
      EXPECT_TRUE(report.ok());
      work[i] = report.solve.work;
    }
    return fit_exponent(cells, work);
  };
  const double rods = exponent_of([](int n) { return machines::make_rod_ladder(n); });
  const double rigid = exponent_of([](int n) { return machines::make_rigid_ladder(n); });
  EXPECT_LT(measured("D6 exponent, rods", rods), 1.05);
  EXPECT_LT(measured("D6 exponent, rigid", rigid), 1.05);
}

// D9. Catches a wrong inertia of the coordinates u (m l²/12), which stability does not. The exact
// period is that of the bar; the step's is off by (ω h)²/24 = 1.7e-4, and damping takes less than
// 1 % of the amplitude, whose part in the period is 1.6e-4.
TEST(Rod, pinned_at_its_end_swings_with_the_period_of_a_bar) {
  const double amplitude = 0.05, h = 1.0 / 60;
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  const Vec3 u{std::sin(amplitude), 0, -std::cos(amplitude)};
  const BodyId rod = b.add_body({.kind = BodyKind::rod,
                                 .mass = {.mass = 10.0},
                                 .position = 0.5 * u,
                                 .orientation = Quat::FromTwoVectors(Vec3::UnitX(), u)});
  b.add_joint(Ball{.b = rod});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  Workspace work(model);
  std::vector<double> passages;
  for (int i = 0; passages.size() < 6; ++i) {
    const double before = state.q(7);
    take_steps(Spook{.h = h}, model, 1, state, work);
    if (before > 0.0 && state.q(7) <= 0.0)
      passages.push_back(h * (i + before / (before - state.q(7))));
  }
  const double period = measured("D9 period", (passages.back() - passages.front()) / 5.0);
  EXPECT_NEAR(period, 1.6223, 0.002 * 1.6223);
  const double exact =
      analytic::pendulum_period(analytic::equivalent_length_of_bar(1.0), 10.0, amplitude);
  EXPECT_NEAR(period, exact, 5e-4 * exact);
}

}  // namespace
}  // namespace ligament
