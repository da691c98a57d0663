// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/impact.h"

namespace ligament {

void Impact::begin(const StepProblem& rows, const VecX& drift) {
  problem_ = rows;
  problem_.b = -drift;
  problem_.Sigma.setZero();
  e_.setZero(problem_.rows());
}

void Impact::leave_out(int block) {
  if (block >= 0) problem_.laws[static_cast<std::size_t>(block)] = Box{};
}

void Impact::leave_out_drives(const ConstraintSet& constraints) {
  for (std::size_t i = 0; i < constraints.blocks.size(); ++i) {
    const int row = problem_.G.blocks[i].first_row;
    const RowPhysics& physics = constraints.physics[static_cast<std::size_t>(row)];
    const bool drive =
        physics.kind == RowKind::velocity && constraints.blocks[i].owner == BlockOwner::control;
    if (physics.elastic || drive) leave_out(static_cast<int>(i));
  }
}

void Impact::set_softness(int block, double Sigma) {
  const RowBlock& rows = problem_.G.blocks[static_cast<std::size_t>(block)];
  problem_.Sigma.segment(rows.first_row, rows.rows).setConstant(Sigma);
}

SolveReport Impact::solve(const Solver& solver, VecX& v) {
  lambda_.setZero(problem_.rows());
  impulse_.setZero(problem_.columns());
  solves_ = 0;
  SolveReport report;
  const bool gives_back = (e_.array() > 0.0).any();
  for (const bool compression : {true, false}) {
    if (!compression) {
      if (!gives_back) break;
      lambda_ += e_.cwiseProduct(solution_.lambda);  // the restitution impulse
      multiply_transposed(problem_.G, lambda_, impulse_);
    }
    multiply(problem_.M, v, problem_.p);
    problem_.p += impulse_;
    solution_.lambda.setZero(problem_.rows());
    add_solve(ligament::solve(solver, problem_, solver_, solution_), report);
    ++solves_;
    if (!report.ok()) return report;
    lambda_ += solution_.lambda;
  }
  v = solution_.u;
  multiply_transposed(problem_.G, lambda_, impulse_);
  return report;
}

}  // namespace ligament
