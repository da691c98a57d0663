// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/referees/umfpack_referee.h"

#include <umfpack.h>

#include <algorithm>

namespace ligament::referees {

UmfpackReferee::~UmfpackReferee() { umfpack_di_free_symbolic(&symbolic_); }

// Calls visit(row, column, value) for every entry of [M −Gᵀ; G Σ], always in the same order. Zeros
// of the blocks are visited too: the pattern must not depend on values.
template <class Visit>
void UmfpackReferee::visit_entries(const StepProblem& problem, Visit&& visit) {
  const int n = problem.columns();
  for (const BodyBlock& body : problem.M.blocks) {
    for (int i = 0; i < 3; ++i) visit(body.offset + i, body.offset + i, body.mass);
    if (body.size == 3) continue;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        visit(body.offset + 3 + r, body.offset + 3 + c, body.rotation(r, c));
  }
  for (const RowBlock& block : problem.G.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const int row = block.first_row + r;
      visit(n + row, n + row, problem.Sigma(row));
    }
    for (const BlockEntry& entry : problem.G.entries_of(block)) {
      const double* values = problem.G.entry_values(entry);
      for (int c = 0; c < entry.columns; ++c)
        for (int r = 0; r < block.rows; ++r) {
          const double value = values[c * block.rows + r];
          visit(n + block.first_row + r, entry.column + c, value);
          visit(entry.column + c, n + block.first_row + r, -value);
        }
    }
  }
}

bool UmfpackReferee::analyse(const StepProblem& problem) {
  pattern_.clear();
  visit_entries(problem, [&](int row, int column, double) { pattern_.add(row, column); });
  const int size = problem.columns() + problem.rows();
  pattern_.compress(size, matrix_);
  structure_ = problem.G;
  bodies_ = problem.M.blocks.size();
  umfpack_di_free_symbolic(&symbolic_);
  double control[UMFPACK_CONTROL];
  umfpack_di_defaults(control);
  return umfpack_di_symbolic(size, size, matrix_.starts.data(), matrix_.rows.data(), nullptr,
                             &symbolic_, control, nullptr) == UMFPACK_OK;
}

SolveReport UmfpackReferee::solve(const StepProblem& problem, StepSolution& solution) {
  SolveReport report;
  if (!symbolic_ || bodies_ != problem.M.blocks.size() || !same_structure(structure_, problem.G)) {
    report.analysed = true;
    if (!analyse(problem)) {
      report.status = SolveStatus::too_large;
      return report;
    }
  }
  std::ranges::fill(matrix_.values, 0.0);
  std::size_t triplet = 0;
  visit_entries(problem, [&](int, int, double value) {
    matrix_.values[static_cast<std::size_t>(pattern_.place(triplet++))] += value;
  });
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
  umfpack_di_defaults(control);
  void* numeric = nullptr;
  const int* starts = matrix_.starts.data();
  const int* rows = matrix_.rows.data();
  const double* values = matrix_.values.data();
  int status = umfpack_di_numeric(starts, rows, values, symbolic_, &numeric, control, info);
  report.factorizations = 1;
  report.work = 0.5 * info[UMFPACK_FLOPS];
  if (status == UMFPACK_OK) {
    rhs_.resize(problem.columns() + problem.rows());
    x_.resize(rhs_.size());
    rhs_ << problem.p, problem.b;
    status = umfpack_di_solve(UMFPACK_A, starts, rows, values, x_.data(), rhs_.data(), numeric,
                              control, info);
    solution.u = x_.head(problem.columns());
    solution.lambda = x_.tail(problem.rows());
  }
  umfpack_di_free_numeric(&numeric);
  report.status = status == UMFPACK_OK ? SolveStatus::solved : SolveStatus::singular;
  return report;
}

}  // namespace ligament::referees
