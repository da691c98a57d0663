// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies at random, in general and in awkward poses.
#pragma once

#include <memory>

#include "collision/shapes.h"

namespace ligament {

constexpr std::array<std::array<Core, 2>, 10> primitive_pairs{{{Core::point, Core::point},
                                                               {Core::point, Core::segment},
                                                               {Core::point, Core::box},
                                                               {Core::point, Core::cylinder},
                                                               {Core::segment, Core::segment},
                                                               {Core::segment, Core::box},
                                                               {Core::segment, Core::cylinder},
                                                               {Core::box, Core::box},
                                                               {Core::box, Core::cylinder},
                                                               {Core::cylinder, Core::cylinder}}};

// Those that are left to the general methods.
constexpr std::array<std::array<Core, 2>, 5> hull_pairs{{{Core::point, Core::hull},
                                                         {Core::segment, Core::hull},
                                                         {Core::box, Core::hull},
                                                         {Core::cylinder, Core::hull},
                                                         {Core::hull, Core::hull}}};

// The kinds of poses that random_pair draws.
enum class Style {
  general,
  quarter_turns,  // axes parallel, sizes often equal
  eighth_turns,   // 45°
  tilt_of_1e_6,
  tilt_of_1e_3,
  one_centre,        // centres at one place, any rotation
  parallel_centred,  // and axes parallel
  one_to_thousand,   // sizes
};
constexpr int style_count = 8;

// Hulls to draw from: qhull takes longer to make one than a query takes. `boxes` have sides of
// 0.25, 0.5 or 0.75 half lengths, `general` are of 4 to 40 points in a ball or in a box.
struct HullPool {
  std::vector<std::shared_ptr<const Hull>> general, boxes;
};

inline HullPool make_hull_pool(double scale) {
  Random random(1);
  HullPool pool;
  for (int k = 0; k < 200; ++k) {
    const int count = 4 + random.index(37);
    const bool ball = random.index(2) == 0;
    const Vec3 half(random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0));
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i)
      points.push_back(scale * half.cwiseProduct(ball ? random.direction() : random.vector()));
    pool.general.push_back(make_hull(points));
  }
  for (int k = 0; k < 27; ++k) {
    const Vec3 half = 0.25 * scale * Vec3(1 + k % 3, 1 + k / 3 % 3, 1 + k / 9);
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
      points.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    pool.boxes.push_back(make_hull(points));
  }
  return pool;
}

// One of a scale of 1 or of 1e-3.
inline const Hull& pick_hull(Random& random, bool round_numbers, double scale) {
  static const HullPool large = make_hull_pool(1.0), small = make_hull_pool(1e-3);
  const HullPool& pool = scale == 1.0 ? large : small;
  const auto& list = round_numbers ? pool.boxes : pool.general;
  return *list[static_cast<std::size_t>(random.index(static_cast<int>(list.size())))];
}

inline Convex random_body(Core core, Random& random, bool round_numbers, double scale = 1.0) {
  if (core == Core::hull) return make_hull_body(pick_hull(random, round_numbers, scale));
  const auto length = [&] {
    return scale * (round_numbers ? 0.25 * (1 + random.index(3)) : random.uniform(0.2, 1.0));
  };
  const double r = length(), l = length(), w = length();
  switch (core) {
    case Core::point: return make_sphere(r);
    case Core::segment: return make_capsule(0.5 * r, l);
    case Core::cylinder: return make_cylinder(r, l);
    default: return make_box({r, w, l});
  }
}

inline Mat3 random_turn(Style style, Random& random) {
  const Vec3 axis = Vec3::Unit(random.index(3));
  constexpr double quarter = 0.5 * std::numbers::pi;
  const int k = random.index(8);
  const Mat3 quarters = turn(quarter * k, axis), eighths = turn(0.5 * quarter * k, axis);
  switch (style) {
    case Style::quarter_turns:
    case Style::parallel_centred: return quarters;
    case Style::eighth_turns: return eighths;
    case Style::tilt_of_1e_6: return turn(random.uniform(-1e-6, 1e-6), random.direction());
    case Style::tilt_of_1e_3:
      return turn(random.uniform(-1e-3, 1e-3), random.direction()) * quarters;
    default: return random.rotation().toRotationMatrix();
  }
}

// Half of the pairs overlap, roughly. Every other special pair is turned as a whole, so that its
// axes are not those of the world.
inline Pair random_pair(Core core_a, Core core_b, Style style, Random& random) {
  const bool special =
      style != Style::general && style != Style::one_to_thousand && style != Style::one_centre;
  const bool round_numbers = special && random.index(2) == 0;
  Pair pair{
      random_body(core_a, random, round_numbers),
      random_body(core_b, random, round_numbers, style == Style::one_to_thousand ? 1e-3 : 1.0)};
  pair.b.R = random_turn(style, random);
  const double size = size_of(pair.a, pair.b);
  switch (special ? random.index(4) : 0) {
    case 0: pair.b.p = random.uniform(0.0, 1.1) * size * random.direction(); break;
    case 1: pair.b.p = random.uniform(0.0, 1.1) * size * Vec3::Unit(random.index(3)); break;
    case 2:
      for (int i = 0; i < 3; ++i) pair.b.p(i) = 0.25 * (random.index(9) - 4);
      break;
    default: pair.b.p = random.scale(1e-12, 1.0) * size * random.direction(); break;
  }
  if (style == Style::one_to_thousand && random.index(2) == 0) {  // at the surface of A
    const Vec3 n = random.direction();
    pair.b.p = find_support(pair.a, n) + pair.a.radius * n + random.vector(1.5 * reach_of(pair.b));
  }
  if (style == Style::one_centre || style == Style::parallel_centred) pair.b.p.setZero();
  if (!special || random.index(2) == 0) {
    const Mat3 R = random.rotation().toRotationMatrix();
    pair.a.R = R * pair.a.R;
    pair.b.R = R * pair.b.R;
    pair.b.p = R * pair.b.p;
  }
  return pair;
}

}  // namespace ligament
