// SPDX-License-Identifier: Apache-2.0
// Automatic: each island by the solver that suits it.
//
//     only equalities                          Direct
//     bounds and no friction, few rows         BlockPivot
//     up to Automatic::direct_bodies bodies    Newton, then InteriorPoint where it is stuck
//     up to 500                                Newton; sweep_tolerance is enough where it is stuck
//     more                                     GaussSeidel, to sweep_tolerance
//
// A machine without contacts is not taken apart: its structure is kept from step to step.
#pragma once

#include <memory>
#include <vector>

#include "ligament/solvers/islands/islands.h"
#include "ligament/solvers/solver.h"

namespace ligament::islands {

// What an island keeps from step to step, found again by its first body.
struct IslandSlot {
  StepProblem problem;
  StepSolution solution;
  SolverWorkspace solver;
  SolveReport report;
  int island = -1;  // that has it in this step, −1: none
};

struct AutomaticWorkspace {
  std::unique_ptr<SolverWorkspace> whole;  // of problems that are not taken apart, once needed
  Islands islands;
  std::vector<std::unique_ptr<IslandSlot>> slots;
  std::vector<int> slot_of_body;    // that the island with this first body had last, −1: none
  std::vector<int> slot_of_island;  // in this step
  std::vector<int> place_of_body;   // in its island
  VecX guess;                       // impulses to start from
};

SolveReport solve_automatic(const Automatic& options, const StepProblem& problem,
                            AutomaticWorkspace& work, StepSolution& solution);

}  // namespace ligament::islands
