// SPDX-License-Identifier: Apache-2.0
// How the gap answers to small motions. A point of B moves by u + θ × (x − p_B), and with it
//
//     d gap = n·u + θ·((y − p_B) × n),        y the point of B that is nearest or deepest,
//
// wherever that point is the only one. And no motion changes the gap by more than it moves a point
// of the body, because the gap is a maximum of separations and each of them changes by no more.
#include "collision/found.h"
#include "collision/random_pairs.h"

namespace ligament {
namespace {

double gap_of(const Convex& a, const Convex& b) {
  Found found;
  find_found(a, b, 1e9, found);
  return found.gap;
}

Convex moved(const Convex& body, const Vec3& u, const Vec3& theta) {
  Convex result = body;
  result.p += u;
  const double angle = theta.norm();
  if (angle > 0.0) result.R = turn(angle, theta) * body.R;
  return result;
}

class Motion : public ::testing::TestWithParam<std::array<Core, 2>> {};

// The pair with u and θ of one of its bodies as a variable t, and the slope that the normal says.
struct Path {
  Pair pair;
  bool of_b = true;
  Vec3 u = Vec3::Zero(), theta = Vec3::Zero();

  double gap(double t) const {
    const Convex still = of_b ? pair.a : pair.b;
    const Convex body = moved(of_b ? pair.b : pair.a, t * u, t * theta);
    return of_b ? gap_of(still, body) : gap_of(body, still);
  }
  double slope(const Found& found) const {
    const Vec3 n = of_b ? found.n : Vec3(-found.n);
    const Vec3 arm = of_b ? found.y - pair.b.p : found.x - pair.a.p;
    return n.dot(u) + theta.dot(arm.cross(n));
  }
};

// Whether the gap is smooth within ±h of the pose: its second differences over h, h/2 and h/4 are
// then the same but for 1e-6 of them. Where the nearest points jump to others, and the slope by c,
// they differ by some c/h. Rounding of 1e-14 in the gap makes 16 · 1e-14/h² = 2e-3 of them: c is
// below 1e-7 where this says yes.
bool is_smooth(const Path& path, double gap, double h) {
  const auto second = [&](double t) { return (path.gap(t) - 2.0 * gap + path.gap(-t)) / (t * t); };
  const double whole = second(h), half = second(0.5 * h), quarter = second(0.25 * h);
  const double same = 1e-2 + 1e-3 * std::abs(half);
  return std::abs(whole - half) < same && std::abs(half - quarter) < same;
}

// Central differences over ±h with h = 1e-5: truncated by h²/6 of the third derivative, which for
// round cores at a distance d is 1.2/d² at most; poses nearer than 0.01 m are left out, the rest
// err by 2e-7. Rounding adds 1e-15/h = 1e-10. Left out are also poses where the nearest points
// jump.
TEST_P(Motion, changes_the_gap_along_the_normal) {
  const auto [core_a, core_b] = GetParam();
  Random random(201);
  constexpr double h = 1e-5;
  Worst shifted, turned;
  int smooth = 0;
  constexpr int count = 4000;
  for (int i = 0; i < count; ++i) {
    Path path{random_pair(core_a, core_b, Style::general, random)};
    path.of_b = random.index(2) == 0;
    const bool turning = i % 2 == 0;
    (turning ? path.theta : path.u) = random.direction();
    Found found;
    find_found(path.pair.a, path.pair.b, 1e9, found);
    const double core_distance = found.gap + path.pair.a.radius + path.pair.b.radius;
    if (core_distance > 0.0 && core_distance < 0.01) continue;
    // Caps that are parallel to ζ roll on each other: a third derivative of 1/ζ².
    const double sine = path.pair.a.R.col(2).cross(path.pair.b.R.col(2)).norm();
    if (core_a == Core::cylinder && core_b == Core::cylinder && sine < 0.02) continue;
    if (!is_smooth(path, found.gap, h)) continue;
    ++smooth;
    const double slope = 0.5 * (path.gap(h) - path.gap(-h)) / h;
    (turning ? turned : shifted).look(std::abs(slope - path.slope(found)), path.pair);
  }
  EXPECT_GT(smooth, count * 9 / 10);
  expect_below(1e-6, shifted, "slope of a shift against n");
  expect_below(1e-6, turned, "slope of a turn against (y - p) x n");
}

// |change of the gap| ≤ |u| + 2 sin(θ/2) · reach, along paths with steps of all sizes; and 2e-11 of
// the size for faces that win over edges.
TEST_P(Motion, changes_the_gap_by_no_more_than_it_moves_the_body) {
  const auto [core_a, core_b] = GetParam();
  Random random(202);
  Worst jump;
  for (int path = 0; path < 4; ++path) {
    const Style style = path == 0 ? Style::general : Style::quarter_turns;
    Pair pair = random_pair(core_a, core_b, style, random);
    const double size = size_of(pair.a, pair.b);
    double gap = gap_of(pair.a, pair.b);
    for (int step = 0; step < 5000; ++step) {
      const double width = random.scale(1e-13, 1.0);
      const Vec3 u = random.index(3) == 0 ? Vec3(Vec3::Zero()) : Vec3(width * random.direction());
      const Vec3 theta =
          random.index(3) == 0 ? Vec3(Vec3::Zero()) : Vec3(width * random.direction());
      Pair next{pair.a, moved(pair.b, u, theta)};
      if (next.b.p.norm() > 0.8 * size) continue;  // stays near
      const double next_gap = gap_of(next.a, next.b);
      const double most = u.norm() + 2.0 * std::sin(0.5 * theta.norm()) * reach_of(next.b);
      jump.look((std::abs(next_gap - gap) - most) / size, next);
      gap = next_gap, pair = next;
    }
  }
  expect_below(2e-11, jump, "jump of the gap");
}

INSTANTIATE_TEST_SUITE_P(Small, Motion, ::testing::ValuesIn(primitive_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });
INSTANTIATE_TEST_SUITE_P(OfHulls, Motion, ::testing::ValuesIn(hull_pairs),
                         [](const auto& at) { return name_of(at.param[0], at.param[1]); });

}  // namespace
}  // namespace ligament
