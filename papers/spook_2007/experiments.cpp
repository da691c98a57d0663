// SPDX-License-Identifier: Apache-2.0
#include "papers/spook_2007/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> spook_2007() {
  static const ExperimentEntry entries[] = {
      {.name = "ladder", .run = run_ladder, .seconds = 0.2, .quick = 0.2},
      {.name = "energy", .run = run_long_falls, .seconds = 5.0, .quick = 0.6},
      {.name = "order", .run = run_ladder_order, .seconds = 0.2, .quick = 0.2},
      {.name = "cost", .run = run_cost, .seconds = 3.5, .quick = 0.4},
      {.name = "stability", .run = run_linear_stability, .seconds = 0.1, .quick = 0.1},
      {.name = "large-steps", .run = run_large_steps, .seconds = 2.2, .quick = 0.3},
      {.name = "mass-ratios", .run = run_mass_ratios, .seconds = 1.3, .quick = 0.5},
      {.name = "whiplash", .run = run_whiplash, .seconds = 3.7, .quick = 0.5},
      {.name = "momentum", .run = run_momentum, .seconds = 0.2, .quick = 0.2},
      {.name = "midpoint-iterations", .run = run_midpoint_iterations, .seconds = 0.2, .quick = 0.2},
      {.name = "rod", .run = run_rod, .seconds = 0.1, .quick = 0.1},
      {.name = "tops", .run = run_tops, .seconds = 0.2, .quick = 0.1},
      {.name = "kicked-tops", .run = run_kicked_tops, .seconds = 1.0, .quick = 0.1},
      {.name = "failing-tops", .run = run_failing_tops, .seconds = 0.3, .quick = 0.3},
      {.name = "elimination", .run = run_elimination, .seconds = 1.0, .quick = 0.3},
      {.name = "elimination-cost", .run = run_elimination_cost, .seconds = 10.0, .quick = 0.3},
      {.name = "free-rotation", .run = run_free_rotation, .seconds = 0.5, .quick = 0.2},
  };
  return entries;
}

}  // namespace ligament::papers
