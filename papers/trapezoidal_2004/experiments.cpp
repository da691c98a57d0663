// SPDX-License-Identifier: Apache-2.0
#include "papers/trapezoidal_2004/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> trapezoidal_2004() {
  using namespace trapezoidal;
  static const ExperimentEntry entries[] = {
      {"figure-2", show_figure_2, 0.1, 0.1},       {"table-10-1", show_table_10_1, 0.8, 0.2},
      {"variants", show_variants, 0.1, 0.1},       {"figure-4", show_figure_4, 0.1, 0.1},
      {"figure-5", show_figure_5, 0.1, 0.1},       {"rest", show_rest, 0.1, 0.1},
      {"theorem-9-1", show_theorem_9_1, 0.2, 0.1}, {"theorem-9-3", show_theorem_9_3, 0.5, 0.5},
      {"orders", show_orders, 1.6, 0.8},           {"linearization", show_linearization, 0.1, 0.1}};
  return entries;
}

}  // namespace ligament::papers
