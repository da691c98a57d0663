// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/solver.h"

#include <limits>

#include "ligament/solvers/direct/direct.h"
#include "ligament/solvers/pivoting/block_pivot.h"
#include "ligament/solvers/referees/cholmod_referee.h"
#include "ligament/solvers/referees/umfpack_referee.h"

namespace ligament {

struct SolverWorkspace::Parts {
  direct::DirectWorkspace direct;
  referees::UmfpackReferee umfpack;
  referees::CholmodReferee cholmod;
  pivoting::BlockPivotWorkspace block_pivot;
};

SolverWorkspace::SolverWorkspace() : parts_(std::make_unique<Parts>()) {}
SolverWorkspace::~SolverWorkspace() = default;
SolverWorkspace::SolverWorkspace(SolverWorkspace&&) noexcept = default;
SolverWorkspace& SolverWorkspace::operator=(SolverWorkspace&&) noexcept = default;

const char* name_of(const Solver& solver) {
  constexpr const char* names[] = {"direct", "umfpack", "cholmod", "block_pivot"};
  static_assert(std::variant_size_v<Solver> == std::size(names));
  return names[solver.index()];
}

const char* name_of(SolveStatus status) {
  constexpr const char* names[] = {"not run",     "solved",    "singular",
                                   "unsupported", "too large", "not converged"};
  return names[static_cast<std::size_t>(status)];
}

bool needs_symmetry(const Solver& solver) { return std::holds_alternative<Cholmod>(solver); }

namespace {

struct Dispatch {
  const StepProblem& problem;
  SolverWorkspace::Parts& parts;
  StepSolution& solution;

  SolveReport operator()(const Direct& options) const {
    return direct::solve_direct(options, problem, parts.direct, solution);
  }
  SolveReport operator()(const Umfpack&) const { return parts.umfpack.solve(problem, solution); }
  SolveReport operator()(const Cholmod&) const { return parts.cholmod.solve(problem, solution); }
  SolveReport operator()(const BlockPivot& options) const {
    if (has_only_equalities(problem))
      return direct::solve_direct({options.refinements}, problem, parts.direct, solution);
    return pivoting::solve_block_pivot(options, problem, parts.block_pivot, solution);
  }
};

void poison(const StepProblem& problem, StepSolution& solution) {
  solution.u.setConstant(problem.columns(), std::numeric_limits<double>::quiet_NaN());
  solution.lambda.setConstant(problem.rows(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

SolveReport solve(const Solver& solver, const StepProblem& problem, SolverWorkspace& workspace,
                  StepSolution& solution) {
  SolveReport report;
  const bool laws_fit = has_only_equalities(problem) ||
                        (std::holds_alternative<BlockPivot>(solver) && has_only_bounds(problem));
  if (!laws_fit || (needs_symmetry(solver) && !problem.M.is_symmetric()))
    report.status = SolveStatus::unsupported;
  else if (problem.rows() == 0)  // free motion, which needs no solver
    report = direct::solve_direct(Direct{}, problem, workspace.parts().direct, solution);
  else
    report = std::visit(Dispatch{problem, workspace.parts(), solution}, solver);
  if (!report.ok()) poison(problem, solution);
  return report;
}

}  // namespace ligament
