// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/solver.h"

#include <cmath>
#include <limits>

#include "ligament/problem/velocity_error.h"
#include "ligament/solvers/direct/direct.h"
#include "ligament/solvers/gauss_seidel/gauss_seidel.h"
#include "ligament/solvers/gradient/accelerated_gradient.h"
#include "ligament/solvers/interior/interior_point.h"
#include "ligament/solvers/islands/automatic.h"
#include "ligament/solvers/lemke/lemke.h"
#include "ligament/solvers/newton/newton.h"
#include "ligament/solvers/pivoting/friction_bounds.h"
#include "ligament/solvers/referees/cholmod_referee.h"
#include "ligament/solvers/referees/umfpack_referee.h"

namespace ligament {

struct SolverWorkspace::Parts {
  direct::DirectWorkspace direct;
  referees::UmfpackReferee umfpack;
  referees::CholmodReferee cholmod;
  pivoting::FrictionBoundsWorkspace block_pivot;
  gauss_seidel::GaussSeidelWorkspace gauss_seidel;
  gradient::AcceleratedGradientWorkspace gradient;
  newton::NewtonWorkspace newton;
  interior::InteriorPointWorkspace interior;
  islands::AutomaticWorkspace automatic;
  lemke::LemkeWorkspace lemke;
  VecX scratch;
};

SolverWorkspace::SolverWorkspace() : parts_(std::make_unique<Parts>()) {}
SolverWorkspace::~SolverWorkspace() = default;
SolverWorkspace::SolverWorkspace(SolverWorkspace&&) noexcept = default;
SolverWorkspace& SolverWorkspace::operator=(SolverWorkspace&&) noexcept = default;

const char* name_of(const Solver& solver) {
  constexpr const char* names[] = {
      "direct", "umfpack",        "cholmod", "block_pivot", "gauss_seidel", "accelerated_gradient",
      "newton", "interior_point", "lemke",   "automatic"};
  static_assert(std::variant_size_v<Solver> == std::size(names));
  return names[solver.index()];
}

const char* name_of(SolveStatus status) {
  constexpr const char* names[] = {"not run",     "solved",    "singular",
                                   "unsupported", "too large", "not converged"};
  return names[static_cast<std::size_t>(status)];
}

const char* name_of(SolveEnd end) {
  constexpr const char* names[solve_ends] = {"reached", "stalled", "iterations", "work", "memory"};
  return names[static_cast<std::size_t>(end)];
}

const char* describe(SolveEnd end) {
  constexpr const char* words[solve_ends] = {
      "it is exact or at its tolerance", "it found nothing better", "its iterations were used up",
      "it had cost what it may cost", "what is better does not fit into memory"};
  return words[static_cast<std::size_t>(end)];
}

bool needs_symmetry(const Solver& solver) { return std::holds_alternative<Cholmod>(solver); }

bool supports(const Solver& solver, const StepProblem& problem) {
  if (has_only_equalities(problem)) return true;
  if (std::holds_alternative<Automatic>(solver)) return true;
  if (std::holds_alternative<BlockPivot>(solver)) return has_only_bounds(problem);
  if (std::holds_alternative<Lemke>(solver)) return lemke::supports_laws(problem);
  return std::holds_alternative<GaussSeidel>(solver) ||
         std::holds_alternative<AcceleratedGradient>(solver) ||
         std::holds_alternative<Newton>(solver) || std::holds_alternative<InteriorPoint>(solver);
}

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
    if (has_given_bounds(problem))
      return pivoting::solve_block_pivot(options, problem, parts.block_pivot.pivoting, solution);
    return pivoting::solve_friction_bounds(options, problem, parts.block_pivot, solution);
  }
  SolveReport operator()(const GaussSeidel& options) const {
    return gauss_seidel::solve_gauss_seidel(options, problem, parts.gauss_seidel, solution);
  }
  SolveReport operator()(const AcceleratedGradient& options) const {
    const SolveReport report =
        gradient::solve_accelerated_gradient(options, problem, parts.gradient, solution);
    unpack_mobility(parts.gradient.packed, solution.mobility);
    return report;
  }
  SolveReport operator()(const Newton& options) const {
    const SolveReport report = newton::solve_newton(options, problem, parts.newton, solution);
    if (report.factorizations > 0) solution.mobility = parts.newton.rows.mobility;
    return report;
  }
  SolveReport operator()(const InteriorPoint& options) const {
    return interior::solve_interior_point(options, problem, parts.interior, solution);
  }
  SolveReport operator()(const Automatic& options) const {
    return islands::solve_automatic(options, problem, parts.automatic, solution);
  }
  SolveReport operator()(const Lemke& options) const {
    return lemke::solve_lemke(options, problem, parts.lemke, solution);
  }
};

void poison(const StepProblem& problem, StepSolution& solution) {
  solution.u.setConstant(problem.columns(), std::numeric_limits<double>::quiet_NaN());
  solution.lambda.setConstant(problem.rows(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void add_effort(const SolveReport& before, SolveReport& report) {
  report.factorizations += before.factorizations;
  report.work += before.work;
  report.iterations += before.iterations;
  report.analysed = report.analysed || before.analysed;
}

void add_solve(const SolveReport& next, SolveReport& report) {
  const SolveReport before = report;
  report = next;
  add_effort(before, report);
  for (std::size_t i = 0; i < report.chosen.size(); ++i) report.chosen[i] += before.chosen[i];
  if (report.ok() && before.status == SolveStatus::not_converged) {
    report.status = before.status;
    report.end = before.end;
  }
  if (!(before.velocity_error <= report.velocity_error) && !std::isnan(before.velocity_error)) {
    report.velocity_error = before.velocity_error;
    report.history = before.history;
  }
}

SolveReport solve(const Solver& solver, const StepProblem& problem, SolverWorkspace& workspace,
                  StepSolution& solution) {
  SolveReport report;
  solution.mobility.resize(0);
  if (!supports(solver, problem) || (needs_symmetry(solver) && !problem.M.is_symmetric()))
    report.status = SolveStatus::unsupported;
  else if (problem.rows() == 0)  // free motion, which needs no solver
    report = direct::solve_direct(Direct{}, problem, workspace.parts().direct, solution);
  else
    report = std::visit(Dispatch{problem, workspace.parts(), solution}, solver);
  if (!report.ok()) poison(problem, solution);
  // Who stops short says by how much.
  if (report.status == SolveStatus::not_converged && std::isnan(report.velocity_error)) {
    project_onto_laws(problem, solution.lambda);
    report.velocity_error = judge_impulses(problem, solution, workspace.parts().scratch).relative();
  }
  return report;
}

SolveReport solve_again(const Solver& solver, const StepProblem& problem,
                        SolverWorkspace& workspace, StepSolution& solution) {
  SolverWorkspace::Parts& parts = workspace.parts();
  if (problem.rows() > 0 && has_only_equalities(problem)) {
    if (const auto* direct = std::get_if<Direct>(&solver))
      return direct::solve_direct_again(*direct, problem, parts.direct, solution);
    if (const auto* pivot = std::get_if<BlockPivot>(&solver))
      return direct::solve_direct_again({pivot->refinements}, problem, parts.direct, solution);
    if (std::holds_alternative<Automatic>(solver) && parts.automatic.whole)
      return solve_again(BlockPivot{}, problem, *parts.automatic.whole, solution);
  }
  return solve(solver, problem, workspace, solution);
}

}  // namespace ligament
