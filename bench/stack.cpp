// SPDX-License-Identifier: Apache-2.0
// Stacks of 10 and 40 boxes, one of 10 with a top 1000 times as heavy, and a wall of 20 × 20
// bricks, standing for 10 s at h = 1/60 s: what a step costs a body once they stand, finding
// contacts included, how far they overlap, how fast the fastest body is at the end, and whether it
// all still stands.
//
// Times are processor time of one thread over the second half of the run. Bullet is as the
// distribution compiled it; Ligament is compiled for the processor.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/support/contestants.h"
#include "bench/support/results.h"

namespace {

using namespace ligament;

// How far the furthest body is from where it started.
double find_shift(const bench::Heap& heap, const std::vector<Vec3>& centres) {
  double shift = 0.0;
  for (std::size_t i = 0; i < centres.size(); ++i)
    shift = std::max(shift, (centres[i] - heap.items[i].start).norm());
  return shift;
}

}  // namespace

int main(int argc, char** argv) {
  std::string csv;
  int steps = 600;
  CLI::App app("Stacks and a wall that stand");
  app.add_option("--csv", csv, "write the table to this file");
  app.add_option("--steps", steps, "steps of 1/60 s")->check(CLI::Range(2, 1000000));
  std::string only;
  app.add_option("--only", only, "the scenes and solvers whose names have this text, for profiles");
  CLI11_PARSE(app, argc, argv);

  struct Scene {
    std::string name;
    bench::Heap heap;
  };
  const std::vector<Scene> scenes = {{"stack of 10", bench::make_stack(10)},
                                     {"stack of 40", bench::make_stack(40)},
                                     {"stack of 10, top 1000 times", bench::make_stack(10, 1000.0)},
                                     {"wall of 20 x 20", bench::make_wall(20, 20)}};
  bench::Table table({"scene", "solver", "bodies", "contacts", "us_per_body", "overlap_end_m",
                      "fastest_end_m_per_s", "shift_end_m", "stands"});
  for (const Scene& scene : scenes)
    for (const bench::Contestant& contestant : bench::make_contestants({50})) {
      if ((scene.name + ", " + contestant.name).find(only) == std::string::npos) continue;
      const auto engine = contestant.make(scene.heap, 1.0 / 60.0);
      if (!engine) continue;
      double seconds = 0.0;
      for (int i = 0; i < steps; ++i) {
        const double start = bench::processor_seconds();
        engine->step();
        if (2 * i >= steps) seconds += bench::processor_seconds() - start;
      }
      const std::vector<Vec3> centres = engine->centres();
      const double shift = find_shift(scene.heap, centres);
      const double per_body = seconds / (steps - steps / 2) / static_cast<double>(centres.size());
      table.add({scene.name, contestant.name, fmt::to_string(centres.size()),
                 fmt::to_string(engine->contacts()), fmt::format("{:.3g}", 1e6 * per_body),
                 fmt::format("{:.3g}", bench::compute_overlap(scene.heap, centres)),
                 fmt::format("{:.2g}", engine->fastest()), fmt::format("{:.3g}", shift),
                 shift < 0.05 ? "yes" : "no"});
    }
  table.write_csv(csv);
}
