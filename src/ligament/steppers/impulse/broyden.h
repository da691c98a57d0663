// SPDX-License-Identifier: Apache-2.0
// Broyden's method for x = T(x), with T a simplified Newton step whose matrix is kept: each step
// teaches it what the matrix misses, and convergence becomes superlinear.
//
//     z = T(x) − x;  for all steps s before but the last:  z ← z + s₊ ⟨s, z⟩/⟨s, s⟩
//     s = z/(1 − ⟨s_last, z⟩/⟨s_last, s_last⟩),  x ← x + s                              [IB.5]
//
// Steps are impulses; ⟨a, b⟩ = aᵀ G M⁻¹ Gᵀ b, in which impulses that move nothing do not count.
// Reference Kelley 1995, Iterative methods for linear and nonlinear equations, section 7.3.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament {

class Broyden {
 public:
  void clear() { count_ = 0; }

  // Makes the step out of z = T(x) − x.
  void improve(const StepProblem& problem, VecX& z) {
    if (count_ == steps_.size() && count_ < most) steps_.emplace_back();
    if (count_ == most) clear();
    Step& next = steps_[count_];
    next.impulse.resize(problem.columns());
    next.velocity.resize(problem.columns());
    for (std::size_t j = 0; j + 1 < count_; ++j)
      z += steps_[j + 1].step * (share(problem, steps_[j], z, next) / steps_[j].square);
    if (count_ > 0) {
      const Step& last = steps_[count_ - 1];
      const double rest = 1.0 - share(problem, last, z, next) / last.square;
      if (rest > least_rest)
        z /= rest;
      else
        clear();
    }
    Step& kept = steps_[count_];
    kept.impulse.resize(problem.columns());
    kept.velocity.resize(problem.columns());
    kept.step = z;
    multiply_transposed(problem.G, z, kept.impulse);
    multiply_inverse(problem.M, kept.impulse, kept.velocity);
    kept.square = kept.impulse.dot(kept.velocity);
    if (kept.square > 0.0) ++count_;
  }

 private:
  struct Step {
    VecX step;      // (rows)
    VecX impulse;   // (columns) Gᵀ step
    VecX velocity;  // (columns) M⁻¹ Gᵀ step
    double square = 0.0;
  };
  static constexpr std::size_t most = 30;     // steps that are remembered
  static constexpr double least_rest = 0.05;  // of a step that would otherwise be too long

  // ⟨s, z⟩, with the scratch memory of a step that is not yet made.
  static double share(const StepProblem& problem, const Step& s, const VecX& z, Step& scratch) {
    multiply_transposed(problem.G, z, scratch.impulse);
    return s.velocity.dot(scratch.impulse);
  }

  std::vector<Step> steps_;
  std::size_t count_ = 0;
};

}  // namespace ligament
