// SPDX-License-Identifier: Apache-2.0
// How a machine answers a push while its joints hold:
//
//     M u − Gᵀ μ = p,   G u = 0 in the rows that tie                                         [CK.3]
//
// u is the velocity that the push p gives it, μ what the ties answer. One factorization, many
// pushes.
#pragma once

#include <vector>

#include "ligament/solvers/solver.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

enum class Drives { left_out, counted };

// The rows that tie the machine: joints, rods and locks, and what drives it if that is asked for.
std::vector<bool> find_ties(const Model& model, const Workspace& work, Drives drives);

class TieSolver {
 public:
  // The problem with its mass and rows, of which those of `ties` hold and the others do nothing.
  // Rows beyond `ties`, those of contacts, must not be there.
  TieSolver(const StepProblem& problem, const std::vector<bool>& ties);

  // Whether it could be solved; p is laid out as the columns.
  bool push(const VecX& p);
  const VecX& u() const { return solution_.u; }
  const VecX& mu() const { return solution_.lambda; }

  // How far one unit of force on a row moves that row while the ties hold, [1/kg] or alike.
  double compute_mobility(int row);

 private:
  StepProblem problem_;
  SolverWorkspace workspace_;
  StepSolution solution_;
  VecX unit_, push_;
  bool factored_ = false;
};

}  // namespace ligament
