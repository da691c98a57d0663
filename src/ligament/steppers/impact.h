// SPDX-License-Identifier: Apache-2.0
// Impacts by Poisson's hypothesis: velocities jump at a fixed pose, in two solves.
//
//     compression     M (vᶜ − v⁻) = Gᵀ c,        joints G vᶜ = 0,  contacts 0 ≤ N vᶜ ⟂ c_n ≥ 0
//     decompression   M (v⁺ − vᶜ) = Nᵀ (e c_n) + Gᵀ c',   the same laws for v⁺ and c'        [IM.1]
//
// with friction in both phases, and all joints and closed contacts taking part, so that
// simultaneous impacts are one problem. The restitution impulse e c_n carries no friction of its
// own.
#pragma once

#include "ligament/problem/step_problem.h"
#include "ligament/solvers/solver.h"

namespace ligament {

struct ImpactWorkspace {
  StepProblem problem;
  StepSolution solution;
  SolverWorkspace solver;
  VecX impulse;  // (columns) Gᵀ λ of both phases
  VecX lambda;   // (rows) that it comes from
};

// The velocities after an impact: u on entry v⁻, on exit v⁺. The problem has M, G, the laws of what
// takes part, Σ and b = 0 or the drift; restitution(row) gives e of the normal rows, 0 elsewhere.
// The impulse in `work` is what the bodies got.
template <class Restitution>
SolveReport solve_impact(const Solver& solver, Restitution&& restitution, ImpactWorkspace& work,
                         VecX& u) {
  StepProblem& problem = work.problem;
  work.lambda.setZero(problem.rows());
  SolveReport report;
  for (const bool compression : {true, false}) {
    if (!compression) {  // the restitution impulse
      for (int row = 0; row < problem.rows(); ++row) work.solution.lambda(row) *= restitution(row);
      work.lambda += work.solution.lambda;
    }
    work.impulse.resize(problem.columns());
    multiply_transposed(problem.G, work.lambda, work.impulse);
    multiply(problem.M, u, problem.p);
    problem.p += work.impulse;
    report = solve(solver, problem, work.solver, work.solution);
    if (!report.ok()) return report;
    work.lambda += work.solution.lambda;
  }
  u = work.solution.u;
  multiply_transposed(problem.G, work.lambda, work.impulse);
  return report;
}

}  // namespace ligament
