// SPDX-License-Identifier: Apache-2.0
#include "analytic/bricard.h"

#include <gtest/gtest.h>

namespace ligament::analytic {
namespace {

// Closed: the last hinge stands on the ground at (0, 0, 1) with its axis along x, and the turn that
// is left between the last link and the ground is −w about it.
TEST(Bricard, closes_all_the_way_round) {
  for (double s = -6.0; s <= 6.0; s += 0.5) {
    const BricardAngles angles = compute_bricard_angles(s);
    EXPECT_NEAR((1 + std::sin(angles.u)) * (1 + std::sin(angles.w)), 1.0, 1e-11);
    const BricardPose pose = compute_bricard_pose(angles);
    EXPECT_LT((pose.hinge[5] - Vec3::UnitZ()).norm(), 1e-10) << s;
    EXPECT_LT((pose.axis[5] - Vec3::UnitX()).norm(), 1e-10) << s;
    const Mat3 left = pose.turn[4] * Eigen::AngleAxisd(angles.w, Vec3::UnitX());
    EXPECT_LT((left - Mat3::Identity()).norm(), 1e-10) << s;
  }
}

// Off the relation it does not close: the closure is no accident of the chain.
TEST(Bricard, does_not_close_with_other_angles) {
  const BricardPose pose = compute_bricard_pose({0.3, -0.1});
  EXPECT_GT((pose.hinge[5] - Vec3::UnitZ()).norm(), 0.05);
}

// The rule for the time of a swing converges: a nearby end and the energies at both ends agree.
TEST(Bricard, swing_ends_at_the_height_of_its_start) {
  double end = 0.0;
  const double time = compute_bricard_swing(9.81, 1.0 / 12, 1e-3, &end);
  EXPECT_GT(time, 0.1);
  EXPECT_NEAR(compute_bricard_energy(end, 9.81, 1.0 / 12, 1e-3).V,
              compute_bricard_energy(0.0, 9.81, 1.0 / 12, 1e-3).V, 1e-9);
}

}  // namespace
}  // namespace ligament::analytic
