// SPDX-License-Identifier: Apache-2.0
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const ExperimentEntry> spook_2007() { return {}; }

}  // namespace ligament::papers
