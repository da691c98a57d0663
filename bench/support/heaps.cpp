// SPDX-License-Identifier: Apache-2.0
#include "bench/support/heaps.h"

#include <algorithm>
#include <limits>
#include <random>

namespace ligament::bench {
namespace {

constexpr double pi = 3.14159265358979323846;

class LigamentHeap final : public HeapEngine {
 public:
  LigamentHeap(const Heap& heap, double h, const Solver& solver)
      : model_(make_model(heap)),
        state_(model_.initial_state()),
        work_(model_),
        stepper_(Spook{.h = h, .solver = solver}) {}

  void step() override { report_ = ligament::step(stepper_, model_, state_, work_); }
  std::vector<Vec3> centres() const override {
    std::vector<Vec3> centres;
    for (const Body& body : model_.bodies())
      if (body.v_offset >= 0) centres.emplace_back(state_.q.segment<3>(body.q_offset));
    return centres;
  }
  double fastest() const override {
    double fastest = 0.0;
    for (const Body& body : model_.bodies())
      if (body.v_offset >= 0)
        fastest = std::max(fastest, state_.v.segment<3>(body.v_offset).norm());
    return fastest;
  }
  int contacts() const override { return report_.contacts; }
  double residual() const override { return report_.residual; }
  double velocity_error() const override { return report_.solve.velocity_error; }
  int iterations() const override { return report_.solve.iterations; }
  bool reached_tolerance() const override { return report_.solve.status == SolveStatus::solved; }

 private:
  Model model_;
  State state_;
  Workspace work_;
  Stepper stepper_;
  StepReport report_;
};

}  // namespace

Heap make_pile(int side, int layers) {
  constexpr double radius = 0.1, pitch = 0.22, noise = 0.009;
  Heap heap{.name = "pile", .wall = 0.5 * pitch * side};
  std::mt19937_64 engine(1);
  const auto jiggle = [&] { return noise * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0); };
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const double x = jiggle(), y = jiggle(), z = jiggle();
        heap.items.push_back({.is_sphere = true,
                              .half = Vec3::Constant(radius),
                              .start = {pitch * (i + 0.5) - heap.wall + x,
                                        pitch * (j + 0.5) - heap.wall + y, 0.15 + pitch * k + z},
                              .mass = 1000.0 * 4.0 / 3.0 * pi * radius * radius * radius});
      }
  return heap;
}

Heap make_stack(int boxes, double heavy_top) {
  Heap heap{.name = "stack"};
  for (int i = 0; i < boxes; ++i)
    heap.items.push_back({.half = {0.5, 0.5, 0.25},
                          .start = {0, 0, 0.25 + 0.5 * i},
                          .mass = i + 1 == boxes ? heavy_top : 1.0});
  return heap;
}

Heap make_wall(int columns, int rows) {
  Heap heap{.name = "wall"};
  constexpr double pitch = 0.401;
  for (int k = 0; k < rows; ++k) {
    const double z = 0.1 + 0.2 * k;
    const bool shifted = k % 2 == 1;
    for (int i = 0; i < columns - shifted; ++i)
      heap.items.push_back(
          {.half = {0.2, 0.1, 0.1}, .start = {pitch * (i + 0.5 * shifted), 0, z}, .mass = 10.0});
    if (!shifted) continue;
    for (const double x : {-0.1, pitch * (columns - 1) + 0.1})
      heap.items.push_back({.half = {0.0995, 0.1, 0.1}, .start = {x, 0, z}, .mass = 5.0});
  }
  return heap;
}

double compute_overlap(const Heap& heap, const std::vector<Vec3>& centres) {
  double deepest = 0.0;
  // Neighbours by a sort along x: items are of one size.
  std::vector<std::size_t> order(centres.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return centres[i].x(); });
  for (std::size_t a = 0; a < order.size(); ++a) {
    const HeapItem& one = heap.items[order[a]];
    const Vec3& p = centres[order[a]];
    deepest = std::max(deepest, one.half.z() - p.z());
    if (heap.wall > 0.0)
      for (int c = 0; c < 2; ++c)
        deepest = std::max(deepest, std::abs(p(c)) + one.half(c) - heap.wall);
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      const HeapItem& other = heap.items[order[b]];
      const Vec3 d = centres[order[b]] - p;
      const Vec3 reach = one.half + other.half;
      if (d.x() > reach.x()) break;
      if (one.is_sphere)
        deepest = std::max(deepest, reach.x() - d.norm());
      else if (std::abs(d.z()) > 0.5 * reach.z() && std::abs(d.y()) < reach.y())
        deepest = std::max(deepest, reach.z() - std::abs(d.z()));
    }
  }
  return deepest;
}

Model make_model(const Heap& heap) {
  ModelBuilder b{{.gravity = {0, 0, -9.81}}};
  const MaterialId material =
      b.add_material({.name = "stuff", .material = {.friction = heap.friction}});
  const auto add_plane = [&](const char* name, const Vec3& point, const Vec3& normal) {
    b.add_shape({.name = name,
                 .body = world,
                 .geometry = HalfSpaceShape{},
                 .pose = {point, Quat::FromTwoVectors(Vec3::UnitZ(), normal)},
                 .material = material});
  };
  add_plane("floor", Vec3::Zero(), Vec3::UnitZ());
  if (heap.wall > 0.0) {
    add_plane("left", {-heap.wall, 0, 0}, Vec3::UnitX());
    add_plane("right", {heap.wall, 0, 0}, -Vec3::UnitX());
    add_plane("front", {0, -heap.wall, 0}, Vec3::UnitY());
    add_plane("back", {0, heap.wall, 0}, -Vec3::UnitY());
  }
  for (const HeapItem& item : heap.items) {
    const double volume =
        item.is_sphere ? 4.0 / 3.0 * pi * std::pow(item.half.x(), 3) : 8.0 * item.half.prod();
    const double density = item.mass / volume;
    const BodyId body = b.add_body({.mass = item.is_sphere ? solid_sphere(item.half.x(), density)
                                                           : solid_box(item.half, density),
                                    .position = item.start});
    Geometry geometry = BoxShape{.half = item.half};
    if (item.is_sphere) geometry = SphereShape{.radius = item.half.x()};
    b.add_shape({.body = body, .geometry = geometry, .material = material});
  }
  return std::move(b).build();
}

std::unique_ptr<HeapEngine> make_heap(const Heap& heap, double h, const Solver& solver) {
  return std::make_unique<LigamentHeap>(heap, h, solver);
}

#ifndef LIGAMENT_BENCH_BULLET
std::unique_ptr<HeapEngine> make_bullet_heap(const Heap&, double, int) { return nullptr; }
#endif

}  // namespace ligament::bench
