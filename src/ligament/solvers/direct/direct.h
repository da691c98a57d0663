// SPDX-License-Identifier: Apache-2.0
// Direct: plan once per topology, factor once per step, solve, refine.
#pragma once

#include <optional>

#include "ligament/solvers/direct/factorization.h"
#include "ligament/solvers/solver.h"

namespace ligament::direct {

struct DirectWorkspace {
  std::optional<Factorization> factor;
};

SolveReport solve_direct(const Direct& options, const StepProblem& problem,
                         DirectWorkspace& workspace, StepSolution& solution);

// With the factorization of the last call: M, G and Σ are as they were.
SolveReport solve_direct_again(const Direct& options, const StepProblem& problem,
                               DirectWorkspace& workspace, StepSolution& solution);

}  // namespace ligament::direct
