// SPDX-License-Identifier: Apache-2.0
// The scenes of the project by two methods: Trapezoidal and SPOOK move them alike, within the
// first-order error of SPOOK, which falls as its step falls. (Not the robot arm: its servos take
// their damping from the stepper, and SPOOK's joints give way by 1e-5 m under its loads.)
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ligament/io/scene.h"
#include "ligament/simulation/assembly.h"
#include "support/measured.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

State simulate(const Scene& scene, const Stepper& stepper, double t_end) {
  State state = scene.model.initial_state();
  if (scene.assemble) {
    EXPECT_TRUE(assemble(scene.model, state).ok());
  }
  const RunReport report = run(scene.model, stepper, state, {.t_end = t_end});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  return state;
}

class SameMotion : public ::testing::TestWithParam<std::string> {};

// Steps of 1 ms resolve all of these machines. An error that is first order and no more falls to
// an eighth with an eighth of the step; to a quarter leaves room for the next term.
TEST_P(SameMotion, as_spook_within_its_first_order_error) {
  const auto file =
      std::filesystem::path(LIGAMENT_TEST_SOURCE_DIR) / "scenes" / (GetParam() + ".json");
  const Scene scene = read_scene(file);
  const double t_end = 0.2;
  const VecX exact = simulate(scene, Trapezoidal{.h = 1e-4}, t_end).q;
  const double coarse = (simulate(scene, Spook{.h = 1e-3}, t_end).q - exact).norm();
  const double fine = (simulate(scene, Spook{.h = 1.25e-4}, t_end).q - exact).norm();
  measured("SPOOK at 1 ms is off by", coarse);
  EXPECT_LT(measured("and at 1/8 ms by", fine), 0.25 * coarse);
}

INSTANTIATE_TEST_SUITE_P(Scenes, SameMotion,
                         ::testing::Values("pendulum", "slider_crank", "heavy_top", "shaker"),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace ligament::trapezoidal
