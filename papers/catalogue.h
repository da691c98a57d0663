// SPDX-License-Identifier: Apache-2.0
// The experiments of each paper, in the order of the report.
#pragma once

#include <span>

#include "papers/experiment.h"

namespace ligament::papers {

std::span<const ExperimentEntry> relaxed_2005();
std::span<const ExperimentEntry> spook_2007();
std::span<const ExperimentEntry> vi_2011();
std::span<const ExperimentEntry> impulse_2005();
std::span<const ExperimentEntry> trapezoidal_2004();

}  // namespace ligament::papers
