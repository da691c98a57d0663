// SPDX-License-Identifier: Apache-2.0
#include "papers/trapezoidal_2004/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> trapezoidal_2004() {
  using namespace trapezoidal;
  static const ExperimentEntry entries[] = {
      {"figure-2", show_figure_2, 1.0, 0.3},       {"table-10-1", show_table_10_1, 5.0, 1.0},
      {"variants", show_variants, 1.0, 0.3},       {"figure-4", show_figure_4, 1.0, 1.0},
      {"figure-5", show_figure_5, 0.5, 0.5},       {"theorem-9-1", show_theorem_9_1, 2.0, 0.5},
      {"theorem-9-3", show_theorem_9_3, 1.0, 0.3}, {"orders", show_orders, 5.0, 2.0}};
  return entries;
}

}  // namespace ligament::papers
