// SPDX-License-Identifier: Apache-2.0
// Impacts by Poisson's hypothesis: velocities jump at a fixed pose, in two solves.
//
//     compression     M (vᶜ − v⁻) = Gᵀ c,        joints G vᶜ = 0,  contacts 0 ≤ N vᶜ ⟂ c_n ≥ 0
//     decompression   M (v⁺ − vᶜ) = Nᵀ (e c_n) + Gᵀ c',   the same laws for v⁺ and c'        [IM.1]
//
// with friction in both phases, and all joints and closed contacts taking part, so that
// simultaneous impacts are one problem. The restitution impulse e c_n carries no friction of its
// own. Where nothing gives back the second phase changes nothing and is left out.
#pragma once

#include "ligament/constraints/constraint_set.h"
#include "ligament/problem/step_problem.h"
#include "ligament/solvers/solver.h"

namespace ligament {

class Impact {
 public:
  // Begins with the rows of a problem, all rigid, all taking part, giving nothing back; b = −drift.
  // M is to be the inertia at the pose.
  void begin(const StepProblem& rows, const VecX& drift);

  void leave_out(int block);
  // Leaves out springs and drives, whose impulses are of the order of the step.
  void leave_out_drives(const ConstraintSet& constraints);
  void set_softness(int block, double Sigma);                       // [m/(N s)]
  void set_softness(const VecX& Sigma) { problem_.Sigma = Sigma; }  // (rows)
  void set_restitution(int row, double e) { e_(row) = e; }          // of a normal row

  // v on entry v⁻, on exit v⁺.
  SolveReport solve(const Solver& solver, VecX& v);

  const VecX& impulse() const { return impulse_; }  // (columns) Gᵀ λ that the bodies got
  const VecX& lambda() const { return lambda_; }    // (rows) of both phases together
  int solves() const { return solves_; }            // of the last solve()

 private:
  StepProblem problem_;
  StepSolution solution_;
  SolverWorkspace solver_;
  VecX impulse_, lambda_, e_;
  int solves_ = 0;
};

}  // namespace ligament
