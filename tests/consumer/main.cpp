// SPDX-License-Identifier: Apache-2.0
// A rod that swings on a hinge, simulated by another project through the installed package.
#include <ligament/ligament.h>
#include <ligament/version.h>

#include <cmath>
#include <cstdio>
#include <utility>

int main() {
  std::printf("Ligament %s\n", ligament::version_string);

  ligament::ModelBuilder b{{.gravity = {0, 0, -9.81}}};
  const auto ground = b.add_body({.name = "ground", .kind = ligament::BodyKind::fixed});
  const auto rod = b.add_body({.name = "rod",
                               .mass = ligament::solid_box({0.5, 0.05, 0.05}, 1000.0),
                               .position = {0.5, 0, 1}});
  b.add_joint(ligament::Hinge{
      .name = "pivot", .a = ground, .b = rod, .point = {0, 0, 1}, .axis = {0, 1, 0}});
  const ligament::Model model = std::move(b).build();

  ligament::State x = model.initial_state();
  const ligament::RunReport report =
      ligament::run(model, ligament::Spook{.h = 1e-3}, x, {.t_end = 1.0});
  std::puts(report.brief().c_str());
  return report.status == ligament::RunStatus::completed && std::abs(x.t - 1.0) < 1e-9 ? 0 : 1;
}
