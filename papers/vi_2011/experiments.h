// SPDX-License-Identifier: Apache-2.0
// The experiments of Preclik, Popa and Rüde 2011, one file each. The paper has no numbers: these
// test what it says.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers::vi {

Experiment show_minimum_norm(const Effort& effort);
Experiment show_friction_limit(const Effort& effort);
Experiment show_damping(const Effort& effort);
Experiment show_friction_models(const Effort& effort);
Experiment show_friction_loops(const Effort& effort);
Experiment show_settling(const Effort& effort);
Experiment show_solvers(const Effort& effort);
Experiment show_iterations(const Effort& effort);
Experiment show_hand_over(const Effort& effort);
Experiment show_sweeps(const Effort& effort);
Experiment show_warm_sweeps(const Effort& effort);
Experiment show_single_contact(const Effort& effort);
Experiment show_uniqueness(const Effort& effort);

}  // namespace ligament::papers::vi
