// SPDX-License-Identifier: Apache-2.0
#include "papers/vi_2011/experiments.h"

#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> vi_2011() {
  using namespace vi;
  static const ExperimentEntry entries[] = {{"minimum-norm", show_minimum_norm, 0.1, 0.1},
                                            {"friction-limit", show_friction_limit, 0.2, 0.2},
                                            {"damping", show_damping, 0.3, 0.3},
                                            {"friction-models", show_friction_models, 0.5, 0.5},
                                            {"friction-loops", show_friction_loops, 16.0, 2.0},
                                            {"settling", show_settling, 0.3, 0.3},
                                            {"solvers", show_solvers, 2.5, 0.5},
                                            {"iterations", show_iterations, 18.0, 2.0},
                                            {"hand-over", show_hand_over, 1.8, 0.3},
                                            {"sweeps", show_sweeps, 3.0, 0.5},
                                            {"warm-sweeps", show_warm_sweeps, 0.6, 0.6},
                                            {"single-contact", show_single_contact, 0.1, 0.1},
                                            {"uniqueness", show_uniqueness, 12.0, 0.5}};
  return entries;
}

}  // namespace ligament::papers
