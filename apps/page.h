// SPDX-License-Identifier: Apache-2.0
// The page of replays and live views, as viewer/ builds it.
#pragma once

#include <string_view>

namespace ligament::apps {

// Empty if the program was built without it.
std::string_view page();

}  // namespace ligament::apps
