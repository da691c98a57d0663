// SPDX-License-Identifier: Apache-2.0
// The experiments of Lacoursière 2007, one file each.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers {

Experiment run_ladder(const Effort& effort);
Experiment run_long_falls(const Effort& effort);
Experiment run_ladder_order(const Effort& effort);
Experiment run_cost(const Effort& effort);
Experiment run_linear_stability(const Effort& effort);
Experiment run_large_steps(const Effort& effort);
Experiment run_mass_ratios(const Effort& effort);
Experiment run_whiplash(const Effort& effort);
Experiment run_midpoint_iterations(const Effort& effort);
Experiment run_momentum(const Effort& effort);
Experiment run_rod(const Effort& effort);
Experiment run_tops(const Effort& effort);
Experiment run_kicked_tops(const Effort& effort);
Experiment run_failing_tops(const Effort& effort);
Experiment run_free_rotation(const Effort& effort);
Experiment run_elimination(const Effort& effort);
Experiment run_elimination_cost(const Effort& effort);

}  // namespace ligament::papers
