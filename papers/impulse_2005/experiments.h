// SPDX-License-Identifier: Apache-2.0
// The experiments of Schmitt, Bender and Prautzsch 2005, one file each.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers::impulse {

Experiment show_orders(const Effort& effort);
Experiment show_velocity_correction(const Effort& effort);
Experiment show_conservation(const Effort& effort);
Experiment show_forms(const Effort& effort);
Experiment show_frozen_matrices(const Effort& effort);
Experiment show_diverging_chains(const Effort& effort);
Experiment show_point_masses(const Effort& effort);
Experiment show_higher_order(const Effort& effort);
Experiment show_rotation_rules(const Effort& effort);
Experiment show_forces(const Effort& effort);
Experiment show_parallelogram(const Effort& effort);

}  // namespace ligament::papers::impulse
