// SPDX-License-Identifier: Apache-2.0
#include "apps/start.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/commands.h"
#include "ligament/simulation/assembly.h"

namespace ligament::apps {

void print_warnings(const Scene& scene) {
  constexpr std::size_t most = 20;  // a repetition may have thousands of the same
  const std::size_t shown = std::min(scene.warnings.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    fmt::print(stderr, "ligament: warning: {}\n", scene.warnings[i]);
  if (shown < scene.warnings.size())
    fmt::print(stderr, "ligament: warning: and {} more like these\n",
               scene.warnings.size() - shown);
}

State make_start(const Scene& scene, const std::string& file) {
  State state = scene.model.initial_state();
  if (!scene.assemble) return state;
  const AssemblyReport report = assemble(scene.model, state);
  if (!report.ok())
    throw InputError(
        fmt::format("{}: the machine cannot be assembled: {}", file, report.describe()));
  return state;
}

}  // namespace ligament::apps
