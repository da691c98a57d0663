// SPDX-License-Identifier: Apache-2.0
// The option --compare KEY=VALUE,VALUE,…: one run a value.
#pragma once

#include <string>
#include <vector>

#include "ligament/io/scene.h"

namespace ligament::apps {

// One of the runs that are compared.
struct Variation {
  Override override;
  std::string label;   // spook, or h=1/60
  std::string folder;  // a name for its results: spook, h-1_60
};

// Commas in brackets and quotes part nothing: gravity=[0,0,-9.81],[0,0,-1.62]. Throws InputError
// unless there are at least two different values and at most eight.
std::vector<Variation> parse_comparison(const std::string& text);

}  // namespace ligament::apps
