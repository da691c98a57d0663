// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/islands/automatic.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/parallel.h"

namespace ligament::islands {
namespace {

constexpr int few_bounded_rows = 200;

// What the solve of one island may cost when its contacts are hard to sort out, up to 20 ms and
// half a second: a step that is not exact but in time, with a bound on its error, beats one that
// nobody waits for.
constexpr int block_solves = 1'000'000;  // of Gauss–Seidel
constexpr double factor_work = 1e9;      // multiply-adds of factorizations
constexpr int factored_bodies = 500;     // of islands whose factorization is worth a try
int count_bounded_rows(const StepProblem& problem) {
  int rows = 0;
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    if (!std::holds_alternative<Equality>(problem.laws[i])) rows += problem.G.blocks[i].rows;
  return rows;
}

bool suits_pivoting(const StepProblem& problem) {
  return has_only_bounds(problem) && has_given_bounds(problem) &&
         count_bounded_rows(problem) <= few_bounded_rows;
}

int count_sweeps(const Automatic& options, const StepProblem& problem) {
  const int blocks = static_cast<int>(problem.G.blocks.size());
  return std::max(options.max_sweeps, block_solves / std::max(blocks, 1));
}

// One island, by one solver after the other, each from the best impulses of those before it.
struct IslandSolve {
  const StepProblem& problem;
  SolverWorkspace& workspace;
  StepSolution& solution;
  SolveReport report{};

  void run(const Solver& solver) {
    SolveReport next = solve(solver, problem, workspace, solution);
    add_effort(report, next);
    report = next;
    report.chosen = {};  // the last one counts
    report.chosen[solver.index()] = 1;
  }
  bool is_done() const { return report.status != SolveStatus::not_converged; }
};

// Newton, and where it is stuck and the island is small, InteriorPoint. Of what is larger and still
// not to the tolerance, it is enough if sweeps would have done no better.
void solve_by_newton(const Automatic& options, int bodies, IslandSolve& island) {
  const int sweeps = count_sweeps(options, island.problem);
  island.run(Newton{.tolerance = options.tolerance, .max_sweeps = sweeps, .max_work = factor_work});
  if (island.is_done()) return;
  if (bodies <= options.direct_bodies)
    island.run(InteriorPoint{.tolerance = options.tolerance, .max_sweeps = sweeps});
  else if (island.report.velocity_error <= options.sweep_tolerance)
    island.report.status = SolveStatus::solved;  // its end says that it was not the tolerance
}

void solve_by_sweeps(const Automatic& options, IslandSolve& island) {
  island.run(GaussSeidel{.max_sweeps = count_sweeps(options, island.problem),
                         .tolerance = std::max(options.tolerance, options.sweep_tolerance),
                         .least_sweeps = options.least_sweeps,
                         .settled = options.tolerance});
}

SolveReport solve_island(const Automatic& options, const StepProblem& problem, int bodies,
                         SolverWorkspace& workspace, StepSolution& solution) {
  IslandSolve island{problem, workspace, solution};
  if (has_only_equalities(problem))
    island.run(Direct{});
  else if (suits_pivoting(problem))
    island.run(BlockPivot{});
  else if (bodies <= std::max(options.direct_bodies, factored_bodies))
    solve_by_newton(options, bodies, island);
  else
    solve_by_sweeps(options, island);
  return island.report;
}

// Gives every island a slot: that of its first body if that is free, or any other.
void assign_slots(const StepProblem& problem, AutomaticWorkspace& work) {
  const auto islands = static_cast<std::size_t>(work.islands.count());
  work.slot_of_body.resize(problem.M.blocks.size(), -1);
  work.slot_of_island.assign(islands, -1);
  for (auto& slot : work.slots) slot->island = -1;
  for (std::size_t i = 0; i < islands; ++i) {
    const int body = work.islands.bodies(static_cast<int>(i)).front();
    const int slot = work.slot_of_body[static_cast<std::size_t>(body)];
    if (slot < 0 || work.slots[static_cast<std::size_t>(slot)]->island >= 0) continue;
    work.slots[static_cast<std::size_t>(slot)]->island = static_cast<int>(i);
    work.slot_of_island[i] = slot;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < islands; ++i) {
    if (work.slot_of_island[i] >= 0) continue;
    while (next < work.slots.size() && work.slots[next]->island >= 0) ++next;
    if (next == work.slots.size()) work.slots.push_back(std::make_unique<IslandSlot>());
    work.slots[next]->island = static_cast<int>(i);
    work.slot_of_island[i] = static_cast<int>(next);
    const int body = work.islands.bodies(static_cast<int>(i)).front();
    work.slot_of_body[static_cast<std::size_t>(body)] = static_cast<int>(next);
  }
}

void add_report(const SolveReport& from, std::span<const int> blocks, SolveReport& to) {
  to.factorizations += from.factorizations;
  to.work += from.work;
  to.analysed = to.analysed || from.analysed;
  for (std::size_t i = 0; i < to.chosen.size(); ++i) to.chosen[i] += from.chosen[i];
  if (from.iterations > to.iterations) {
    to.iterations = from.iterations;
    to.history = from.history;
  }
  if (!(from.velocity_error <= to.velocity_error) && !std::isnan(from.velocity_error))
    to.velocity_error = from.velocity_error;
  // A failure is worse than a solve that did not converge, and that worse than one that did.
  const auto rank = [](const SolveReport& report) {
    return report.status == SolveStatus::solved ? 0 : report.ok() ? 1 : 2;
  };
  if (rank(from) <= rank(to)) return;
  to.status = from.status;
  to.end = from.end;
  if (from.culprit_block >= 0)
    to.culprit_block = blocks[static_cast<std::size_t>(from.culprit_block)];
}

}  // namespace

SolveReport solve_automatic(const Automatic& options, const StepProblem& problem,
                            AutomaticWorkspace& work, StepSolution& solution) {
  if (!work.whole) work.whole = std::make_unique<SolverWorkspace>();
  if (suits_pivoting(problem)) {
    SolveReport report = solve(BlockPivot{}, problem, *work.whole, solution);
    report.chosen[Solver(BlockPivot{}).index()] = 1;
    return report;
  }
  work.islands.find(problem);
  if (work.islands.count() == 1)
    return solve_island(options, problem, static_cast<int>(work.islands.bodies(0).size()),
                        *work.whole, solution);

  assign_slots(problem, work);
  work.guess = solution.lambda;
  work.place_of_body.resize(problem.M.blocks.size());
  solution.u.resize(problem.columns());
  solution.lambda.setZero(problem.rows());
  multiply_inverse(problem.M, problem.p, solution.u);  // of bodies without rows
  const auto islands = static_cast<std::size_t>(work.islands.count());
  for_each_chunk(options.threads, islands, 1, [&](std::size_t i, std::size_t, std::size_t) {
    const int island = static_cast<int>(i);
    const auto bodies = work.islands.bodies(island), blocks = work.islands.blocks(island);
    IslandSlot& slot = *work.slots[static_cast<std::size_t>(work.slot_of_island[i])];
    extract(problem, work.guess, bodies, blocks, work.place_of_body, slot.problem, slot.solution);
    slot.report = solve_island(options, slot.problem, static_cast<int>(bodies.size()), slot.solver,
                               slot.solution);
    insert(problem, bodies, blocks, slot.problem, slot.solution, solution);
  });
  SolveReport report;
  report.status = SolveStatus::solved;
  for (std::size_t i = 0; i < islands; ++i)
    add_report(work.slots[static_cast<std::size_t>(work.slot_of_island[i])]->report,
               work.islands.blocks(static_cast<int>(i)), report);
  return report;
}

}  // namespace ligament::islands
