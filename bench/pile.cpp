// SPDX-License-Identifier: Apache-2.0
// 10000 spheres (r = 0.1 m, friction 0.5) dropped into a box, at h = 1/60 s: what a step costs,
// finding contacts included, and how far the spheres overlap, for the default solver, for 10 to
// 200 sweeps, and for Bullet's sequential impulses where it is installed.
//
// Times are processor time of one thread over all steps. Overlaps are measured on the centres, the
// same way for all: the deepest in the whole run, fall and impact included, and at its end. Bullet
// is as the distribution compiled it; Ligament is compiled for the processor.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "bench/support/contestants.h"
#include "bench/support/results.h"

using namespace ligament;

int main(int argc, char** argv) {
  std::string csv;
  int side = 20, layers = 25, steps = 300;
  CLI::App app("A pile of spheres dropped into a box");
  app.add_option("--csv", csv, "write the table to this file");
  app.add_option("--side", side, "spheres along x and y")->check(CLI::Range(2, 200));
  app.add_option("--layers", layers, "spheres along z")->check(CLI::Range(1, 500));
  app.add_option("--steps", steps, "steps of 1/60 s")->check(CLI::PositiveNumber);
  std::string only;
  app.add_option("--only", only, "the solvers whose names have this text, for profiles");
  CLI11_PARSE(app, argc, argv);

  const bench::Heap heap = bench::make_pile(side, layers);
  const auto bodies = static_cast<double>(heap.items.size());
  const double radius = heap.items.front().half.x();
  bench::Table table({"solver", "bodies", "steps", "contacts", "us_per_body", "overlap_max_percent",
                      "overlap_end_percent", "fastest_end_m_per_s", "residual_end_m_per_s",
                      "velocity_error_end"});
  for (const bench::Contestant& contestant : bench::make_contestants({10, 50, 200})) {
    if (contestant.name.find(only) == std::string::npos) continue;
    const auto engine = contestant.make(heap, 1.0 / 60.0);
    if (!engine) continue;
    double seconds = 0.0, overlap = 0.0, deepest = 0.0;
    int reached = 0, sweeps = 0, most_sweeps = 0;
    for (int i = 0; i < steps; ++i) {
      const double start = bench::processor_seconds();
      engine->step();
      seconds += bench::processor_seconds() - start;
      overlap = bench::compute_overlap(heap, engine->centres());
      deepest = std::max(deepest, overlap);
      reached += engine->reached_tolerance();
      sweeps += engine->iterations();
      most_sweeps = std::max(most_sweeps, engine->iterations());
    }
    table.add({contestant.name, fmt::to_string(heap.items.size()), fmt::to_string(steps),
               fmt::to_string(engine->contacts()),
               fmt::format("{:.3g}", 1e6 * seconds / steps / bodies),
               fmt::format("{:.3g}", 100.0 * deepest / radius),
               fmt::format("{:.3g}", 100.0 * overlap / radius),
               fmt::format("{:.2g}", engine->fastest()), fmt::format("{:.2g}", engine->residual()),
               fmt::format("{:.2g}", engine->velocity_error())});
    if (sweeps > 0)
      fmt::print("{}: {} of {} steps reached the tolerance, {:.0f} sweeps on average, {} at most\n",
                 contestant.name, reached, steps, 1.0 * sweeps / steps, most_sweeps);
  }
  table.write_csv(csv);
}
