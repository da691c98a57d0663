// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/referees/cholmod_referee.h"

#include <Eigen/LU>
#include <algorithm>

namespace ligament::referees {
namespace {

using Block = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>>;

}  // namespace

CholmodReferee::CholmodReferee() {
  cholmod_start(&common_);
  common_.print = 0;
  common_.supernodal = CHOLMOD_AUTO;
}

CholmodReferee::~CholmodReferee() {
  cholmod_free_factor(&factor_, &common_);
  cholmod_finish(&common_);
}

// Calls visit(row, column, value) for the contributions to the upper triangle of S.
template <class Visit>
void CholmodReferee::visit_entries(const StepProblem& problem, Visit&& visit) const {
  for (int i = 0; i < problem.rows(); ++i) visit(i, i, problem.Sigma(i));
  for (std::size_t b = 0; b < touches_.size(); ++b) {
    const BodyBlock& body = problem.M.blocks[b];
    for (const Touch& j : touches_[b]) {
      const Block G_j(problem.G.values.data() + j.values, j.rows, body.size);
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> W(body.size, j.rows);
      W.topRows<3>() = G_j.leftCols<3>().transpose() / body.mass;
      if (body.size == 6) W.bottomRows<3>() = inverse_rotation_[b] * G_j.rightCols<3>().transpose();
      for (const Touch& i : touches_[b]) {
        if (i.first_row > j.first_row) continue;
        const Block G_i(problem.G.values.data() + i.values, i.rows, body.size);
        const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> S = G_i * W;
        for (int c = 0; c < j.rows; ++c)
          for (int r = 0; r < i.rows; ++r)
            if (i.first_row + r <= j.first_row + c)
              visit(i.first_row + r, j.first_row + c, S(r, c));
      }
    }
  }
}

cholmod_sparse CholmodReferee::view() {
  cholmod_sparse A{};
  A.nrow = A.ncol = static_cast<std::size_t>(matrix_.size);
  A.nzmax = matrix_.rows.size();
  A.p = matrix_.starts.data();
  A.i = matrix_.rows.data();
  A.x = matrix_.values.data();
  A.stype = 1;  // upper triangle
  A.itype = CHOLMOD_INT;
  A.xtype = CHOLMOD_REAL;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = 1;
  A.packed = 1;
  return A;
}

void CholmodReferee::analyse(const StepProblem& problem) {
  structure_ = problem.G;
  touches_.assign(problem.M.blocks.size(), {});
  for (const RowBlock& block : problem.G.blocks)
    for (const BlockEntry& entry : problem.G.entries_of(block))
      touches_[static_cast<std::size_t>(entry.body)].push_back(
          {block.first_row, block.rows, entry.values});
  inverse_rotation_.assign(problem.M.blocks.size(), Mat3::Identity());
  pattern_.clear();
  visit_entries(problem, [&](int row, int column, double) { pattern_.add(row, column); });
  pattern_.compress(problem.rows(), matrix_);
  cholmod_free_factor(&factor_, &common_);
  cholmod_sparse A = view();
  factor_ = cholmod_analyze(&A, &common_);
}

void CholmodReferee::apply_inverse_mass(const BlockDiagonal& M, const VecX& p, VecX& out) const {
  for (std::size_t b = 0; b < M.blocks.size(); ++b) {
    const BodyBlock& body = M.blocks[b];
    out.segment<3>(body.offset) = p.segment<3>(body.offset) / body.mass;
    if (body.size == 6)
      out.segment<3>(body.offset + 3) = inverse_rotation_[b] * p.segment<3>(body.offset + 3);
  }
}

SolveReport CholmodReferee::solve(const StepProblem& problem, StepSolution& solution) {
  SolveReport report;
  if (!factor_ || touches_.size() != problem.M.blocks.size() ||
      !same_structure(structure_, problem.G)) {
    report.analysed = true;
    analyse(problem);
  }
  for (std::size_t b = 0; b < problem.M.blocks.size(); ++b)
    if (problem.M.blocks[b].size == 6)
      inverse_rotation_[b] = problem.M.blocks[b].rotation.inverse();
  std::ranges::fill(matrix_.values, 0.0);
  std::size_t triplet = 0;
  visit_entries(problem, [&](int, int, double value) {
    matrix_.values[static_cast<std::size_t>(pattern_.place(triplet++))] += value;
  });
  cholmod_sparse A = view();
  cholmod_factorize(&A, factor_, &common_);
  report.factorizations = 1;
  report.work = 0.5 * common_.fl;
  if (common_.status != CHOLMOD_OK) {
    report.status = SolveStatus::singular;
    return report;
  }
  free_motion_.resize(problem.columns());
  rows_.resize(problem.rows());
  apply_inverse_mass(problem.M, problem.p, free_motion_);
  multiply(problem.G, free_motion_, rows_);
  rows_ = problem.b - rows_;
  cholmod_dense rhs{};
  rhs.nrow = rhs.nzmax = rhs.d = static_cast<std::size_t>(problem.rows());
  rhs.ncol = 1;
  rhs.x = rows_.data();
  rhs.xtype = CHOLMOD_REAL;
  rhs.dtype = CHOLMOD_DOUBLE;
  cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &rhs, &common_);
  solution.lambda =
      Eigen::Map<const Eigen::VectorXd>(static_cast<const double*>(x->x), problem.rows());
  cholmod_free_dense(&x, &common_);
  solution.u.resize(problem.columns());
  multiply_transposed(problem.G, solution.lambda, free_motion_);
  free_motion_ += problem.p;
  apply_inverse_mass(problem.M, free_motion_, solution.u);
  report.status = SolveStatus::solved;
  return report;
}

}  // namespace ligament::referees
