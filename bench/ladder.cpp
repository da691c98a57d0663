// SPDX-License-Identifier: Apache-2.0
// The cost of a step against the size of the mechanism: ladders of rigid bars (N = 10 … 10000
// cells, N closed loops) and chains of ball joints (10 … 100000 links), for Direct and its two
// referees on the same states, in one run.
//
//   step   a whole step: rows, assembly, solve, advance, measure
//   solve  the solver alone on the problem of that step, its symbolic part reused
//
// Times are processor time of one thread, the best of several repetitions. Exponents are
// least-squares slopes of log(time per step) over log(bodies).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/support/results.h"
#include "ligament/ligament.h"
#include "tests/support/machines.h"

namespace {

using namespace ligament;

constexpr int steps_to_warm = 20;    // past the start, where everything is at rest
constexpr int steps_to_repeat = 50;  // then the same stretch of motion again

struct Case {
  std::string machine;
  int size;
  Model model;
  State start;
};

std::unique_ptr<Case> make_case(const std::string& machine, int size) {
  Model model =
      machine == "ladder" ? machines::make_rigid_ladder(size) : machines::make_chain(size);
  State start = model.initial_state();
  Workspace work(model);
  for (int i = 0; i < steps_to_warm; ++i) step(Spook{}, model, start, work);
  return std::make_unique<Case>(Case{machine, size, std::move(model), std::move(start)});
}

void time_steps(benchmark::State& timer, const Case& c, const Solver& solver) {
  const Stepper stepper = Spook{.solver = solver};
  Workspace work(c.model);
  State x = c.start;
  step(stepper, c.model, x, work);
  long count = 0;
  double residual = 0.0;
  for (auto _ : timer) {
    if (count++ % steps_to_repeat == 0) x = c.start;
    const StepReport report = step(stepper, c.model, x, work);
    if (!report.ok()) return timer.SkipWithError("the solver failed");
    residual = std::max(residual, report.residual);
  }
  timer.counters["residual"] = residual;
}

void time_solves(benchmark::State& timer, const Case& c, const Solver& solver) {
  Workspace work(c.model);
  State x = c.start;
  if (!step(Spook{.solver = solver}, c.model, x, work).ok())
    return timer.SkipWithError("the solver failed");
  for (auto _ : timer)
    benchmark::DoNotOptimize(solve(solver, work.problem, work.solver, work.solution));
  compute_residual(work.problem, work.solution, work.residual);
  timer.counters["residual"] = work.residual.row_max;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Options options = bench::parse_options(argc, argv);
  const std::map<std::string, std::vector<int>> sizes = {
      {"ladder", {10, 30, 100, 300, 1000, 3000, 10000}}, {"chain", {10, 100, 1000, 10000, 100000}}};
  const std::vector<Solver> solvers = {Direct{}, Umfpack{}, Cholmod{}};

  bench::Table table({"machine", "size", "bodies", "solver", "what", "us_per_step", "us_per_body",
                      "residual_m_per_s"});
  for (const auto& [machine, list] : sizes)
    for (const int size : list) {
      const std::unique_ptr<Case> c = make_case(machine, size);
      const int bodies = c->model.moving_bodies();
      for (const Solver& solver : solvers)
        for (const bool whole : {true, false}) {
          const bench::Timing timing = bench::measure(
              [&](benchmark::State& timer) {
                whole ? time_steps(timer, *c, solver) : time_solves(timer, *c, solver);
              },
              options);
          table.add({machine, fmt::to_string(size), fmt::to_string(bodies), name_of(solver),
                     whole ? "step" : "solve", fmt::format("{:.4g}", timing.microseconds),
                     fmt::format("{:.4g}", timing.microseconds / bodies),
                     fmt::format("{:.1e}", timing.counters.at("residual"))});
        }
    }
  table.write_csv(options.csv);

  fmt::print("\nexponents of the time per step in the number of bodies\n");
  for (const auto& [machine, list] : sizes)
    for (const Solver& solver : solvers)
      for (const char* what : {"step", "solve"}) {
        const auto rows =
            table.select({{"machine", machine}, {"solver", name_of(solver)}, {"what", what}});
        fmt::print(
            "  {:7} {:8} {:6} {:.3f}\n", machine, name_of(solver), what,
            bench::fit_exponent(table.numbers(rows, "bodies"), table.numbers(rows, "us_per_step")));
      }
  fmt::print("\nhow many times faster Direct is (smallest to largest ratio over the sizes)\n");
  for (const auto& [machine, list] : sizes)
    for (const char* referee : {"umfpack", "cholmod"})
      for (const char* what : {"step", "solve"}) {
        const auto pick = [&, name = machine](const char* solver) {
          return table.numbers(
              table.select({{"machine", name}, {"solver", solver}, {"what", what}}), "us_per_step");
        };
        const auto [low, high] = bench::ratio_range(pick(referee), pick("direct"));
        fmt::print("  {:7} against {:8} {:6} {:.1f} … {:.1f}\n", machine, referee, what, low, high);
      }
  return 0;
}
