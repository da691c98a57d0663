// SPDX-License-Identifier: Apache-2.0
// What every solver of contact must do, on random problems: agree with solvers that find the
// solution in another way, keep the laws, know its error, and forget what its workspace was used
// for.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ligament/problem/residual.h"
#include "ligament/problem/velocity_error.h"
#include "support/measured.h"
#include "support/random_problems.h"
#include "support/solved.h"

namespace ligament {

// A problem with every law and blocks of any shape, and one of contacts.
inline std::vector<StepProblem> make_both(RandomLaws laws, RandomFriction friction,
                                          Random& random) {
  std::vector<StepProblem> made;
  made.push_back(make_random_problem({.bodies = 8, .row_blocks = 10}, random));
  give_laws_at_random(laws, random, made.back());
  made.push_back(make_random_contacts(12, 25, friction, random));
  return made;
}

// One contact under a body of 2 kg: a particle, or a rigid body with the point under its centre.
inline StepProblem make_one_contact(int size, const Vec3& v, const Law& law) {
  StepProblem problem;
  problem.M.add_block(size);
  problem.M.blocks[0].mass = 2.0;
  problem.M.blocks[0].rotation = Mat3::Identity();
  const int bodies[] = {0};
  problem.G.add_block(3, bodies, problem.M);
  resize_to_structure(problem);
  problem.laws[0] = law;
  problem.Sigma.setConstant(1e-9);
  Mat3 C;  // normal up, tangents along x and y
  C << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  Eigen::Map<Mat3>(problem.G.entry_values(problem.G.entries[0])) = C;
  problem.p.head<3>() = 2.0 * v;
  return problem;
}

inline void expect_agreement_with_direct(const std::vector<Solver>& solvers) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const StepProblem problem =
        make_random_problem({.bodies = 6, .row_blocks = 7, .most_bodies_a_block = 3}, random);
    const Solved exact = solve_cold(Direct{}, problem);
    for (const Solver& solver : solvers)
      expect_same_velocities(problem, solve_cold(solver, problem), exact);
  }
}

inline void expect_agreement_with_block_pivoting(const std::vector<Solver>& solvers) {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 10, .row_blocks = 14}, random);
    give_laws_at_random(RandomLaws::bounds, random, problem);
    const Solved exact = solve_cold(BlockPivot{}, problem);
    for (const Solver& solver : solvers)
      expect_same_velocities(problem, solve_cold(solver, problem), exact);
  }
}

// Convex laws have one solution, whatever way leads to it.
inline void expect_agreement_with_sweeps(const std::vector<Solver>& solvers) {
  Random random(3);
  const GaussSeidel sweeps{.max_sweeps = 100000, .tolerance = 1e-7, .local = LocalSolve::exact};
  for (int trial = 0; trial < 20; ++trial)
    for (const StepProblem& problem : make_both(RandomLaws::convex, RandomFriction::cone, random)) {
      const Solved swept = solve_cold(sweeps, problem);
      for (const Solver& solver : solvers)
        expect_same_velocities(problem, swept, solve_cold(solver, problem));
    }
}

struct LawLimits {
  int trials = 30;        // all but two must converge
  double momentum = 0.0;  // [N s] largest residual
  double row = 0.0;       // [m/s] the same of the laws where it converges
};

inline void expect_laws_to_hold_where_it_converges(const Solver& solver, const LawLimits& limits) {
  Random random(4);
  int converged = 0;
  double worst = 0.0;
  for (int trial = 0; trial < limits.trials; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 8, .row_blocks = 10}, random);
    give_laws_at_random(RandomLaws::all, random, problem);
    if (trial % 2) problem = make_random_contacts(12, 25, RandomFriction::coulomb, random);
    const Solved solved = solve_cold(solver, problem);
    ASSERT_TRUE(solved.report.ok());
    Residual residual;
    compute_residual(problem, solved.solution, residual);
    EXPECT_LT(residual.momentum_max, limits.momentum);
    if (solved.report.status != SolveStatus::solved) continue;
    ++converged;
    worst = std::max(worst, residual.row_max);
  }
  EXPECT_LT(measured("worst residual of a law [m/s]", worst), limits.row);
  EXPECT_GE(measured("converged", converged), limits.trials - 2);
}

// Solvers that were given few iterations.
inline void expect_errors_that_the_problem_knows(const std::vector<Solver>& hasty) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial)
    for (const StepProblem& problem : make_both(RandomLaws::all, RandomFriction::both, random))
      for (const Solver& solver : hasty) {
        const Solved solved = solve_cold(solver, problem);
        VecX scratch;
        const double error = compute_velocity_error(problem, solved.solution, scratch).relative();
        // The same sums in another order, of velocities that differ by rounding: relative to the
        // first-order terms in the gap, 1e-16 of the energies over a gap above 1e-12 of them.
        if (error < 1e-6) continue;
        if (std::isinf(error)) {  // no impulse is the best that it found
          EXPECT_EQ(solved.report.velocity_error, error);
          continue;
        }
        EXPECT_NEAR(solved.report.velocity_error, error, 1e-4 * error);
      }
}

// From a new workspace, and from one in which `another` solved a problem of another size.
inline void expect_same_bits_from_any_workspace(const Solver& solver, const Solver& another) {
  Random random(11);
  const StepProblem problem = make_random_contacts(40, 90, RandomFriction::coulomb, random);
  const StepProblem other = make_random_contacts(13, 31, RandomFriction::cone, random);
  const Solved first = solve_cold(solver, problem);
  SolverWorkspace used;
  StepSolution solution;
  solve(another, other, used, solution);
  solution = {};
  solve(solver, problem, used, solution);
  EXPECT_EQ(solution.lambda, first.solution.lambda);
  EXPECT_EQ(solution.u, first.solution.u);
}

}  // namespace ligament
