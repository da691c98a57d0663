// SPDX-License-Identifier: Apache-2.0
// The physics of the error of one step: which machine the solution at hand is exact for.
//
// Every row whose law leaves it free is mapped to the compliance and the damping that it had in
// truth (residual_map.h). Rows at a bound are not: what they miss is the law's own doing. A row
// that could push, does not, and is approached is a missed contact [ER.7]. Contacts are also held
// against Coulomb's law (coulomb_error.h). The work that the solver feeds into the machine is
//
//     W = Σ_i max(0, −λ_i r_i)                                                             [ER.6]
//
// by row, and by pair for the tangential rows of a contact at its bound.
#pragma once

#include <span>
#include <vector>

#include "ligament/measure/coulomb_error.h"
#include "ligament/measure/residual_map.h"

namespace ligament {

// A step problem and what became of it.
struct SolvedStep {
  const StepProblem& problem;
  const StepSolution& solution;
  const Residual& residual;
  std::span<const RowScheme> schemes;  // of its rows
  std::span<const ContactRows> contacts;
  double h = 0.0;      // [s] that the problem is for
  double speed = 0.0;  // [m/s] largest in the problem: its roundings are no errors
};

struct RowError {
  RowChange change;
  double give = 0.0;  // [m, rad] as of compute_extra_give
  double fed = 0.0;   // [J] work that the row feeds, ≥ 0
};

// Row by row; kept so that a warm step allocates nothing.
struct ErrorMap {
  bool exact = true;  // all rows are: nothing below is of this step
  std::vector<RowError> rows;
  VecX mobility;  // diagonal of G M⁻¹ Gᵀ + Σ, if neither residual nor solver had made it

  const RowError& operator[](Eigen::Index row) const { return rows[static_cast<std::size_t>(row)]; }
  RowError& operator[](Eigen::Index row) { return rows[static_cast<std::size_t>(row)]; }
};

struct StepError {
  int rows = 0;               // of the problem
  int inexact = 0;            // whose residual is more than rounding, and that are not held
  int infeasible = 0;         // of which no passive machine explains
  int missed = 0;             // rows that exert nothing where they should
  double fed_work = 0.0;      // [J] W [ER.6]
  int softest_row = -1;       // that gives way most beyond what was asked for
  double give = 0.0;          // [m, rad] by so much
  double excess = 0.0;        // [m/N, rad/(N m)] of compliance, ε_eff − ε of that row
  int feeding_row = -1;       // that feeds most
  int missed_row = -1;        // that is approached fastest
  double missed_speed = 0.0;  // [m/s] so fast
  int worst_contact = -1;     // whose friction is most wrong, in SolvedStep::contacts
  CoulombError coulomb;       // of it
};

// Residuals below this part of the speeds in the problem, or of what the impulse alone moves the
// row by, are rounding. A step with no others costs nothing more.                          [ER.9]
constexpr double rounding_of_residuals = 1e-12;

StepError explain_step(const SolvedStep& step, ErrorMap& out);

}  // namespace ligament
