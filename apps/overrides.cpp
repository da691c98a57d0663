// SPDX-License-Identifier: Apache-2.0
#include "apps/overrides.h"

#include <fmt/format.h>

#include "apps/commands.h"

namespace ligament::apps {

void add_set_option(CLI::App& command, std::vector<std::string>& given) {
  command
      .add_option("--set", given,
                  "Replace a value of the scene: h=1e-3, solver.refinements=2, variables.N=100")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

std::vector<Override> parse_overrides(const std::vector<std::string>& given) {
  std::vector<Override> overrides;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(fmt::format("--set {}: must be KEY=VALUE, such as h=1e-3", text));
    overrides.push_back({.key = text.substr(0, equals), .value = text.substr(equals + 1)});
  }
  return overrides;
}

}  // namespace ligament::apps
