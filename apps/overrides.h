// SPDX-License-Identifier: Apache-2.0
// The option --set KEY=VALUE, which all commands that read a scene have.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "ligament/io/scene.h"

namespace ligament::apps {

void add_set_option(CLI::App& command, std::vector<std::string>& given);

// Throws InputError if one is not KEY=VALUE.
std::vector<Override> parse_overrides(const std::vector<std::string>& given);

}  // namespace ligament::apps
