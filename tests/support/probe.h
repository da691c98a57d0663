// SPDX-License-Identifier: Apache-2.0
// What tests look at inside a step: rows at a pose, the step problem, dense matrices.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "ligament/ligament.h"
#include "ligament/math/rotation.h"
#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/words.h"

namespace ligament {

// g and G at the pose of a state.
struct RowsAt {
  VecX g;
  MatX G;
};

inline RowsAt compute_rows(const Model& model, const State& state) {
  Workspace work(model);
  build_rows(model, state, work);
  return {work.g, make_dense(work.problem.G)};
}

// The problem that the step from `state` solves; the state is not changed.
inline StepProblem make_step_problem(const Stepper& stepper, const Model& model, State state) {
  Workspace work(model);
  step(stepper, model, state, work);
  return work.problem;
}

// [M −Gᵀ; G Σ], with unknowns u, λ and right-hand side p, b.
inline MatX make_dense_kkt(const StepProblem& problem) {
  const int n = problem.columns(), m = problem.rows();
  const MatX G = make_dense(problem.G);
  MatX K(n + m, n + m);
  K << make_dense(problem.M), -G.transpose(), G, MatX(problem.Sigma.asDiagonal());
  return K;
}

// q ⊕ t v witha velocity v laid out as State::v; rotations by the exponential map.
inline State moved(const Model& model, State state, const VecX& v, double t) {
  displace(model, v, t, state);
  return state;
}

// Takes `steps` steps and expects all to be solved.
inline void take_steps(const Stepper& stepper, const Model& model, long steps, State& state,
                       Workspace& work) {
  for (long i = 0; i < steps; ++i) {
    const StepReport report = step(stepper, model, state, work);
    ASSERT_TRUE(report.ok()) << name_of(report.solve.status) << " at step " << i;
  }
}

inline std::vector<Stepper> both_steppers(double h, const Solver& solver = Direct{}) {
  return {Spook{.h = h, .solver = solver}, Relaxed{.h = h, .solver = solver}};
}

}  // namespace ligament
