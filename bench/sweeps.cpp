// SPDX-License-Identifier: Apache-2.0
// What momentum does for sweeps [GS.9]: the bound on the relative error of the velocities [WA.8]
// after 10, 30, 100 and 300 sweeps, plain and with momentum, on step problems of piles, stacks and
// a wall whose compliance is a share of their mobility. Nothing here is timed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "bench/support/heaps.h"
#include "bench/support/results.h"
#include "ligament/steppers/workspace.h"

namespace {

using namespace ligament;

constexpr double h = 1.0 / 60.0;

// A step problem with the impulses of the step before.
struct Moment {
  std::string name;
  StepProblem problem;
  VecX guess;
};

// After so many steps. A solver that any guess is good enough for leaves the guess as it is.
Moment take_moment(const std::string& name, const bench::Heap& heap, int steps) {
  const Model model = bench::make_model(heap);
  State state = model.initial_state();
  Workspace work(model);
  for (int i = 0; i < steps; ++i) step(Spook{.h = h}, model, state, work);
  const GaussSeidel content{.max_sweeps = 1, .tolerance = 1e300};
  step(Spook{.h = h, .solver = content}, model, state, work);
  return {name, work.problem, work.solution.lambda};
}

// The body in the middle gets a push that the impulses of the step before know nothing of, of 2 and
// 1 cm/s.
Moment push_one(Moment moment) {
  const BodyBlock& body = moment.problem.M.blocks[moment.problem.M.blocks.size() / 2];
  moment.problem.p.segment<3>(body.offset) += body.mass * Vec3(0.02, 0.01, 0.0);
  moment.name += ", pushed";
  return moment;
}

// Σ = s times the mean mobility of all rows.
void set_softness(double s, StepProblem& problem) {
  VecX mobility;
  problem.Sigma.setZero();
  compute_row_mobility(problem, mobility);
  problem.Sigma.setConstant(s * mobility.mean());
}

double compute_bound(const Moment& moment, bool warm, bool momentum, int sweeps) {
  SolverWorkspace work;
  StepSolution solution;
  if (warm) solution.lambda = moment.guess;
  const GaussSeidel solver{.max_sweeps = sweeps, .tolerance = 0.0, .momentum = momentum};
  return solve(solver, moment.problem, work, solution).velocity_error;
}

}  // namespace

int main(int argc, char** argv) {
  std::string csv;
  CLI::App app("Sweeps with and without momentum");
  app.add_option("--csv", csv, "write the table to this file");
  CLI11_PARSE(app, argc, argv);

  std::vector<Moment> moments;
  const bench::Heap small = bench::make_pile(6, 6), large = bench::make_pile(14, 15);
  moments.push_back(take_moment("216 spheres, impact", small, 15));
  moments.push_back(take_moment("216 spheres, rest", small, 240));
  moments.push_back(take_moment("2940 spheres, impact", large, 25));
  moments.push_back(take_moment("2940 spheres, rest", large, 300));
  moments.push_back(push_one(take_moment("10 boxes", bench::make_stack(10), 60)));
  moments.push_back(push_one(take_moment("40 boxes", bench::make_stack(40), 60)));
  moments.push_back(push_one(take_moment("wall of 10 x 10", bench::make_wall(10, 10), 60)));

  const std::vector<int> counts = {10, 30, 100, 300};
  std::vector<std::string> columns = {"scene", "softness", "start"};
  for (const char* kind : {"plain", "momentum"})
    for (const int count : counts) columns.push_back(fmt::format("{}_{}", kind, count));
  bench::Table table(columns);
  std::vector<double> log_gain(counts.size(), 0.0);
  int problems = 0;
  for (Moment& moment : moments)
    for (const double s : {1e-2, 1e-3, 1e-4})
      for (const bool warm : {false, true}) {
        set_softness(s, moment.problem);
        std::vector<std::string> row = {moment.name, fmt::format("{:.0e}", s),
                                        warm ? "warm" : "cold"};
        std::vector<double> plain;
        for (const bool momentum : {false, true})
          for (std::size_t i = 0; i < counts.size(); ++i) {
            const double bound = compute_bound(moment, warm, momentum, counts[i]);
            row.push_back(fmt::format("{:.2g}", bound));
            if (momentum)
              log_gain[i] += std::log(std::max(plain[i], 1e-6) / std::max(bound, 1e-6));
            else
              plain.push_back(bound);
          }
        table.add(row);
        ++problems;
      }
  for (std::size_t i = 0; i < counts.size(); ++i)
    fmt::print(
        "after {} sweeps the bound with momentum is 1/{:.3g} of the plain one (geometric "
        "mean of {} problems)\n",
        counts[i], std::exp(log_gain[i] / problems), problems);
  table.write_csv(csv);
}
