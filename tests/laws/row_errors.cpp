// SPDX-License-Identifier: Apache-2.0
// How the error of a constraint decays, and what a curved path leaves of it. The steppers run on
// machines whose constraints are exactly linear, and the linear map of one step is read off by
// probing: the eigenvalues must be the closed forms (A7 of the acceptance table).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>
#include <vector>

#include "analytic/row_decay.h"
#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;
using Complex = std::complex<double>;

// Particles that all stand at the origin, tied to the world and to each other by ball joints: then
// g = x_b − x_a is linear, and x, y and z are three copies of one system.
struct LinearSystem {
  int particles = 1;
  std::vector<std::pair<int, int>> ties;  // particle (1 …) or 0, the world
  std::vector<double> masses;
  std::vector<Relaxation> relaxations;  // one a tie
};

Model make_model(const LinearSystem& system) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  for (const double mass : system.masses)
    b.add_body({.kind = BodyKind::particle, .mass = {.mass = mass}});
  for (std::size_t i = 0; i < system.ties.size(); ++i) {
    const auto [from, to] = system.ties[i];
    b.add_joint(Ball{.a = {static_cast<std::uint32_t>(from)},
                     .b = {static_cast<std::uint32_t>(to)},
                     .relaxation = system.relaxations[i]});
  }
  return std::move(b).build();
}

// A tree that reaches every particle from the world, and some redundant ties.
LinearSystem make_random_system(Random& random) {
  LinearSystem system{.particles = 1 + random.index(5)};
  for (int i = 1; i <= system.particles; ++i) {
    system.masses.push_back(random.scale(0.1, 10));
    system.ties.emplace_back(random.index(i), i);
  }
  for (int extra = random.index(4); extra > 0; --extra) {
    const int a = random.index(system.particles + 1), b = random.index(system.particles + 1);
    if (a != b) system.ties.emplace_back(a, b);
  }
  system.relaxations.resize(system.ties.size());
  return system;
}

// The map of one step in the variables (x, h ẋ) of all particles, column by column.
MatX probe_step(const Stepper& stepper, const Model& model) {
  const int n = model.moving_bodies();
  MatX map(2 * n, 2 * n);
  Workspace work(model);
  for (int column = 0; column < 2 * n; ++column) {
    State state = model.initial_state();
    const BodyId id{static_cast<std::uint32_t>(column % n + 1)};
    const Body& body = model.body(id);
    if (column < n)
      state.q(body.q_offset) = 1.0;
    else
      set_velocity(model, id, Vec3(1.0 / h, 0, 0), Vec3::Zero(), state);
    EXPECT_TRUE(step(stepper, model, state, work).ok());
    for (int i = 0; i < n; ++i) {
      const Body& other = model.bodies()[static_cast<std::size_t>(i + 1)];
      map(i, column) = state.q(other.q_offset);
      map(n + i, column) = h * state.v(other.v_offset);
    }
  }
  return map;
}

std::vector<Complex> eigenvalues_of(const MatX& map) {
  const Eigen::VectorXcd values = map.eigenvalues();
  return {values.begin(), values.end()};
}

// The mobilities s: eigenvalues of M^−½ GᵀG M^−½, all positive here.
VecX mobilities_of(const LinearSystem& system) {
  MatX K = MatX::Zero(system.particles, system.particles);
  for (const auto& [from, to] : system.ties) {
    VecX row = VecX::Zero(system.particles);
    for (const auto& [end, sign] : {std::pair{from, -1.0}, std::pair{to, 1.0}})
      if (end > 0)
        row(end - 1) = sign / std::sqrt(system.masses[static_cast<std::size_t>(end - 1)]);
    K += row * row.transpose();
  }
  return Eigen::SelfAdjointEigenSolver<MatX>(K).eigenvalues();
}

// Takes the value nearest to `expected` out of the list and gives its distance.
double take_nearest(Complex expected, std::vector<Complex>& values) {
  const auto nearest = std::ranges::min_element(
      values, {}, [&](const Complex& value) { return std::abs(value - expected); });
  const double distance = std::abs(*nearest - expected);
  values.erase(nearest);
  return distance;
}

// Eigenvalues of a map with rounding errors ε are right to ε, times their sensitivity; where two
// meet to √ε only. Returns the worst distance of the separate ones.
double expect_closed_form(const LinearSystem& system, const Stepper& stepper, double Sigma,
                          analytic::Multipliers (*closed_form)(double, double),
                          double damping_steps) {
  std::vector<Complex> values = eigenvalues_of(probe_step(stepper, make_model(system)));
  double worst = 0.0;
  for (const double s : mobilities_of(system)) {
    const auto [first, second] = closed_form(damping_steps, s / (s + Sigma));
    const double distance = std::max(take_nearest(first, values), take_nearest(second, values));
    if (std::abs(first - second) > 1e-2) {
      EXPECT_LT(distance, 1e-9) << "s = " << s << ", damping " << damping_steps;
      worst = std::max(worst, distance);
    } else {
      EXPECT_LT(distance, 1e-6) << "s = " << s << ", damping " << damping_steps;
    }
  }
  EXPECT_TRUE(values.empty());
  return worst;
}

TEST(RowErrors, spook_decays_with_the_multipliers_of_the_closed_form) {
  Random random(7);
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    LinearSystem system = make_random_system(random);
    const double theta = random.uniform(0.0, 5.0), compliance = random.scale(1e-8, 1e-2);
    for (Relaxation& relaxation : system.relaxations) relaxation.compliance = compliance;
    const double Sigma = 4.0 * compliance / (h * h * (1.0 + 4.0 * theta));
    worst = std::max(worst, expect_closed_form(system, Spook{.h = h, .damping_steps = theta}, Sigma,
                                               analytic::spook_multipliers, theta));
  }
  measured("A7 eigenvalues against closed form", worst);
}

TEST(RowErrors, relaxed_decays_with_the_multipliers_of_the_closed_form) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    LinearSystem system = make_random_system(random);
    const double steps = random.uniform(0.0, 5.0), compliance = random.scale(1e-8, 1e-2);
    for (Relaxation& relaxation : system.relaxations) relaxation.compliance = compliance;
    expect_closed_form(system, Relaxed{.h = h, .damping_steps = steps},
                       compliance / (h * h * (1.0 + steps)), analytic::relaxed_multipliers, steps);
  }
}

// γ = 1: a rigid row. The double root is right to √ε = 1.5e-8.
TEST(RowErrors, spook_with_two_steps_of_damping_is_critically_damped_with_a_third) {
  const LinearSystem rigid{
      .particles = 1, .ties = {{0, 1}}, .masses = {3.0}, .relaxations = {{.compliance = 0.0}}};
  const Spook spook{.h = h, .damping_steps = 2.0, .compliance_floor = 0.0};
  for (const Complex& value : eigenvalues_of(probe_step(spook, make_model(rigid))))
    EXPECT_LT(measured("A7 double root minus 1/3", std::abs(value - 1.0 / 3.0)), 1e-6);
}

TEST(RowErrors, relaxed_without_damping_removes_an_error_in_one_step) {
  const LinearSystem rigid{
      .particles = 1, .ties = {{0, 1}}, .masses = {3.0}, .relaxations = {{.compliance = 0.0}}};
  const MatX map = probe_step(Relaxed{.h = h, .compliance_floor = 0.0}, make_model(rigid));
  EXPECT_LT(map.cwiseAbs().row(0).maxCoeff(), 1e-15);  // x⁺ = 0 whatever x and ẋ
}

// Mixed compliance and damping, redundant rows, also particles that nothing holds: no closed form,
// but the paper's conjecture that no mode grows. A free particle has a defective eigenvalue one
// (x⁺ = x + h v), which rounding splits by √ε, hence 5e-8.
TEST(RowErrors, never_grow_whatever_the_mix_of_compliance_and_damping) {
  Random random(9);
  double worst = 0.0;
  for (int i = 0; i < 2000; ++i) {
    LinearSystem system = make_random_system(random);
    if (i % 4 == 0) {  // one that floats
      ++system.particles;
      system.masses.push_back(1.0);
    }
    for (Relaxation& relaxation : system.relaxations)
      relaxation = {.compliance = random.scale(1e-10, 1e-2),
                    .damping_time = h * random.scale(0.02, 10.0)};
    for (const Stepper& stepper : both_steppers(h))
      for (const Complex& value : eigenvalues_of(probe_step(stepper, make_model(system))))
        worst = std::max(worst, std::abs(value) - 1.0);
  }
  EXPECT_LT(measured("spectral radius minus 1", worst), 5e-8);
}

// A particle on a string circles at v = 2 m/s without gravity. After 200 steps the transient
// (factor ≤ 0.8 a step) is gone. The closed form is the leading order in h v/r = 1/120; the next
// one is relative (h v/r)² times at most (θ + 1/2)², 1.4e-3 for θ = 4.
TEST(RowErrors, a_circling_particle_violates_by_the_curvature_closed_form) {
  const double step_h = 1.0 / 240;
  const auto violation_of = [&](const Stepper& stepper) {
    const Model model =
        machines::make_pendulum({.gravity = 0.0, .relaxation = {.compliance = 0.0}});
    State state = model.initial_state();
    set_velocity(model, {1}, Vec3(0, 0, 2.0), Vec3::Zero(), state);
    Workspace work(model);
    take_steps(stepper, model, 200, state, work);
    const double speed = velocity_of(model, state, {1}).norm();
    const double kappa = 0.5 * step_h * step_h * speed * speed;
    return (state.q.segment<3>(7).norm() - 1.0) / kappa;
  };
  for (const double steps : {0.5, 1.0, 2.0, 4.0}) {
    const double tolerance = std::pow((steps + 0.5) / 120.0, 2);
    const double spook = analytic::spook_curvature_violation(steps);
    const Spook a{.h = step_h, .damping_steps = steps, .compliance_floor = 0.0};
    EXPECT_NEAR(violation_of(a) / spook, 1.0, tolerance);
    const double relaxed = analytic::relaxed_curvature_violation(steps - 0.5);
    const Relaxed b{.h = step_h, .damping_steps = steps - 0.5, .compliance_floor = 0.0};
    EXPECT_NEAR(violation_of(b) / relaxed, 1.0, tolerance);
  }
}

}  // namespace
}  // namespace ligament
