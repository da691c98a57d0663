// SPDX-License-Identifier: Apache-2.0
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> trapezoidal_2004() { return {}; }

}  // namespace ligament::papers
