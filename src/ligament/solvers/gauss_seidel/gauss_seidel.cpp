// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/gauss_seidel.h"

#include <algorithm>
#include <cmath>

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
double sweep(LocalSolve, PackedContacts<float>& packed) { return sweep_contacts(packed); }

// Momentum brings all contacts nearer to the solution, but leaves single ones further away than a
// sweep does: the last sweeps, one in nine and at most so many, are plain.               [GS.12]
constexpr int most_plain_sweeps = 8;

// From this tolerance on sweeps may be in single precision.                               [GS.13]
constexpr double rough_tolerance = 1e-2;

template <class Packed, class Momentum>
struct Sweeps {
  const GaussSeidel& options;
  Packed& packed;
  Momentum& momentum;

  Sweeps(const GaussSeidel& how, Packed& of, Momentum& with)
      : options(how), packed(of), momentum(with) {}

  void make(int from, int to) {
    for (int i = from; i < to; ++i) {
      const bool pushed = options.momentum && i + most_plain_sweeps < options.max_sweeps;
      if (pushed) momentum.push(packed);
      const double moved = sweep(options.local, packed);
      if (pushed) momentum.learn(moved);
    }
  }
  // Returns how many there were.
  int make_last(int made) {
    if (!options.momentum) return 0;
    const int count = std::min({made / 8, most_plain_sweeps, options.max_sweeps - made});
    for (int i = 0; i < count; ++i) sweep(options.local, packed);
    momentum.start(packed);
    return count;
  }
};

bool has_only_cones(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws, [](const Law& law) {
    return std::holds_alternative<Coulomb>(law) || std::holds_alternative<Cone>(law);
  });
}

struct Solve {
  const GaussSeidel& options;
  const StepProblem& problem;
  GaussSeidelWorkspace& work;
  StepSolution& solution;
  SolveReport report{};

  bool is_done() const { return report.velocity_error <= options.tolerance; }
  // The second: what stands still settles from step to step.                              [GS.14]
  bool is_over() const {
    const bool enough =
        report.iterations >= options.least_sweeps || report.velocity_error <= options.settled;
    return (is_done() && enough) || report.iterations >= options.max_sweeps;
  }
  int next_stop() const {
    const int next = is_done() ? options.least_sweeps : next_check(report.iterations);
    return std::min(next, options.max_sweeps);
  }
  template <class Packed>
  void count(int sweeps, const Packed& packed) {
    report.iterations += sweeps;
    report.work += packed.multiply_adds_a_sweep * sweeps;
  }
  void note(double error) {
    report.velocity_error = error;
    report.history.add(error);
  }

  void run() {
    PackedProblem& packed = work.packed;
    const bool sequential = options.local == LocalSolve::sequential;
    pack(problem, sequential ? Batches::of_contacts : Batches::none, packed);
    pack_impulses(solution.lambda, packed);
    update_velocities(problem, solution.lambda, packed, solution.u);
    work.momentum.start(packed);
    Sweeps sweeps{options, packed, work.momentum};
    note(compute_error(problem, packed).relative());
    while (!is_over()) {
      const int stop = next_stop();
      sweeps.make(report.iterations, stop);
      count(stop - report.iterations, packed);
      report.velocity_error = compute_error(problem, packed).relative();
      if (is_over()) {
        count(sweeps.make_last(stop), packed);
        // The result: velocities are made of its impulses anew, without the rounding of all sweeps.
        unpack_impulses(packed, solution.lambda);
        update_velocities(problem, solution.lambda, packed, solution.u);
        report.velocity_error = compute_error(problem, packed).relative();
      }
      report.history.add(report.velocity_error);
    }
    unpack_mobility(packed, solution.mobility);
  }

  // Packs in single precision, with velocities that are counted from those of the guess: they have
  // seven digits of what is still to come. Returns whether the problem can be packed so.
  bool pack_roughly() {
    if (options.tolerance < rough_tolerance || options.local != LocalSolve::sequential)
      return false;
    if (!has_only_cones(problem)) return false;
    work.momentum_of_guess.resize(problem.columns());
    multiply_transposed(problem.G, solution.lambda, work.momentum_of_guess);
    work.momentum_of_guess += problem.p;
    multiply_inverse(problem.M, work.momentum_of_guess, solution.u);
    work.targets.resize(problem.rows());
    multiply(problem.G, solution.u, work.targets);
    work.targets = problem.b - work.targets;
    return pack(problem, work.targets, work.rough);
  }

  // In single precision, until the tolerance seems to be reached or the sweeps are used up. What is
  // reached is judged in double precision; if it is not enough, run() goes on.
  void run_roughly() {
    PackedContacts<float>& packed = work.rough;
    pack_impulses(solution.lambda, packed);
    work.rough_momentum.start(packed);
    Sweeps sweeps{options, packed, work.rough_momentum};
    note(compute_error(problem, solution.u, packed).relative());
    while (!is_over() && report.velocity_error > rough_tolerance) {
      const int stop = next_stop();
      sweeps.make(report.iterations, stop);
      count(stop - report.iterations, packed);
      note(compute_error(problem, solution.u, packed).relative());
      if (!std::isfinite(report.velocity_error)) {  // beyond the range of single precision
        report.iterations = 0;
        return;
      }
    }
    count(sweeps.make_last(report.iterations), packed);
    if (report.iterations == 0) return judge();
    unpack_impulses(packed, solution.lambda);
    read_guess(problem, solution.lambda);  // rounded, impulses may be outside their laws
    judge();
  }
  void judge() { note(judge_impulses(problem, solution, work.momentum_of_guess).relative()); }
};

}  // namespace

SolveReport solve_gauss_seidel(const GaussSeidel& options, const StepProblem& problem,
                               GaussSeidelWorkspace& work, StepSolution& solution) {
  Solve solve{options, problem, work, solution};
  solution.u.resize(problem.columns());
  read_guess(problem, solution.lambda);
  const bool rough = solve.pack_roughly();
  if (rough) solve.run_roughly();
  if (!rough || !solve.is_over()) solve.run();
  solve.report.status = solve.is_done() ? SolveStatus::solved : SolveStatus::not_converged;
  solve.report.end = solve.is_done() ? SolveEnd::reached : SolveEnd::iterations;
  return solve.report;
}

}  // namespace ligament::gauss_seidel
