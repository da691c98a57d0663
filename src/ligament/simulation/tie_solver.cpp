// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/tie_solver.h"

#include <limits>

namespace ligament {
namespace {

constexpr double roundings = 1e3;  // of the largest mobility: what a tie gives way by [SP.8]
constexpr double left_out = 1e12;  // the same, of a row that does nothing

}  // namespace

std::vector<bool> find_ties(const Model& model, const Workspace& work, Drives drives) {
  std::vector<bool> ties(work.constraints.physics.size(), false);
  for (std::size_t b = 0; b < work.constraints.blocks.size(); ++b) {
    const ConstraintBlock& block = work.constraints.blocks[b];
    bool counts = true;
    if (block.owner == BlockOwner::control) {
      const ControlKind kind = model.controls()[block.index].kind;
      const bool drives_it = (kind == ControlKind::motor && block.max_force == unlimited) ||
                             kind == ControlKind::motion;
      counts = kind == ControlKind::lock || (drives_it && drives == Drives::counted);
    }
    const RowBlock& rows = work.problem.G.blocks[b];
    for (int r = 0; r < rows.rows; ++r) {
      const auto row = static_cast<std::size_t>(rows.first_row + r);
      const RowPhysics& physics = work.constraints.physics[row];
      ties[row] = counts && !physics.elastic && !physics.unilateral;
    }
  }
  return ties;
}

TieSolver::TieSolver(const StepProblem& problem, const std::vector<bool>& ties)
    : problem_(problem) {
  problem_.laws.assign(problem_.laws.size(), Equality{});
  resize_to_structure(problem_);
  VecX mobility;
  compute_row_mobility(problem_, mobility);
  const double largest = mobility.size() > 0 ? mobility.maxCoeff() : 1.0;
  for (std::size_t i = 0; i < ties.size(); ++i)
    problem_.Sigma(static_cast<Eigen::Index>(i)) =
        largest * (ties[i] ? roundings * std::numeric_limits<double>::epsilon() : left_out);
  unit_.setZero(problem_.rows());
  push_.setZero(problem_.columns());
}

bool TieSolver::push(const VecX& p) {
  problem_.p = p;
  const SolveReport report = factored_ ? solve_again(Direct{}, problem_, workspace_, solution_)
                                       : solve(Direct{}, problem_, workspace_, solution_);
  factored_ = report.ok();
  return report.ok() && solution_.u.allFinite();
}

double TieSolver::compute_mobility(int row) {
  unit_(row) = 1.0;
  multiply_transposed(problem_.G, unit_, push_);
  unit_(row) = 0.0;
  if (!push(push_)) return std::numeric_limits<double>::quiet_NaN();
  return push_.dot(solution_.u);
}

}  // namespace ligament
