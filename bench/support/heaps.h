// SPDX-License-Identifier: Apache-2.0
// Heaps of boxes and spheres: scenes of contact that every engine can be given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ligament/ligament.h"

namespace ligament::bench {

struct HeapItem {
  bool is_sphere = false;
  Vec3 half = Vec3::Constant(0.1);  // [m] of a sphere: its radius three times
  Vec3 start = Vec3::Zero();
  double mass = 1.0;  // [kg]
};

// Items on the floor z = 0, between four walls at x, y = ± wall if it is not 0.
struct Heap {
  std::string name;
  std::vector<HeapItem> items;
  double wall = 0.0;  // [m]
  double friction = 0.5;
};

// count = side² · layers spheres of radius 0.1 m and 1000 kg/m³ on a grid, a little out of place,
// above the floor of a box.
Heap make_pile(int side, int layers);
// Boxes of 1 m × 1 m × 0.5 m and 1 kg on each other, the top one heavier by a factor.
Heap make_stack(int boxes, double heavy_top = 1.0);
// Bricks of 0.4 m × 0.2 m × 0.2 m and 10 kg in a running bond, halves at the ends of every second
// row, with gaps of about 1 mm in a row.
Heap make_wall(int columns, int rows);

// The deepest overlap of two items, or of an item and the floor or a wall, by spheres' centres and
// boxes' heights alone: the same ruler for all engines. Boxes must be stacked as above.
double compute_overlap(const Heap& heap, const std::vector<Vec3>& centres);

// An engine with a heap in it.
class HeapEngine {
 public:
  virtual ~HeapEngine() = default;
  virtual void step() = 0;
  virtual std::vector<Vec3> centres() const = 0;
  virtual double fastest() const = 0;  // speed of a centre [m/s]
  virtual int contacts() const = 0;
  // Of the last step: the largest residual of a row [m/s] and the bound of the velocities' relative
  // error [WA.8]; not-a-number if it does not tell.
  virtual double residual() const = 0;
  virtual double velocity_error() const = 0;
  // Sweeps or iterations of the last step, and whether it reached its tolerance.
  virtual int iterations() const { return 0; }
  virtual bool reached_tolerance() const { return false; }
};

Model make_model(const Heap& heap);
std::unique_ptr<HeapEngine> make_heap(const Heap& heap, double h, const Solver& solver);
// Null where Bullet is not installed.
std::unique_ptr<HeapEngine> make_bullet_heap(const Heap& heap, double h, int iterations);

}  // namespace ligament::bench
