// SPDX-License-Identifier: Apache-2.0
// Momentum from sweep to sweep: the next sweep starts ahead of where the last one ended,
//
//     y_k = x_k + β_k (x_k − x_{k−1}),   x_{k+1} = sweep(y_k),   β_k = (θ_k − 1)/θ_{k+1},
//     θ_{k+1} = ½ (1 + √(1 + 4 θ_k²))                                                     [GS.9]
//
// Nesterov's sequence. It may go too far, in two ways:
//
//   - over the goal: a sweep moves 1.3 times as much as the least since the last restart, in the
//     energy ‖x_{k+1} − y_k‖² of its own diagonal. Then one sweep is made without momentum, and θ
//     goes on from 0.7 of what it was.                                                   [GS.10]
//   - round in circles or away, as the sweeps of Coulomb's law and of non-symmetric blocks may do,
//     for they minimize nothing: no sweep in 100 has moved less than the least before, or one has
//     moved a hundred times as far. Then β is held below 0.8, or half, of its last limit, until in
//     the end the sweeps are plain.                                                      [GS.11]
//
// Impulses may be outside their laws at y, never at x: a sweep begins with y and ends in K. The
// velocities are affine in the impulses and are carried along with the same β.
#pragma once

#include <vector>

#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

// How far to go ahead.
class Pace {
 public:
  void start();
  // After a sweep that moved by so much [J].
  void learn(double moved);
  double beta() const { return beta_; }

 private:
  void restart_if_too_far(double moved);
  void weaken_if_stale(double moved);
  void weaken_if_growing(double moved);

  double theta_ = 1.0, beta_ = 0.0;
  double moved_ = 0.0;   // the least by a sweep since the last restart [J]
  int age_ = 0;          // sweeps since the last restart
  double limit_ = 1.0;   // of β
  double least_ = 0.0;   // that a sweep has moved [J]
  double recent_ = 0.0;  // the least since then [J]
  int stale_ = 0;        // sweeps since then
};

template <class Real>
class MomentumOf {
 public:
  // Forgets everything: x is the start.
  void start(const PackedContacts<Real>& packed);
  // x → y, before a sweep.
  void push(PackedContacts<Real>& packed);
  // After the sweep, which moved by so much [J].
  void learn(double moved) { pace_.learn(moved); }

 private:
  Pace pace_;
  typename ImpulsesOf<Real>::Array lambda_;  // of x_{k−1}
  std::vector<BodyOf<Real>> bodies_;         // velocities of x_{k−1}
};

}  // namespace ligament::gauss_seidel
