// SPDX-License-Identifier: Apache-2.0
// GaussSeidel on problems with every law: against direct and pivoting solvers where they can do it,
// against itself (sequential and exact local solves, contacts four at a time and one by one) and
// against the residual everywhere, and friction against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ligament/problem/residual.h"
#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/solver.h"
#include "support/measured.h"
#include "support/solver_checks.h"

namespace ligament {
namespace {

constexpr GaussSeidel patient{.max_sweeps = 100000, .tolerance = 1e-7};
constexpr GaussSeidel patient_exact{
    .max_sweeps = 100000, .tolerance = 1e-7, .local = LocalSolve::exact};
constexpr GaussSeidel patient_plain{.max_sweeps = 100000, .tolerance = 1e-7, .momentum = false};

TEST(GaussSeidel, agrees_with_the_direct_solver) {
  expect_agreement_with_direct({patient, patient_plain});
}

// For symmetric M the gap is a bound. For others it is no more than a measure: they are solved to
// its rounding instead, where w vanishes.
TEST(GaussSeidel, agrees_with_the_direct_solver_on_general_blocks) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem problem = make_random_problem(
        {.bodies = 6, .row_blocks = 7, .most_bodies_a_block = 3, .blocks = Blocks::general},
        random);
    const VecX exact = solve_cold(Direct{}, problem).solution.u;
    const Solved found = solve_cold(GaussSeidel{.max_sweeps = 100000, .tolerance = 1e-13}, problem);
    EXPECT_LT((found.solution.u - exact).norm(), 1e-6 * exact.norm());
  }
}

TEST(GaussSeidel, agrees_with_block_pivoting) {
  expect_agreement_with_block_pivoting({patient, patient_exact, patient_plain});
}

TEST(GaussSeidel, finds_the_same_solution_of_convex_laws_in_all_ways) {
  expect_agreement_with_sweeps({patient, patient_plain});
}

// All laws, Coulomb's and bounds on other rows among them: the residual is the judge. A gap of
// (1e-7)² of energies of order ten leaves velocities of √(2 gap Σ) ≤ 1e-6 in a row, Σ ≤ 1.
TEST(GaussSeidel, keeps_all_laws) {
  Random random(4);
  double worst = 0.0;
  for (int trial = 0; trial < 30; ++trial) {
    for (const StepProblem& problem : make_both(RandomLaws::all, RandomFriction::both, random))
      for (const GaussSeidel& options : {patient, patient_exact, patient_plain}) {
        const Solved solved = solve_cold(options, problem);
        EXPECT_EQ(solved.report.status, SolveStatus::solved);
        Residual residual;
        compute_residual(problem, solved.solution, residual);
        worst = std::max(worst, residual.row_max);
        EXPECT_LT(residual.momentum_max, 1e-13);
      }
  }
  EXPECT_LT(measured("worst residual of a law", worst), 1e-6);
}

// Blocks of friction, joints and contacts that hang on each other in one problem: a contact with a
// rolling disc, box friction on a unilateral row, a joint.
TEST(GaussSeidel, does_contacts_joints_and_hanging_bounds_together) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem problem = make_random_contacts(10, 15, RandomFriction::coulomb, random);
    const int joint[] = {0, 1}, rolling[] = {2}, rows = problem.rows();
    problem.G.add_block(3, joint, problem.M);
    problem.G.add_block(2, rolling, problem.M);
    problem.G.add_block(1, rolling, problem.M);
    for (std::size_t i = problem.G.values.size() - 36 - 12 - 6; i < problem.G.values.size(); ++i)
      problem.G.values[i] = random.uniform();
    problem.b.conservativeResize(problem.rows());
    problem.Sigma.conservativeResize(problem.rows());
    problem.b.tail(6).setConstant(0.1);
    problem.Sigma.tail(6).setConstant(0.05);
    problem.laws.push_back(Equality{});
    problem.laws.push_back(Disc{.normal = 0, .mu = 0.3});
    problem.laws.push_back(Box{.normal = 3, .mu = 0.2});
    const Solved solved = solve_cold(patient, problem);
    ASSERT_EQ(solved.report.status, SolveStatus::solved);
    Residual residual;
    compute_residual(problem, solved.solution, residual);
    EXPECT_LT(residual.row_max, 1e-6);
    const VecX& lambda = solved.solution.lambda;
    EXPECT_LE(lambda.segment(rows + 3, 2).norm(), 0.3 * lambda(0) * (1.0 + 1e-15));
    EXPECT_LE(std::abs(lambda(rows + 5)), 0.2 * lambda(3) * (1.0 + 1e-15));
  }
}

// Contacts are recognized by their numbers. One number off, and they take the general path, to the
// same end.
TEST(GaussSeidel, gives_the_same_result_to_contacts_that_it_does_not_recognize) {
  Random random(6);
  for (int trial = 0; trial < 10; ++trial) {
    const StepProblem problem = make_random_contacts(12, 25, RandomFriction::cone, random);
    StepProblem other = problem;
    // Tangents that are not the frame of a contact, but span the same plane: the impulses along
    // them are others, the velocities are the same.
    for (const RowBlock& block : other.G.blocks)
      for (const BlockEntry& entry : other.G.entries_of(block)) {
        Eigen::Map<Eigen::Matrix<double, 3, 6>> G(other.G.entry_values(entry));
        G.row(1).swap(G.row(2));
      }
    expect_same_velocities(problem, solve_cold(patient, problem), solve_cold(patient, other));
  }
}

TEST(GaussSeidel, reports_the_error_that_the_problem_knows) {
  expect_errors_that_the_problem_knows(
      {GaussSeidel{.max_sweeps = 1}, GaussSeidel{.max_sweeps = 3}, GaussSeidel{.max_sweeps = 10}});
}

TEST(GaussSeidel, ends_every_sweep_within_the_laws) {
  Random random(8);
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem problem = make_random_contacts(12, 25, RandomFriction::both, random);
    for (const int sweeps : {1, 2, 7, 30}) {
      const Solved solved =
          solve_cold(GaussSeidel{.max_sweeps = sweeps, .tolerance = 0.0}, problem);
      EXPECT_EQ(solved.report.iterations, sweeps);
      VecX projected = solved.solution.lambda;
      for (std::size_t i = 0; i < problem.laws.size(); ++i) {
        const RowBlock& block = problem.G.blocks[i];
        project(problem.laws[i], projected.segment(block.first_row, block.rows));
      }
      EXPECT_LT((projected - solved.solution.lambda).norm(), 1e-14 * projected.norm());
    }
  }
}

TEST(GaussSeidel, needs_no_sweep_when_it_starts_from_the_solution) {
  Random random(9);
  for (const StepProblem& problem : make_both(RandomLaws::all, RandomFriction::coulomb, random)) {
    Solved solved = solve_cold(patient, problem);
    EXPECT_GT(solved.report.iterations, 1);
    const VecX lambda = solved.solution.lambda;
    SolverWorkspace workspace;
    const SolveReport warm = solve(patient, problem, workspace, solved.solution);
    EXPECT_EQ(warm.status, SolveStatus::solved);
    EXPECT_EQ(warm.iterations, 0);
    EXPECT_LT((solved.solution.lambda - lambda).norm(), 1e-15 * lambda.norm());
  }
}

TEST(GaussSeidel, starts_from_zero_where_the_guess_is_none) {
  Random random(10);
  const StepProblem problem = make_random_contacts(5, 8, RandomFriction::coulomb, random);
  const Solved cold = solve_cold(GaussSeidel{.max_sweeps = 5}, problem);
  SolverWorkspace workspace;
  VecX guess = VecX::Zero(problem.rows());
  guess(2) = std::numeric_limits<double>::quiet_NaN();
  for (const VecX& bad : {VecX(guess), VecX(VecX::Ones(3))}) {
    StepSolution solution{.u = {}, .lambda = bad};
    solve(GaussSeidel{.max_sweeps = 5}, problem, workspace, solution);
    EXPECT_EQ(solution.lambda, cold.solution.lambda);
  }
}

TEST(GaussSeidel, gives_the_same_bits_from_any_workspace) {
  expect_same_bits_from_any_workspace(GaussSeidel{.max_sweeps = 50},
                                      GaussSeidel{.max_sweeps = 150});
}

// A7, closed forms: Coulomb's law keeps what slides on the ground, v' = (v_t − μ v_n, 0); the
// associated cone lifts it, v_t' = (v_t − μ v_n)/(1 + μ²), v_n' = μ v_t'. (v_n is the speed of
// approach.) Σ is 2e-9 of the inverse mass, which is the relative error of a rigid contact.
TEST(GaussSeidel, meets_the_closed_forms_of_an_oblique_impact) {
  for (const double mu : {0.2, 0.5, 1.0})
    for (const int size : {3, 6})
      for (const LocalSolve local : {LocalSolve::sequential, LocalSolve::exact}) {
        const GaussSeidel options{.max_sweeps = 100000, .tolerance = 1e-9, .local = local};
        const double slip = 2.0 - mu;
        const Vec3 v(2.0 * 0.6, 2.0 * 0.8, -1.0);
        const Solved coulomb = solve_cold(options, make_one_contact(size, v, Coulomb{mu}));
        EXPECT_LT((coulomb.solution.u.head<3>() - Vec3(0.6 * slip, 0.8 * slip, 0.0)).norm(), 1e-8);
        const double left = slip / (1.0 + mu * mu);
        const Solved cone = solve_cold(options, make_one_contact(size, v, Cone{mu}));
        EXPECT_LT((cone.solution.u.head<3>() - Vec3(0.6 * left, 0.8 * left, mu * left)).norm(),
                  1e-8);
      }
}

// A tolerance of a few percent is reached in single precision, by bodies with and without equal
// moments, and what is said of the result is true of it in double precision.             [GS.13]
TEST(GaussSeidel, keeps_its_word_when_it_sweeps_in_single_precision) {
  Random random(13);
  VecX scratch;
  for (int trial = 0; trial < 40; ++trial) {
    StepProblem problem = make_random_contacts(40, 90, RandomFriction::cone, random);
    if (trial % 2 == 0)
      for (BodyBlock& body : problem.M.blocks) body.rotation = 0.1 * body.mass * Mat3::Identity();
    const Solved solved = solve_cold(GaussSeidel{.max_sweeps = 10000, .tolerance = 0.02}, problem);
    ASSERT_EQ(solved.report.status, SolveStatus::solved);
    const VelocityError error = compute_velocity_error(problem, solved.solution, scratch);
    EXPECT_EQ(error.relative(), solved.report.velocity_error);
    EXPECT_LE(error.relative(), 0.02);
    Residual residual;
    compute_residual(problem, solved.solution, residual);
    EXPECT_LT(residual.momentum_max, 1e-13);
  }
}

// Masses of 10¹⁸ kg and of 10⁻¹⁸ kg have impulses whose squares are beyond single precision:
// the same velocities all the same.
TEST(GaussSeidel, solves_what_single_precision_cannot_hold) {
  Random random(14);
  const StepProblem problem = make_random_contacts(12, 25, RandomFriction::cone, random);
  const GaussSeidel options{.max_sweeps = 10000, .tolerance = 0.02};
  const Solved exact = solve_cold(patient, problem);
  for (const double scale : {1e18, 1e-18}) {
    StepProblem scaled = problem;
    for (BodyBlock& body : scaled.M.blocks) {
      body.mass *= scale;
      body.rotation *= scale;
    }
    scaled.p *= scale;
    scaled.Sigma /= scale;
    const Solved solved = solve_cold(options, scaled);
    EXPECT_EQ(solved.report.status, SolveStatus::solved) << scale;
    // ‖u − u_exact‖_M ≤ 0.02 ‖u − u*‖_M, and masses within a factor of ten.
    VecX free(problem.columns());
    multiply_inverse(problem.M, problem.p, free);
    const double change = (exact.solution.u - free).norm();
    EXPECT_LT((solved.solution.u - exact.solution.u).norm(), 0.1 * change) << scale;
  }
}

// No friction, glue, no compliance, a zero row, nearly no mass: finite, and within the laws.
TEST(GaussSeidel, survives_degenerate_problems) {
  Random random(12);
  for (const double mu : {0.0, 1e6})
    for (const double Sigma : {0.0, 1e-300, 1e3})
      for (const LocalSolve local : {LocalSolve::sequential, LocalSolve::exact}) {
        StepProblem problem = make_random_contacts(6, 20, RandomFriction::coulomb, random);
        for (std::size_t i = 0; i < problem.laws.size(); ++i)
          problem.laws[i] = i % 2 ? Law(Coulomb{mu}) : Law(Cone{mu});
        problem.Sigma.setConstant(Sigma);
        problem.M.blocks[1].mass = 1e-9;
        problem.M.blocks[2].mass = 1e9;
        const int one[] = {0};
        problem.G.add_block(2, one, problem.M);  // zero rows
        problem.laws.push_back(Unilateral{});
        problem.b.conservativeResize(problem.rows());
        problem.Sigma.conservativeResize(problem.rows());
        problem.b.tail(2).setZero();
        problem.Sigma.tail(2).setZero();
        const Solved solved = solve_cold(GaussSeidel{.max_sweeps = 300, .local = local}, problem);
        EXPECT_TRUE(solved.report.ok());
        EXPECT_TRUE(solved.solution.u.allFinite()) << mu << ' ' << Sigma;
        EXPECT_TRUE(solved.solution.lambda.allFinite());
      }
}

}  // namespace
}  // namespace ligament
