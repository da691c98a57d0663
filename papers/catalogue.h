// SPDX-License-Identifier: Apache-2.0
// The experiments of each paper, in the order of the report, and what is misprinted.
#pragma once

#include <span>

#include "papers/experiment.h"

namespace ligament::papers {

std::span<const ExperimentEntry> relaxed_2005();
std::span<const Misprint> relaxed_2005_misprints();
std::span<const ExperimentEntry> spook_2007();
std::span<const Misprint> spook_2007_misprints();
std::span<const ExperimentEntry> vi_2011();
std::span<const Misprint> vi_2011_misprints();
std::span<const ExperimentEntry> impulse_2005();
std::span<const Misprint> impulse_2005_misprints();
std::span<const ExperimentEntry> trapezoidal_2004();
std::span<const Misprint> trapezoidal_2004_misprints();

}  // namespace ligament::papers
