// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/projected_sweeps.h"

#include <Eigen/LU>

namespace ligament::papers {

ProjectedSweeps::ProjectedSweeps(const StepProblem& problem, double omega)
    : problem_(problem),
      step_(static_cast<Eigen::Index>(problem.laws.size())),
      lambda_(VecX::Zero(problem.rows())),
      u_(problem.columns()) {
  multiply_inverse(problem.M, problem.p, u_);
  VecX mobility;
  compute_row_mobility(problem, mobility);
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    step_(static_cast<Eigen::Index>(i)) =
        omega / mobility.segment(block.first_row, block.rows).mean();
    for (const BlockEntry& entry : problem.G.entries_of(block)) {
      const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
      const MatX G =
          Eigen::Map<const MatX>(problem.G.entry_values(entry), block.rows, entry.columns);
      MatX reach = G.transpose() / body.mass;
      if (entry.columns == 6)
        reach.bottomRows<3>() = body.rotation.inverse() * G.rightCols<3>().transpose();
      G_.push_back(G);
      reach_.push_back(std::move(reach));
    }
  }
}

void ProjectedSweeps::visit(std::size_t contact) {
  const RowBlock& block = problem_.G.blocks[contact];
  auto lambda = lambda_.segment(block.first_row, block.rows);
  VecX w = problem_.Sigma.segment(block.first_row, block.rows).cwiseProduct(lambda) -
           problem_.b.segment(block.first_row, block.rows);
  const auto first = static_cast<std::size_t>(block.first_entry);
  const auto entries = problem_.G.entries_of(block);
  for (std::size_t e = 0; e < entries.size(); ++e)
    w += G_[first + e] * u_.segment(entries[e].column, entries[e].columns);
  const auto* coulomb = std::get_if<Coulomb>(&problem_.laws[contact]);
  if (coulomb) w(0) += coulomb->mu * w.tail(block.rows - 1).norm();
  VecX next = lambda - step_(static_cast<Eigen::Index>(contact)) * w;
  project(coulomb ? Law(Cone{coulomb->mu}) : problem_.laws[contact], next);
  const VecX change = next - lambda;
  for (std::size_t e = 0; e < entries.size(); ++e)
    u_.segment(entries[e].column, entries[e].columns) += reach_[first + e] * change;
  lambda = next;
}

void ProjectedSweeps::sweep(SweepOrder order) {
  const std::size_t contacts = problem_.laws.size();
  for (std::size_t i = 0; i < contacts; ++i)
    visit(order == SweepOrder::forwards ? i : contacts - 1 - i);
}

}  // namespace ligament::papers
