// SPDX-License-Identifier: Apache-2.0
// The Flexible Collision Library as a second opinion on bodies that are apart.
#include "collision/found.h"
#include "collision/random_pairs.h"

#if __has_include(<fcl/fcl.h>)
#include <fcl/fcl.h>
#endif

namespace ligament {
namespace {

class Referee : public ::testing::TestWithParam<std::array<Core, 2>> {};

#if __has_include(<fcl/fcl.h>)

std::shared_ptr<fcl::CollisionGeometryd> to_fcl(const Convex& body) {
  const Vec3 full = 2.0 * body.half;
  switch (body.core) {
    case Core::point: return std::make_shared<fcl::Sphered>(body.radius);
    case Core::segment: return std::make_shared<fcl::Capsuled>(body.radius, full.z());
    case Core::cylinder: return std::make_shared<fcl::Cylinderd>(body.half.x(), full.z());
    default: return std::make_shared<fcl::Boxd>(full);
  }
}

double find_distance_by_fcl(const Pair& pair) {
  const auto place = [](const Convex& body) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = body.R;
    pose.translation() = body.p;
    return fcl::CollisionObjectd(to_fcl(body), pose);
  };
  const fcl::CollisionObjectd a = place(pair.a), b = place(pair.b);
  fcl::DistanceRequestd request(true);
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-10;
  fcl::DistanceResultd result;
  return fcl::distance(&a, &b, request, result);
}

// FCL's distance is that of two points of the bodies, and so never below the true one but for
// rounding. Above it may be: its GJK stops when a step gains less than the tolerance, and on round
// bodies the steps grow small before the distance is exact; once in a thousand pairs it stalls.
TEST_P(Referee, fcl_finds_the_same_distance) {
  const auto [core_a, core_b] = GetParam();
  Random random(601);
  Worst below, above;
  int apart = 0, stalled = 0;
  for (int i = 0; i < 100000; ++i) {
    const Pair pair = random_pair(core_a, core_b, Style::general, random);
    Found found;
    find_found(pair.a, pair.b, 1e9, found);
    if (found.gap < 0.01) continue;
    ++apart;
    const double distance = find_distance_by_fcl(pair);
    below.look(found.gap - distance, pair);
    if (distance - found.gap > 1e-6)
      ++stalled;
    else
      above.look(distance - found.gap, pair);
  }
  EXPECT_GT(apart, 5000);
  EXPECT_LE(stalled, apart / 500);
  expect_below(1e-13, below, "distance of FCL below");
  measured("distance of FCL above", above.error());
}

#else

TEST_P(Referee, fcl_finds_the_same_distance) { GTEST_SKIP() << "built without FCL"; }

#endif

INSTANTIATE_TEST_SUITE_P(Second, Referee, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

}  // namespace
}  // namespace ligament
