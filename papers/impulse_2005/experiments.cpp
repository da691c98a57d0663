// SPDX-License-Identifier: Apache-2.0
#include "papers/impulse_2005/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> impulse_2005() {
  using namespace impulse;
  static const ExperimentEntry entries[] = {
      {"orders", show_orders, 1.0, 1.0},
      {"velocity-correction", show_velocity_correction, 1.0, 1.0},
      {"conservation", show_conservation, 2.0, 2.0},
      {"forms", show_forms, 1.0, 1.0},
      {"point-masses", show_point_masses, 2.0, 2.0},
      {"higher-order", show_higher_order, 1.0, 1.0}};
  return entries;
}

}  // namespace ligament::papers
