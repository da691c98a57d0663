// SPDX-License-Identifier: Apache-2.0
#include "papers/relaxed_2005/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> relaxed_2005() {
  static const ExperimentEntry entries[] = {
      {.name = "pendulum", .run = run_pendulum, .seconds = 0.1, .quick = 0.1},
      {.name = "pendulum-table", .run = run_pendulum_table, .seconds = 0.1, .quick = 0.1},
      {.name = "curvature", .run = run_curvature, .seconds = 0.1, .quick = 0.1},
      {.name = "slider-crank", .run = run_slider_crank, .seconds = 0.1, .quick = 0.1},
      {.name = "gauss-seidel", .run = run_gauss_seidel, .seconds = 0.1, .quick = 0.1},
      {.name = "box-friction", .run = run_boxes, .seconds = 0.6, .quick = 0.4},
      {.name = "pivoting", .run = run_pivoting, .seconds = 30.0, .quick = 0.7},
  };
  return entries;
}

}  // namespace ligament::papers
