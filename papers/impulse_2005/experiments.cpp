// SPDX-License-Identifier: Apache-2.0
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> impulse_2005() { return {}; }

}  // namespace ligament::papers
