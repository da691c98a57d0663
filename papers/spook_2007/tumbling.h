// SPDX-License-Identifier: Apache-2.0
// Free bodies that spin, in the experiment on tops.
#pragma once

#include "papers/experiment.h"

namespace ligament::papers {

// Claims on energy, momentum and attitude by the two treatments of the gyroscopic torque, and what
// becomes of a body on which it acts explicitly.
void add_tumbling(const Effort& effort, Experiment& e);

}  // namespace ligament::papers
