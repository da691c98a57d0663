// SPDX-License-Identifier: Apache-2.0
// What an inexact impulse does to the physics, on step problems of real machines: the work it adds
// (C7 of the acceptance table) and, by closed forms that know nothing of the library's map, the
// compliance and damping it stands for (C6). The map itself is in error_physics.cpp.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <string>
#include <vector>

#include "analytic/residual_map.h"
#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;

// A step problem in the middle of a motion, with what its rows were made of.
struct Case {
  std::string name;
  StepProblem problem;
  ConstraintSet constraints;
  VecX g;
};

Case make_case(std::string name, const Model& model, const Stepper& stepper) {
  State state = model.initial_state();
  Workspace work(model);
  take_steps(stepper, model, 40, state, work);
  return {std::move(name), work.problem, work.constraints, work.g};
}

// Symmetric blocks: kinetic energy is a quadratic form of the momentum.
std::vector<Case> make_cases(const Stepper& stepper) {
  std::vector<Case> cases;
  cases.push_back(make_case("rod ladder", machines::make_rod_ladder(5), stepper));
  cases.push_back(make_case("rigid ladder", machines::make_rigid_ladder(4), stepper));
  cases.push_back(make_case("chain", machines::make_chain(12), stepper));
  cases.push_back(make_case("slider crank", machines::make_slider_crank(), stepper));
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = make_cases(Spook{.h = h, .gyroscopic = Gyroscopic::kick_drift});
  for (Case& c :
       make_cases(Relaxed{.h = h, .gyroscopic = Gyroscopic::kick_drift, .damping_steps = 1.0}))
    cases.push_back(std::move(c));
  return cases;
}

// S y = t − A v_f, densely.
struct Schur {
  MatX A, S;
  VecX free_velocity, b;
};

Schur make_schur(const StepProblem& problem) {
  Schur schur;
  const MatX G = make_dense(problem.G), inverse = make_dense(problem.M).inverse();
  schur.A = G * inverse * G.transpose();
  schur.S = schur.A + MatX(problem.Sigma.asDiagonal());
  schur.free_velocity = inverse * problem.p;
  schur.b = problem.b - G * schur.free_velocity;
  return schur;
}

// Impulses of several qualities: random, the exact ones disturbed, and sweeps of Gauss and Seidel.
std::vector<VecX> make_inexact_impulses(const Schur& schur, Random& random) {
  const VecX exact = schur.S.fullPivLu().solve(schur.b);
  const double size = exact.cwiseAbs().maxCoeff();
  std::vector<VecX> impulses;
  for (const double noise : {1.0, 1e-3, 1e-7}) {
    VecX y = exact;
    for (double& value : y) value += noise * size * random.uniform();
    impulses.push_back(y);
  }
  VecX y = VecX::Zero(exact.size());
  for (int sweep = 1; sweep <= 20; ++sweep) {
    for (int i = 0; i < y.size(); ++i) y(i) += (schur.b(i) - schur.S.row(i).dot(y)) / schur.S(i, i);
    if (sweep == 1 || sweep == 20) impulses.push_back(y);
  }
  return impulses;
}

StepSolution make_solution(const StepProblem& problem, const VecX& y) {
  const VecX momentum = problem.p + make_dense(problem.G).transpose() * y;
  return {.u = make_dense(problem.M).inverse() * momentum, .lambda = y};
}

// C7: K(u) − K(v_f) = −½ yᵀA y − yᵀΣ y + yᵀt − yᵀr, with r the residual that problem/ computes. An
// identity of quadratic forms: some hundred products, each rounded, relative to the largest term.
TEST(InexactSolve, adds_the_energy_that_the_residual_says) {
  Random random(11);
  double worst = 0.0;
  for (const Case& c : all_cases()) {
    const Schur schur = make_schur(c.problem);
    const MatX M = make_dense(c.problem.M);
    for (const VecX& y : make_inexact_impulses(schur, random)) {
      const StepSolution solution = make_solution(c.problem, y);
      Residual residual;
      compute_residual(c.problem, solution, residual);
      const double before = 0.5 * schur.free_velocity.dot(M * schur.free_velocity);
      const double after = 0.5 * solution.u.dot(M * solution.u);
      const double terms[] = {-0.5 * y.dot(schur.A * y), -y.dot(c.problem.Sigma.cwiseProduct(y)),
                              y.dot(c.problem.b), residual.injected_energy};
      double sum = 0.0, size = before + after;
      for (const double term : terms) sum += term, size += std::abs(term);
      const double error = std::abs(after - before - sum) / size;
      EXPECT_LT(error, 1e-9) << c.name;
      worst = std::max(worst, error);
      EXPECT_NEAR(residual.injected_energy, -y.dot(residual.rows), 1e-12 * size);
    }
  }
  measured("C7 energy identity", worst);
}

// Without a target (t = 0) and solved exactly, constraints only take energy.
TEST(ExactSolve, without_a_target_never_adds_energy) {
  for (Case& c : all_cases()) {
    c.problem.b.setZero();
    const Schur schur = make_schur(c.problem);
    const VecX y = schur.S.fullPivLu().solve(schur.b);
    const StepSolution solution = make_solution(c.problem, y);
    const MatX M = make_dense(c.problem.M);
    const double before = 0.5 * schur.free_velocity.dot(M * schur.free_velocity);
    const double after = 0.5 * solution.u.dot(M * solution.u);
    EXPECT_LE(after, before * (1.0 + 1e-12)) << c.name;
  }
}

analytic::ApproximateRow row_of(const Case& c, const Schur& schur, const VecX& y, const VecX& r,
                                int i) {
  const auto at = static_cast<std::size_t>(i);
  const bool holonomic = c.constraints.physics[at].kind == RowKind::holonomic;
  return {.r = r(i),
          .y = y(i),
          .t = holonomic ? c.problem.b(i) : 0.0,  // a target speed is no stabilization
          .d = schur.S(i, i),
          .b = schur.b(i)};
}

// C6: with the changes of the map the impulses are exact, (S + β) y = b − α t, on every row that
// has a change; the rows that have none are those that inject energy.
TEST(InexactSolve, is_the_exact_solve_of_a_softer_and_slower_machine) {
  Random random(12);
  double worst = 0.0;
  int feasible = 0, infeasible = 0;
  for (const Case& c : all_cases()) {
    const Schur schur = make_schur(c.problem);
    for (const VecX& y : make_inexact_impulses(schur, random)) {
      Residual residual;
      compute_residual(c.problem, make_solution(c.problem, y), residual);
      const VecX Sy = schur.S * y;
      for (int i = 0; i < y.size(); ++i) {
        const analytic::ApproximateRow row = row_of(c, schur, y, residual.rows, i);
        const analytic::RowChange change = analytic::explain_residual(row, 1e-13);
        if (change.fate == analytic::RowFate::infeasible) {
          ++infeasible;
          EXPECT_GT(-row.y * row.r, 0.0) << c.name << " row " << i;
        }
        if (change.fate != analytic::RowFate::feasible) continue;
        ++feasible;
        const double size = Sy.cwiseAbs().maxCoeff() + std::abs(row.b);
        const double error =
            std::abs(Sy(i) + change.beta * y(i) - (schur.b(i) - change.alpha * row.t)) / size;
        EXPECT_LT(error, 1e-10) << c.name << " row " << i;
        worst = std::max(worst, error);
      }
    }
  }
  measured("C6 residual map", worst);
  measured("C6 feasible rows", feasible);
  measured("C6 infeasible rows", infeasible);
  EXPECT_GT(feasible, 500);  // neither kind may be missing
  EXPECT_GT(infeasible, 500);
}

// The recovered compliance and damping, put through the stepper's own row formula, give the changed
// Σ and b: the map is about the physics of the row, not about its algebra.
TEST(InexactSolve, recovered_physics_gives_the_changed_row) {
  const double eps = 1e-8, a = h, alpha = 0.3, beta = 1e-3;
  {  // Relaxed: Σ = c/(h (h + a)), b = −g/(h + a)
    const auto physics = analytic::effective_relaxed_physics(h, eps, a, alpha, beta);
    const double time = h + physics.damping_time;
    EXPECT_NEAR(physics.compliance / (h * time), eps / (h * (h + a)) + beta, 1e-15);
    EXPECT_NEAR(1.0 / time, (1.0 - alpha) / (h + a), 1e-12);
  }
  {  // Spook: Σ = 4 ε Υ/h², b = Υ (G v − 4 g/h)
    const auto physics = analytic::effective_spook_physics(h, eps, 2.0 * h, alpha, beta);
    const double upsilon = 1.0 / (1.0 + 4.0 * physics.damping_time / h);
    EXPECT_NEAR(4.0 * physics.compliance * upsilon / (h * h), 4.0 * eps / 9.0 / (h * h) + beta,
                1e-15);
    EXPECT_NEAR(upsilon, (1.0 - alpha) / 9.0, 1e-15);
  }
}

}  // namespace
}  // namespace ligament
