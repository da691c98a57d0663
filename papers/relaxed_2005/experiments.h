// SPDX-License-Identifier: Apache-2.0
// The experiments of Lacoursière 2005, one file each.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers {

Experiment run_pendulum(const Effort& effort);
Experiment run_pendulum_table(const Effort& effort);
Experiment run_curvature(const Effort& effort);
Experiment run_slider_crank(const Effort& effort);
Experiment run_gauss_seidel(const Effort& effort);
Experiment run_boxes(const Effort& effort);
Experiment run_pivoting(const Effort& effort);

}  // namespace ligament::papers
