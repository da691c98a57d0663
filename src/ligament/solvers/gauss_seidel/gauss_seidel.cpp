// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/gauss_seidel.h"

#include <algorithm>

#include "ligament/solvers/gauss_seidel/block_sweep.h"
#include "ligament/solvers/gauss_seidel/contact_sweep.h"
#include "ligament/solvers/gauss_seidel/packed_error.h"

namespace ligament::gauss_seidel {
namespace {

// One sweep over everything. Returns how far it went [J].
double sweep(LocalSolve local, PackedProblem& packed) {
  double moved = sweep_blocks(local, 0, packed.blocks_before, packed);
  moved += sweep_contacts(packed);
  return moved + sweep_blocks(local, packed.blocks_before, packed.blocks.size(), packed);
}

// Momentum brings all contacts nearer to the solution, but leaves single ones further away than a
// sweep does: the last sweeps, one in nine and at most so many, are plain.               [GS.12]
constexpr int most_plain_sweeps = 8;

void make_sweeps(const GaussSeidel& options, int from, int to, GaussSeidelWorkspace& work) {
  for (int i = from; i < to; ++i) {
    const bool pushed = options.momentum && i + most_plain_sweeps < options.max_sweeps;
    if (pushed) work.momentum.push(work.packed);
    const double moved = sweep(options.local, work.packed);
    if (pushed) work.momentum.learn(moved);
  }
}

// Returns how many there were.
int make_last_sweeps(const GaussSeidel& options, int made, GaussSeidelWorkspace& work) {
  if (!options.momentum) return 0;
  const int count = std::min({made / 8, most_plain_sweeps, options.max_sweeps - made});
  for (int i = 0; i < count; ++i) sweep(options.local, work.packed);
  work.momentum.start(work.packed);
  return count;
}

}  // namespace

SolveReport solve_gauss_seidel(const GaussSeidel& options, const StepProblem& problem,
                               GaussSeidelWorkspace& work, StepSolution& solution) {
  PackedProblem& packed = work.packed;
  const bool sequential = options.local == LocalSolve::sequential;
  pack(problem, sequential ? Batches::of_contacts : Batches::none, packed);
  read_guess(problem, solution.lambda);
  pack_impulses(solution.lambda, packed);
  solution.u.resize(problem.columns());
  update_velocities(problem, solution.lambda, packed, solution.u);
  work.momentum.start(packed);

  SolveReport report;
  report.velocity_error = compute_error(problem, packed).relative();
  report.history.add(report.velocity_error);
  const auto is_over = [&] {
    return report.velocity_error <= options.tolerance || report.iterations == options.max_sweeps;
  };
  while (!is_over()) {
    const int check = std::min(next_check(report.iterations), options.max_sweeps);
    make_sweeps(options, report.iterations, check, work);
    report.iterations = check;
    report.velocity_error = compute_error(problem, packed).relative();
    if (is_over()) {
      report.iterations += make_last_sweeps(options, check, work);
      // The result: velocities are made of its impulses anew, without the rounding of all sweeps.
      unpack_impulses(packed, solution.lambda);
      update_velocities(problem, solution.lambda, packed, solution.u);
      report.velocity_error = compute_error(problem, packed).relative();
    }
    report.history.add(report.velocity_error);
  }
  report.status =
      report.velocity_error <= options.tolerance ? SolveStatus::solved : SolveStatus::not_converged;
  report.work = packed.multiply_adds_a_sweep * report.iterations;
  return report;
}

}  // namespace ligament::gauss_seidel
