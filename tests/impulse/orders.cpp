// SPDX-License-Identifier: Apache-2.0
// Orders of the impulse stepper and of its Taylor baseline: B1 to B6 and B14 of the acceptance
// table, against equations of motion that are integrated without the library.
#include <gtest/gtest.h>

#include "impulse/flown.h"

namespace ligament::reference {
namespace {

const std::vector<double> step_sizes{0.02, 0.01, 0.005, 0.0025};

// The rule of rotation that the table was measured with.
Impulse table_method(double h) {
  return {.h = h, .tolerance = 1e-13, .rotation = FreeRotation::axes};
}

// The states at t = 1 s that the table prints, from another integrator: our reference is right. The
// last digits are those of Runge's method, (h ω)⁴ with h = 1/8000 and ω ≈ 10.
TEST(Reference, agrees_with_the_printed_states) {
  const auto expect_at = [](const System& system, std::size_t part, const Vec3& x) {
    EXPECT_LT((integrate(system, 1.0)[part].x - x).norm(), 1e-10);
  };
  expect_at(make_double_pendulum(), 0, {-.349424236265, -.936964622123, 0});
  expect_at(make_double_pendulum(), 1, {-1.107324029003, -1.193065977384, 0});
  expect_at(make_triple_pendulum(), 2, {-1.481157698982, -2.171543744212, -.203622930161});
  expect_at(make_cuboid(Corner::fixed), 0, {-.602245306622, -.732908179955, -.31645882893});
  expect_at(make_ball_pendulum(), 0, {-.3951596816, -.3061976557, .0095823644});
  expect_at(make_ball_pendulum(), 1, {-1.2113749151, -.7627748735, .0092546597});
  expect_at(make_hinge_pendulum(), 1, {-1.1258493633, -.5684243988, .0519255173});
  const Part crank = integrate(make_four_bar(), 1.0)[0];
  EXPECT_NEAR(std::atan2(crank.x.y(), crank.x.x()), 2.672979766, 1e-9);
  EXPECT_NEAR(crank.w.z(), -5.101678991, 1e-8);
}

// B1, B5, B6. The mean of Newton passes is that of the steps up to 0.01 s; gaps are the tolerance.
TEST(Orders, are_two_in_positions_and_velocities_with_the_errors_of_the_table) {
  std::vector<std::pair<Row, double>> cases;  // with the limit of passes
  for (const Row& row : point_mass_rows()) cases.emplace_back(row, 5.0);
  for (const Row& row : rigid_rows()) cases.emplace_back(row, 10.0);
  for (const auto& [row, most_passes] : cases) {
    SCOPED_TRACE(row.name);
    const Model model = make_model(row.system);
    const std::vector<Part> truth = integrate(row.system, 1.0);
    std::vector<double> positions, velocities;
    for (std::size_t i = 0; i < step_sizes.size(); ++i) {
      const Flown flown = fly(model, table_method(step_sizes[i]), 1.0);
      positions.push_back(position_error(model, flown.state, truth));
      velocities.push_back(velocity_error(model, flown.state, truth));
      EXPECT_NEAR(positions.back() / row.errors[i], 1.0, 0.1);
      EXPECT_LE(flown.gap, 1e-12);
      EXPECT_LE(flown.speed_miss, 1e-13);
      EXPECT_EQ(flown.halvings, 0);
      if (step_sizes[i] <= 0.01) {
        EXPECT_LE(flown.passes, most_passes);
      }
    }
    EXPECT_NEAR(order_of(positions, 1), 2.0, 0.05);
    EXPECT_NEAR(order_of(velocities, 1), 2.0, 0.05);
  }
}

// The rules of rotation differ in their errors and not in their order. B14: the gyroscopic check,
// in which a body of constant ω is off by 1.24 m.
TEST(Orders, are_two_for_every_rule_of_rotation) {
  const System system = make_ball_pendulum();
  const Model model = make_model(system);
  const std::vector<Part> truth = integrate(system, 1.0);
  for (const FreeRotation rotation :
       {FreeRotation::axes, FreeRotation::midpoint, FreeRotation::symmetric_top}) {
    std::vector<double> errors;
    for (const double h : {0.0025, 0.00125})
      errors.push_back(position_error(
          model, fly(model, Impulse{.h = h, .rotation = rotation}, 1.0).state, truth));
    EXPECT_NEAR(order_of(errors), 2.0, 0.05);
    EXPECT_LE(errors.back(), 2e-4);
    if (rotation == FreeRotation::axes) {
      EXPECT_NEAR(errors.back() / 1.44e-4, 1.0, 0.1);
    }
  }
}

// B2, B3. The correction of velocities lies in the directions of the next step's impulses: without
// it positions are the same, and velocities of first order.
TEST(VelocityCorrection, changes_no_position_and_makes_velocities_second_order) {
  for (const Row& row : point_mass_rows()) {
    SCOPED_TRACE(row.name);
    const Model model = make_model(row.system);
    const std::vector<Part> truth = integrate(row.system, 1.0);
    std::vector<double> velocities;
    for (const double h : step_sizes) {
      Impulse method = table_method(h);
      const Flown with = fly(model, method, 1.0);
      method.velocity_correction = false;
      const Flown without = fly(model, method, 1.0);
      EXPECT_LT((with.state.q - without.state.q).lpNorm<Eigen::Infinity>(), 1e-11);
      velocities.push_back(velocity_error(model, without.state, truth));
    }
    EXPECT_NEAR(order_of(velocities, 1), 1.0, 0.12);
  }
}

// B3: whatever its series looks like.
TEST(Taylor, is_of_first_order) {
  const System system = make_double_pendulum();
  const Model model = make_model(system);
  const std::vector<Part> truth = integrate(system, 1.0);
  const double table[] = {4.67e-1, 2.61e-1, 1.38e-1, 7.11e-2};
  std::vector<double> errors;
  for (std::size_t i = 0; i < step_sizes.size(); ++i) {
    errors.push_back(
        position_error(model, fly(model, Taylor{.h = step_sizes[i]}, 1.0).state, truth));
    // The table has rows of |d|², we of |d|: once they have drifted apart the two are different
    // methods, which differ by O(h).
    EXPECT_NEAR(errors.back() / table[i], 1.0, 10.0 * step_sizes[i]);
  }
  EXPECT_NEAR(order_of(errors, 1), 1.0, 0.12);
}

// The same for rigid bodies, whose rotations and rows it must get right in order to converge.
TEST(Taylor, converges_on_rigid_bodies) {
  for (const Row& row : rigid_rows()) {
    SCOPED_TRACE(row.name);
    const Model model = make_model(row.system);
    const std::vector<Part> truth = integrate(row.system, 1.0);
    std::vector<double> errors;
    for (const double h : {0.002, 0.001, 0.0005})
      errors.push_back(position_error(model, fly(model, Taylor{.h = h}, 1.0).state, truth));
    EXPECT_NEAR(order_of(errors), 1.0, 0.12);
  }
}

// B4: one step from an exact state. λ at the start from one tiny step of Taylor.
TEST(LocalOrders, of_one_step_are_those_of_the_table) {
  const System system = make_triple_pendulum();
  const Model model = make_model(system);
  Workspace work(model);
  State state = model.initial_state();
  const double tiny = 1e-9;
  step(Taylor{.h = tiny}, model, state, work);
  const VecX force = work.solution.lambda / tiny;
  std::vector<double> x, v, v_raw, x_taylor, v_taylor, impulse;
  for (const double h : {0.01, 0.005, 0.0025}) {
    const std::vector<Part> truth = integrate(system, h, 200);
    Flown flown = fly(model, Impulse{.h = h, .tolerance = 1e-15}, h);
    x.push_back(position_error(model, flown.state, truth));
    v.push_back(velocity_error(model, flown.state, truth));
    flown = fly(model, Impulse{.h = h, .tolerance = 1e-15, .velocity_correction = false}, h);
    v_raw.push_back(velocity_error(model, flown.state, truth));
    flown = fly(model, Taylor{.h = h}, h);
    x_taylor.push_back(position_error(model, flown.state, truth));
    v_taylor.push_back(velocity_error(model, flown.state, truth));
    state = model.initial_state();
    step(Impulse{.h = h, .tolerance = 1e-15, .velocity_correction = false}, model, state, work);
    impulse.push_back((work.solution.lambda - 0.5 * h * force).norm());
  }
  EXPECT_NEAR(order_of(x), 3.0, 0.1);
  EXPECT_NEAR(order_of(v), 3.0, 0.1);
  EXPECT_NEAR(order_of(v_raw), 1.0, 0.1);
  EXPECT_NEAR(order_of(x_taylor), 3.0, 0.1);
  EXPECT_NEAR(order_of(v_taylor), 2.0, 0.1);
  EXPECT_NEAR(order_of(impulse), 2.0, 0.1);
}

}  // namespace
}  // namespace ligament::reference
