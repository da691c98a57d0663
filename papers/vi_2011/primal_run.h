// SPDX-License-Identifier: Apache-2.0
// Newton's method on the velocities alone, step by step.
#pragma once

#include <optional>
#include <utility>

#include "ligament/problem/relative_residual.h"
#include "ligament/solvers/newton/primal.h"
#include "papers/vi_2011/cone_problems.h"

namespace ligament::papers::vi {

class PrimalRun {
 public:
  // From u. The problem must outlive the run.
  PrimalRun(const StepProblem& problem, VecX u) : problem_(problem) {
    rows_.condensation.condensed.assign(problem.laws.size(), true);
    direct::update_plan(problem, rows_, factor_);
    iterate_ = {.u = std::move(u), .lambda = VecX::Zero(problem.rows())};
    goes_on_ = search_.start(problem, rows_, *factor_, iterate_);
  }
  bool goes_on() const { return goes_on_; }
  void advance() { goes_on_ = search_.advance(problem_, rows_, *factor_, iterate_); }
  const StepSolution& iterate() const { return iterate_; }

  // Of its impulses with the velocities that they make.
  double compute_residual() const {
    const VecX& lambda = iterate_.lambda;
    return compute_relative_residual(problem_,
                                     {.u = find_velocities(problem_, lambda), .lambda = lambda});
  }

 private:
  const StepProblem& problem_;
  direct::CondensedRows rows_;
  std::optional<direct::Factorization> factor_;
  newton::PrimalSearch search_;
  StepSolution iterate_;
  bool goes_on_ = false;
};

}  // namespace ligament::papers::vi
