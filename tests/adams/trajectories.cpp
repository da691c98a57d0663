// SPDX-License-Identifier: Apache-2.0
// The cases of ADAMS, three ways: Ligament against the files, Ligament against an independent
// integration (which needs no files), and that integration against the files, which tells how good
// the files are.
//
// Acceptance: positions to 1e-4 of the motion's size at h = 1e-3 (or the smaller step that the case
// names, with its reason, in cases.h), errors falling with order ≥ 1, reactions to 1 % of the
// largest reaction. Attitudes count as positions of the bar's end, 2 m away from its centre.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "adams/comparison.h"
#include "adams/reference.h"
#include "support/fit.h"
#include "support/measured.h"

namespace ligament::adams {
namespace {

constexpr double position_tolerance = 1e-4;
constexpr double reaction_tolerance = 1e-2;

Spook stepper_of(const Case& tested, double h) {
  return {.h = h, .damping_steps = tested.damping_steps};
}

class Adams : public testing::TestWithParam<Case> {
 protected:
  void expect_poses(const Track& ours, const Track& reference, double tolerance) const {
    const double size = size_of_motion(reference);
    const Deviation error = compare_poses(ours, reference);
    EXPECT_LT(measured("position error over size", error.position / size), tolerance);
    EXPECT_LT(measured("attitude error at the end over size", error.end / size), tolerance);
  }
  void expect_reactions(const Track& ours, const Track& reference) const {
    for (std::size_t i = 0; i < reference.reactions.size(); ++i) {
      const Deviation size = size_of_reaction(reference, i);
      const Deviation error = compare_reactions(ours, reference, i);
      const std::string which = machine_.reactions[i].suffix;
      EXPECT_LT(measured("force error over largest " + which, error.force / size.force),
                reaction_tolerance);
      EXPECT_LT(measured("torque error over largest " + which, error.torque / size.torque),
                reaction_tolerance);
    }
  }
  // At steps whose errors are well above those of a file. A motion that is right at any step has no
  // order.
  void expect_order(const Track& reference, double exact) const {
    const double size = size_of_motion(reference), h = GetParam().coarsest;
    const std::array steps{h, h / 2, h / 4};
    std::array<double, 3> error{};
    for (std::size_t i = 0; i < steps.size(); ++i)
      error[i] =
          compare_poses(simulate(machine_, stepper_of(GetParam(), steps[i])), reference).pose();
    if (error[0] < exact * size) return;
    // 0.99: the fit of an error c h (1 + a h) finds 1 + a h · (a number near one).
    EXPECT_GT(measured("order", fit_exponent(steps, error)), 0.99);
  }

  const Machine machine_ = GetParam().make();
};

// With the file's own error on top of the tolerance.
TEST_P(Adams, file_has_our_trajectory_and_reactions) {
  const auto data = find_data();
  if (!data) GTEST_SKIP() << "no ../shared/joints_adams; LIGAMENT_SHARED may tell where it is";
  const Track file = read_track(*data, GetParam(), machine_);
  const Track ours = simulate(machine_, stepper_of(GetParam(), GetParam().h));
  expect_poses(ours, file, position_tolerance + GetParam().file_error);
  expect_reactions(ours, file);
  expect_order(file, GetParam().file_error);
}

TEST_P(Adams, file_is_as_accurate_as_said) {
  const auto data = find_data();
  if (!data) GTEST_SKIP() << "no ../shared/joints_adams; LIGAMENT_SHARED may tell where it is";
  const Track file = read_track(*data, GetParam(), machine_);
  const Track twin = integrate_twin(GetParam(), machine_);
  expect_poses(twin, file, GetParam().file_error);
  if (!twin.reactions.empty()) expect_reactions(twin, file);
}

TEST_P(Adams, independent_integration_has_our_trajectory_and_reactions) {
  const Track twin = integrate_twin(GetParam(), machine_);
  const Track ours = simulate(machine_, stepper_of(GetParam(), GetParam().h));
  expect_poses(ours, twin, position_tolerance);
  if (!twin.reactions.empty()) expect_reactions(ours, twin);
  expect_order(twin, 1e-8);
}

// Whips ask for a smaller step than the others. At h = 1e-3 and with the default damping they are
// followed to 1e-4 until they crack, and are lost then.
TEST(AdamsAtOneMillisecond, whips_are_followed_until_they_crack) {
  for (const Case& c : all_cases()) {
    if (c.h == 1e-3) continue;
    SCOPED_TRACE(c.name);
    const Machine machine = c.make();
    const Track twin = integrate_twin(c, machine), ours = simulate(machine, Spook{.h = 1e-3});
    const double size = size_of_motion(twin);
    const double error = compare_poses(ours, twin, c.whip_time).pose() / size;
    measured(c.name + " error over size, all 5 s", compare_poses(ours, twin).pose() / size);
    EXPECT_LT(measured(fmt::format("{} error over size, first {} s", c.name, c.whip_time), error),
              position_tolerance);
    const Deviation load = compare_reactions(ours, twin, 0, c.whip_time);
    EXPECT_LT(measured(c.name + " force error over largest",
                       load.force / size_of_reaction(twin, 0).force),
              reaction_tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(all, Adams, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace ligament::adams
