// SPDX-License-Identifier: Apache-2.0
// The factor of what hardly moves.
//
// A wall that stands moves by 10⁻¹² m a step, and the impulses of the last step are not good enough
// for the next one: pressed bricks buckle unless their contacts answer. Each answer is one solve
// with a matrix that differs from the last one in its last digits. A solve that is refined on the
// true problem can do with the matrix of a problem nearby: that in which
//
//     M, G, Σ of joints and D of contacts [DI.4] are rounded to 24 bits                     [NE.6]
//
// It stays the same to the last bit as long as nothing moves across a multiple of the rounding, and
// is kept so long. Since it is a function of the problem at hand, whoever makes it anew, in a new
// workspace, gets the same bits.
#pragma once

#include "ligament/solvers/direct/condensed.h"

namespace ligament::newton {

class KeptFactor {
 public:
  enum class Made { kept, anew, broken_down };

  // Gives `factor` the values of the rounded problem, and the rows the rounded D, unless it has
  // them. The laws of the rows are given; the plan is that of the last call, or forget() was
  // called.
  Made update(const StepProblem& problem, direct::CondensedRows& rows,
              direct::Factorization& factor);
  // The factor has got other values, or another plan.
  void forget() { valid_ = false; }
  // Memory for a problem of this size: steps that move make it too, so that rest allocates nothing.
  void reserve(const StepProblem& problem, const direct::CondensedRows& rows);

 private:
  bool round_bodies(const BlockDiagonal& M);
  bool round_rows(const BlockRows& G);
  bool round_laws(const StepProblem& problem, direct::CondensedRows& rows);

  StepProblem rounded_;               // M, G and Σ
  std::vector<double> D_;             // as in CondensedRows
  std::vector<double> turning_unit_;  // (bodies) of the entries of G that multiply its spin
  bool symmetric_ = true;
  bool valid_ = false;
};

}  // namespace ligament::newton
