// SPDX-License-Identifier: Apache-2.0
// A million steps: joints are as closed at the end as in the first step, and the baseline's are
// not.
#include <gtest/gtest.h>

#include "impulse/flown.h"

namespace ligament::reference {
namespace {

// Four boxes in a ring of ball joints that are not in a plane, one of them held by a ball.
System make_ring() {
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0.2}, {1.1, -0.9, 0}, {0.1, -1, 0.3}};
  System system;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 from = corners[i], to = corners[(i + 1) % 4], along = to - from;
    system.parts.push_back({.mass = 1.0 + 0.2 * static_cast<double>(i),
                            .box = {along.norm(), 0.2, 0.1},
                            .x = 0.5 * (from + to),
                            .e = frame_with_x_along(along),
                            .w = {0.5, -1, 0.2}});
  }
  system.ties.push_back({.kind = Tie::Kind::ball, .a = -1, .b = 0});
  for (int i = 0; i < 4; ++i) {
    const Vec3 x = corners[static_cast<std::size_t>((i + 1) % 4)];
    system.ties.push_back(
        {.kind = Tie::Kind::ball, .a = i, .b = (i + 1) % 4, .point_a = x, .point_b = x});
  }
  correct_velocities(system);
  return system;
}

class Drift : public ::testing::TestWithParam<int> {};

TEST_P(Drift, is_none_after_a_million_steps) {
  const System systems[] = {make_triple_pendulum(), make_four_bar(), make_ring()};
  const Model model = make_model(systems[GetParam()]);
  const double h = 1e-3;
  const Flown flown = fly(model, Impulse{.h = h}, 1e6 * h);
  EXPECT_LE(flown.gap, 1e-11);
  // A symplectic step keeps its energy, too: within the band of O(h²) that one second has.
  const double start = compute_energy(model, model.initial_state()).total();
  const double after = compute_energy(model, flown.state).total();
  EXPECT_LT(std::abs(after - start), 0.02 * (1.0 + std::abs(start)));
  // The baseline is open by more than a millimetre after a second.
  EXPECT_GT(fly(model, Taylor{.h = h}, 1.0).gap, 1e-3);
  EXPECT_LT(fly(model, Taylor{.h = h, .alpha = 50.0, .beta = 50.0}, 1.0).gap, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(, Drift, ::testing::Range(0, 3));

}  // namespace
}  // namespace ligament::reference
