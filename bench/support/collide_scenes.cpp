// SPDX-License-Identifier: Apache-2.0
#include "bench/support/collide_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace ligament::bench {
namespace {

constexpr double radius = 0.1;  // [m] of an ordinary body

// SplitMix64 (Steele, Lea and Flood 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(bits() >> 11);
  }
  std::size_t below(std::size_t n) { return bits() % n; }
  Vec3 cube(double half) {
    const double x = uniform(-half, half), y = uniform(-half, half);
    return {x, y, uniform(-half, half)};
  }
  Vec3 direction() {
    for (;;)
      if (const Vec3 r = cube(1.0); r.squaredNorm() <= 1.0 && r.squaredNorm() > 1e-4)
        return r.normalized();
  }

 private:
  std::uint64_t state_;
};

// The sites of a cubic lattice about the origin, layer by layer, and so many of them.
std::vector<Vec3> make_lattice(int count, double pitch) {
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  const double middle = 0.5 * (side - 1);
  std::vector<Vec3> sites;
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side && static_cast<int>(sites.size()) < count; ++i)
        sites.push_back(pitch * (Vec3(i, j, k) - Vec3::Constant(middle)));
  return sites;
}

template <class T>
void shuffle(std::vector<T>& list, Dice& dice) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[dice.below(i)]);
}

Scene make_grid(int bodies) {
  Dice dice(1);
  Scene scene{.name = "grid"};
  for (const Vec3& site : make_lattice(bodies, 2.02 * radius))
    scene.items.push_back({.is_sphere = dice.below(2) == 0,
                           .half = Vec3::Constant(radius),
                           .start = site,
                           .velocity = dice.cube(0.002 * radius),
                           .spin = dice.cube(0.002)});
  return scene;
}

// A sphere of a pile: near its site, jiggling.
Item make_pile_sphere(const Vec3& site, Dice& dice) {
  return {.half = Vec3::Constant(radius * dice.uniform(0.98, 1.02)),
          .start = site + dice.cube(0.01 * radius),
          .jiggle = 0.01 * radius};
}
constexpr double pile_pitch = 1.98 * radius;

Scene make_pile(int bodies) {
  Dice dice(2);
  Scene scene{.name = "pile"};
  for (const Vec3& site : make_lattice(bodies, pile_pitch))
    scene.items.push_back(make_pile_sphere(site, dice));
  shuffle(scene.items, dice);
  return scene;
}

// The giant's foot and the top of the ground are at the origin. The sites of the pile are those
// nearest to it, outside of the giant and touching it at the most.
std::vector<Vec3> make_sites_at_the_foot(std::size_t count, double giant) {
  std::vector<Vec3> sites;
  for (int reach = 8; sites.size() < count; reach *= 2) {
    sites.clear();
    for (int k = 0; k < reach; ++k)
      for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
          const Vec3 site = pile_pitch * Vec3(i, j, k) + 0.99 * radius * Vec3::UnitZ();
          if (site.norm() > pile_pitch * reach) continue;
          if ((site - giant * Vec3::UnitZ()).norm() >= giant + 0.99 * radius) sites.push_back(site);
        }
  }
  // Rounded: sites at the same distance keep their order, whatever the last bits say.
  std::ranges::stable_sort(sites, {},
                           [](const Vec3& site) { return std::lround(1e6 * site.norm()); });
  sites.resize(count);
  return sites;
}

Scene make_giant(int bodies) {
  Dice dice(3);
  Scene scene{.name = "giant"};
  const double giant = 100.0 * radius;
  const int dust = bodies / 5, pile = std::max(1, bodies - dust - 2);
  for (const Vec3& site : make_sites_at_the_foot(static_cast<std::size_t>(pile), giant))
    scene.items.push_back(make_pile_sphere(site, dice));
  // Dust of 1 … 20 mm, as many of each power of ten, on the surfaces of the others.
  for (int i = 0; i < dust; ++i) {
    const Item host = scene.items[dice.below(static_cast<std::size_t>(pile))];
    const double size = 0.001 * std::pow(20.0, dice.uniform(0.0, 1.0));
    scene.items.push_back({.half = Vec3::Constant(size),
                           .start = host.start + (host.half.x() + 0.9 * size) * dice.direction(),
                           .jiggle = 0.01 * size});
  }
  scene.items.push_back({.half = Vec3::Constant(giant), .start = {0, 0, giant}, .jiggle = 0.001});
  shuffle(scene.items, dice);
  scene.items.push_back(
      {.is_sphere = false, .moves = false, .half = {100, 100, 10}, .start = {0, 0, -10}});
  return scene;
}

Scene make_static(int bodies) {
  Dice dice(4);
  Scene scene{.name = "static"};
  const int side = static_cast<int>(std::ceil(std::sqrt(bodies)));
  const double pitch = 2.0 * radius, middle = 0.5 * pitch * (side - 1);
  for (int i = 0; i < bodies; ++i)
    scene.items.push_back(
        {.is_sphere = false,
         .moves = false,
         .half = Vec3::Constant(radius),
         .start = {pitch * (i % side) - middle, pitch * (i / side) - middle, -radius}});
  for (int i = 0; i < 100; ++i) {
    const double x = dice.uniform(-middle, middle), y = dice.uniform(-middle, middle);
    const double angle = dice.uniform(-3.14, 3.14);
    scene.items.push_back({.start = {x, y, 0.99 * radius},
                           .velocity = 0.1 * radius * Vec3(std::cos(angle), std::sin(angle), 0)});
  }
  return scene;
}

Scene make_shower(int bodies) {
  Dice dice(5);
  Scene scene{.name = "shower"};
  // A tenth of the space: half of the bodies are spheres, half boxes.
  const double volume = 0.5 * bodies * (8.0 + 4.19) * radius * radius * radius;
  scene.wall = 0.5 * std::cbrt(10.0 * volume);
  for (int i = 0; i < bodies; ++i)
    scene.items.push_back({.is_sphere = i % 2 == 0,
                           .half = Vec3::Constant(radius),
                           .start = dice.cube(*scene.wall),
                           .velocity = radius * dice.direction(),
                           .spin = dice.cube(0.3)});
  return scene;
}

// x, to and fro between −wall and wall, and whether it is on its way back.
std::pair<double, bool> fold(double x, double wall) {
  const double period = 4.0 * wall;
  const double y = std::fmod(std::fmod(x + wall, period) + period, period);
  return y <= 2.0 * wall ? std::pair{y - wall, false} : std::pair{3.0 * wall - y, true};
}

}  // namespace

void Scene::move_to(int step) {
  poses.resize(items.size());
  velocities.assign(items.size(), Vec3::Zero());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    Dice noise(0x100000001b3u * (i + 1) + static_cast<std::uint64_t>(step) * 0x632be59bd9b4e019u);
    velocities[i] = item.velocity;
    poses[i].p = item.start + step * item.velocity + noise.cube(item.jiggle);
    for (int c = 0; wall && c < 3; ++c) {
      const auto [x, back] = fold(poses[i].p[c], *wall);
      poses[i].p[c] = x;
      if (back) velocities[i][c] = -velocities[i][c];
    }
    const double angle = step * item.spin.norm();
    poses[i].R =
        angle > 0.0 ? Quat(Eigen::AngleAxisd(angle, item.spin.normalized())) : Quat::Identity();
  }
}

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names = {"grid", "pile", "giant", "static", "shower"};
  return names;
}

Scene make_scene(const std::string& name, int bodies) {
  constexpr std::pair<const char*, Scene (*)(int)> makers[] = {{"grid", make_grid},
                                                               {"pile", make_pile},
                                                               {"giant", make_giant},
                                                               {"static", make_static},
                                                               {"shower", make_shower}};
  for (const auto& [known, make] : makers)
    if (name == known) {
      Scene scene = make(bodies);
      scene.move_to(0);
      return scene;
    }
  throw std::invalid_argument("no scene is called " + name);
}

}  // namespace ligament::bench
