// SPDX-License-Identifier: Apache-2.0
// The limit of little compliance: as s → 0 the impulses of a step problem with Σ = s D go, with an
// error of order s, to those of the least norm λᵀ D λ among all that give the same motion (Preclik,
// Popa and Rüde 2011). The table of the acceptance tests A1 to A3: limits from a pseudo-inverse, an
// active set and closed forms, none of which our solvers use.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ligament/solvers/solver.h"
#include "support/contact_problems.h"
#include "support/fit.h"
#include "support/measured.h"

namespace ligament {
namespace {

constexpr double weight_impulse = 10.0 * 9.81 * 0.01;  // m g h of the table [N s]

// Σ = s D times the mean mobility of the rows counted.
void soften(const VecX& D, double s, StepProblem& problem) {
  problem.Sigma.setZero();
  VecX mobility;
  compute_row_mobility(problem, mobility);
  problem.Sigma = s * mobility.mean() * D;
}

StepSolution find_solution(const Solver& solver, const StepProblem& problem) {
  SolverWorkspace workspace;
  StepSolution solution;
  const SolveReport report = solve(solver, problem, workspace, solution);
  EXPECT_EQ(report.status, SolveStatus::solved) << name_of(solver);
  return solution;
}

VecX solve_with(const Solver& solver, const StepProblem& problem) {
  return find_solution(solver, problem).lambda;
}

// ---- A1: four legs that hold in both directions

StepProblem make_held_table() {
  return make_table(1.0, Vec3::Zero(), Vec3::Zero(), Equality{}, 1).problem;
}

// The limits are weighted minimum-norm solutions of the balance of force and of two moments.
void expect_limit_of_table(const VecX& D, const Eigen::Vector4d& limit) {
  StepProblem problem = make_held_table();
  std::vector<double> softness, errors;
  for (const double s : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    soften(D, s, problem);
    const VecX lambda = solve_with(Direct{}, problem) / weight_impulse;
    const double error = (lambda - limit).norm();
    // The limits have six digits.
    EXPECT_LE(error, 3.0 * s + 1e-6) << "s = " << s;
    if (s < 1e-4) continue;
    softness.push_back(s);
    errors.push_back(error);
  }
  EXPECT_NEAR(measured("order in s", fit_exponent(softness, errors)), 1.0, 0.05);
}

TEST(MinimumNorm, legs_of_one_stiffness_share_the_weight) {
  expect_limit_of_table(VecX::Ones(4), {.158333, .258333, .341667, .241667});
}

TEST(MinimumNorm, stiffer_legs_carry_more) {
  expect_limit_of_table(Eigen::Vector4d(1.0, 0.5, 0.2, 0.1), {.117593, .299074, .300926, .282407});
}

// ---- A2: eight legs that only press

StepProblem make_table_on_eight_legs() {
  ContactScene scene;
  const int table = scene.add_box(10.0, {1.2, 0.8, 0.3}, {0.45, 0.1, 0.7});
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.2 + k * M_PI / 4.0;
    scene.add_contact(ground, table, {.at = {0.6 * std::cos(angle), 0.4 * std::sin(angle), 0}},
                      Unilateral{}, 1);
  }
  scene.finish(1.0, VecX::Zero(6));
  return scene.problem;
}

void expect_limit_of_legs(const VecX& D, const VecX& limit, double most) {
  StepProblem problem = make_table_on_eight_legs();
  for (const double s : {1e-4, 1e-5, 1e-6, 1e-7}) {
    soften(D, s, problem);
    for (const Solver& solver : {Solver(BlockPivot{}), Solver(Newton{}), Solver(InteriorPoint{})}) {
      const VecX lambda = solve_with(solver, problem) / weight_impulse;
      EXPECT_LE((lambda - limit).norm(), most * s + 2e-6) << name_of(solver) << ", s = " << s;
      for (int i = 0; i < 8; ++i) {
        if (limit(i) > 0.0) continue;
        EXPECT_EQ(lambda(i), 0.0) << name_of(solver) << ", leg " << i;
      }
    }
  }
}

TEST(MinimumNorm, legs_that_would_pull_lift_off) {
  VecX limit(8);
  limit << .390677, .309705, .052066, 0, 0, 0, 0, .247552;
  expect_limit_of_legs(VecX::Ones(8), limit, 10.0);
}

TEST(MinimumNorm, legs_that_would_pull_lift_off_whatever_their_stiffness) {
  VecX D(8), limit(8);
  for (int i = 0; i < 8; ++i) D(i) = 1.0 / (i + 1);
  limit << .264979, .435403, 0, 0, 0, 0, 0, .299618;
  expect_limit_of_legs(D, limit, 60.0);
}

// ---- A3: friction cones that stick, slip in part and slide

struct Push {
  const char* name;
  Vec3 impulse, turn;
};

const Push pushes[] = {{"sticks", {.2, .1, 0}, {0, 0, .02}},
                       {"slips in part", {.2, .1, 0}, {0, 0, .17}},
                       {"slides", {1, .3, 0}, {0, 0, .05}},
                       {"slides and tips", {2, 0, 0}, {0, -1.4, 0}}};

// Homogeneous, and one stiffness a leg and a row, both with a mean of 1.
VecX make_weights(bool homogeneous) {
  VecX D = VecX::Ones(12);
  if (homogeneous) return D;
  const double legs[] = {1.0, 0.5, 0.2, 0.1};
  for (int leg = 0; leg < 4; ++leg) D.segment<3>(3 * leg) = legs[leg] * Vec3(1, 4, 4);
  return D / D.mean();
}

// The projection of 0 onto {x ∈ K, Gᵀ x = P} in the norm of D by Dykstra's alternating projections:
// the impulses of the least norm among those that give the bodies the momentum P.
VecX find_least_impulses(const StepProblem& problem, const VecX& D, const VecX& P) {
  const Eigen::MatrixXd G = make_dense(problem.G);
  const VecX root = D.cwiseSqrt();
  // In z = √D x: Aᵀ z = P with A = D^{-1/2} G.
  const Eigen::MatrixXd A = root.cwiseInverse().asDiagonal() * G;
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A.transpose());
  const auto onto_momentum = [&](const VecX& z) -> VecX {
    return z + solver.solve(P - A.transpose() * z);
  };
  const auto onto_cones = [&](VecX z) {
    for (int i = 0; i < 4; ++i) {
      const double slope = 0.5 * root(3 * i + 1) / root(3 * i);
      project(Cone{slope}, z.segment(3 * i, 3));
    }
    return z;
  };
  VecX z = VecX::Zero(problem.rows()), rest = z, rest_of_momentum = z;
  for (int i = 0; i < 20000; ++i) {
    const VecX y = onto_momentum(z + rest_of_momentum);
    rest_of_momentum += z - y;
    const VecX next = onto_cones(y + rest);
    rest += y - next;
    z = next;
  }
  return z.cwiseQuotient(root);
}

// What slides presses along a ray that its slip gives, a (1, −μ d), d = w_t/‖w_t‖: of the a ≥ 0
// that give the bodies the momentum P, those of the least norm, by trying every set of legs that
// press.
VecX find_least_on_rays(const StepProblem& problem, const VecX& D, const VecX& u, const VecX& P) {
  const Eigen::MatrixXd G = make_dense(problem.G);
  const VecX w = G * u;
  Eigen::MatrixXd rays = Eigen::MatrixXd::Zero(12, 4);
  for (int leg = 0; leg < 4; ++leg)
    rays.block<3, 1>(3 * leg, leg) << 1.0, -0.5 * w.segment<2>(3 * leg + 1).normalized();
  VecX least = VecX::Constant(12, std::nan(""));
  for (unsigned pressing = 1; pressing < 16; ++pressing) {
    Eigen::MatrixXd A(6, 4);
    VecX size(4);
    for (int leg = 0; leg < 4; ++leg) {
      size(leg) = std::sqrt(rays.col(leg).dot(D.cwiseProduct(rays.col(leg))));
      A.col(leg) = (pressing >> leg & 1U) / size(leg) * (G.transpose() * rays.col(leg));
    }
    // Columns that are left out are zero, and so are their entries of the solution of least norm.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-7);
    const VecX a = solver.compute(A).solve(P).cwiseQuotient(size);
    const VecX x = rays * a;
    if (a.minCoeff() < -1e-7 * a.norm() || (G.transpose() * x - P).norm() > 1e-7 * P.norm())
      continue;
    if (!(x.dot(D.cwiseProduct(x)) > least.dot(D.cwiseProduct(least)))) least = x;
  }
  return least;
}

// The solution at s → 0, extrapolated: it is linear in s up to terms of (20 s)² ≈ 1e-9.
StepSolution extrapolate(const VecX& D, StepProblem& problem) {
  const auto solution_at = [&](double s) {
    soften(D, s, problem);
    return find_solution(InteriorPoint{}, problem);
  };
  const StepSolution near = solution_at(1e-6), far = solution_at(2e-6);
  return {.u = 2.0 * near.u - far.u, .lambda = 2.0 * near.lambda - far.lambda};
}

TEST(MinimumNorm, friction_goes_to_its_limit_in_proportion_to_the_softness) {
  for (const bool homogeneous : {true, false})
    for (const Push& push : pushes) {
      const VecX D = make_weights(homogeneous);
      StepProblem problem = make_table(1.0, push.impulse, push.turn, Cone{0.5}).problem;
      const VecX limit = extrapolate(D, problem).lambda;
      std::vector<double> softness, errors;
      for (const double s : {1e-4, 1e-5, 1e-6, 1e-7}) {
        soften(D, s, problem);
        const double error = (solve_with(InteriorPoint{}, problem) - limit).norm() / limit.norm();
        EXPECT_LE(error, 40.0 * s) << push.name << ", s = " << s;
        softness.push_back(s);
        errors.push_back(error);
      }
      EXPECT_NEAR(measured(push.name, fit_exponent(softness, errors)), 1.0, 0.05);
    }
}

// Where contacts stick, alternating projections find the same limit. (Sliding ones lie on an edge
// of their cone, where these projections creep: the next test has those.)
TEST(MinimumNorm, the_limit_of_friction_has_the_least_norm) {
  for (const bool homogeneous : {true, false})
    for (const Push& push : {pushes[0], pushes[1]}) {
      const VecX D = make_weights(homogeneous);
      StepProblem problem = make_table(1.0, push.impulse, push.turn, Cone{0.5}).problem;
      const VecX limit = extrapolate(D, problem).lambda;
      VecX P(problem.columns());
      multiply_transposed(problem.G, limit, P);
      const VecX least = find_least_impulses(problem, D, P);
      EXPECT_LE(measured(push.name, (least - limit).norm() / limit.norm()), 1e-7);
    }
}

TEST(MinimumNorm, the_limit_of_sliding_has_the_least_norm_on_its_rays) {
  for (const bool homogeneous : {true, false})
    for (const Push& push : {pushes[2], pushes[3]}) {
      const VecX D = make_weights(homogeneous);
      StepProblem problem = make_table(1.0, push.impulse, push.turn, Cone{0.5}).problem;
      const StepSolution limit = extrapolate(D, problem);
      VecX P(problem.columns());
      multiply_transposed(problem.G, limit.lambda, P);
      const VecX least = find_least_on_rays(problem, D, limit.u, P);
      EXPECT_LE(measured(push.name, (least - limit.lambda).norm() / limit.lambda.norm()), 1e-7);
    }
}

// A3b: u_t = (v_t − μ g h)/(1 + μ²), and the lift makes the floor press more than the weight.
TEST(MinimumNorm, a_sliding_table_is_lifted_by_the_associated_cone) {
  StepProblem problem = make_table(1.0, {2, 0, 0}, {0, -1.4, 0}, Cone{0.5}).problem;
  soften(VecX::Ones(12), 1e-7, problem);
  SolverWorkspace workspace;
  StepSolution solution;
  ASSERT_EQ(solve(InteriorPoint{}, problem, workspace, solution).status, SolveStatus::solved);
  const double slip = (0.2 - 0.5 * 9.81 * 0.01) / 1.25;
  EXPECT_NEAR(solution.u(0), slip, 1e-3 * slip);
  double press = 0.0;
  for (int leg = 0; leg < 4; ++leg) press += solution.lambda(3 * leg);
  EXPECT_NEAR(press / weight_impulse, 1.6155, 1e-3 * 1.6155);
}

}  // namespace
}  // namespace ligament
