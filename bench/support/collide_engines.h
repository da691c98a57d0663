// SPDX-License-Identifier: Apache-2.0
// Programs that find the contacts of a scene, behind one interface: Ligament, and others that are
// compiled in if they are installed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "bench/support/collide_scenes.h"

namespace ligament::bench {

struct Found {
  std::size_t box_pairs = 0;       // pairs with boxes near each other: what the broad phase gives
  std::size_t contacts = 0;        // points, near ones as well
  std::size_t touching_pairs = 0;  // pairs with a point of gap ≤ 0: must agree between engines
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Poses of the scene into the engine's own variables. Not timed, for any of them.
  virtual void place(const Scene& scene) = 0;
  // Boxes, broad and narrow phase, from those variables on: this is timed.
  virtual void find() = 0;
  // What the last find() found. Not timed.
  virtual Found found() const = 0;
};

struct LigamentOptions {
  int threads = 1;
  // [s] Ligament looks this far ahead, over a step of 1/60 s. 0 asks the question that the others
  // answer: what touches now.
  double lookahead = 0.0;
  bool broad_phase_alone = false;
};
std::unique_ptr<Engine> make_ligament_engine(const Scene& scene, const LigamentOptions& options);
std::string describe_ligament();

#ifdef LIGAMENT_BENCH_FCL
std::unique_ptr<Engine> make_fcl_engine(const Scene& scene);
std::string describe_fcl();
#endif

#ifdef LIGAMENT_BENCH_BULLET
std::unique_ptr<Engine> make_bullet_engine(const Scene& scene);
std::string describe_bullet();
#endif

}  // namespace ligament::bench
