// SPDX-License-Identifier: Apache-2.0
#include "papers/impulse_2005/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> impulse_2005() {
  using namespace impulse;
  static const ExperimentEntry entries[] = {
      {"orders", show_orders, 0.5, 0.5},
      {"velocity-correction", show_velocity_correction, 0.2, 0.2},
      {"conservation", show_conservation, 0.2, 0.2},
      {"forms", show_forms, 9.0, 0.2},
      {"frozen-matrices", show_frozen_matrices, 0.1, 0.1},
      {"diverging-chains", show_diverging_chains, 0.1, 0.1},
      {"point-masses", show_point_masses, 0.4, 0.4},
      {"higher-order", show_higher_order, 0.1, 0.1},
      {"rotation-rules", show_rotation_rules, 0.5, 0.3},
      {"forces", show_forces, 0.5, 0.5},
      {"parallelogram", show_parallelogram, 0.1, 0.1}};
  return entries;
}

}  // namespace ligament::papers
