// SPDX-License-Identifier: Apache-2.0
// What the bound on the relative error of the velocities [WA.8] is worth on a pile of 640 spheres
// with Coulomb friction: sweeps are stopped at a bound, cold, and held against InteriorPoint. At
// rest Coulomb's law has more than one solution, and the reference need not converge either: its
// own bound is printed beside it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "bench/support/contestants.h"
#include "bench/support/results.h"
#include "ligament/steppers/workspace.h"

namespace {

using namespace ligament;

// ‖u‖_M
double norm_in(const BlockDiagonal& M, const VecX& u) {
  VecX Mu(u.size());
  multiply(M, u, Mu);
  return std::sqrt(u.dot(Mu));
}

struct Answer {
  StepSolution solution;
  SolveReport report;
  double milliseconds = 0.0;
};

Answer solve_cold(const Solver& solver, const StepProblem& problem) {
  Answer answer;
  SolverWorkspace work;
  const double start = bench::processor_seconds();
  answer.report = solve(solver, problem, work, answer.solution);
  answer.milliseconds = 1e3 * (bench::processor_seconds() - start);
  return answer;
}

void add_moment(const std::string& moment, const StepProblem& problem, bench::Table& table) {
  VecX free(problem.columns());
  multiply_inverse(problem.M, problem.p, free);
  const Answer reference = solve_cold(InteriorPoint{}, problem);
  const double scale = norm_in(problem.M, reference.solution.u - free);
  for (const double bound : {0.5, 0.2, 0.1}) {
    const Answer swept = solve_cold(GaussSeidel{.max_sweeps = 20000, .tolerance = bound}, problem);
    const double error = norm_in(problem.M, swept.solution.u - reference.solution.u) / scale;
    table.add({moment, fmt::to_string(problem.G.blocks.size()), fmt::to_string(bound),
               name_of(swept.report.status), fmt::to_string(swept.report.iterations),
               fmt::format("{:.2g}", error), fmt::format("{:.2g}", swept.milliseconds),
               fmt::format("{:.2g}", reference.report.velocity_error),
               fmt::format("{:.2g}", reference.milliseconds)});
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string csv;
  CLI::App app("Bounds and errors of sweeps on a pile");
  app.add_option("--csv", csv, "write the table to this file");
  CLI11_PARSE(app, argc, argv);

  const Model model = bench::make_model(bench::make_pile(8, 10));
  State state = model.initial_state();
  Workspace work(model);
  bench::Table table({"moment", "contacts", "bound", "status", "sweeps", "error", "ms",
                      "bound_of_reference", "ms_of_reference"});
  for (int i = 1; i <= 300; ++i) {
    step(Spook{}, model, state, work);
    if (i == 20 || i == 40) add_moment(fmt::format("fall, step {}", i), work.problem, table);
    if (i == 180 || i == 300) add_moment(fmt::format("rest, step {}", i), work.problem, table);
  }
  table.write_csv(csv);
}
