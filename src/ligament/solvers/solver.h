// SPDX-License-Identifier: Apache-2.0
// The solvers of a step problem, behind one function. A solver never sees a model, a row or a step.
//
// A variant is a plain struct of options; solve() visits it. What survives from one step to the
// next (symbolic factorization, work space) lives in a SolverWorkspace: a new one is a cold start.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "ligament/problem/step_problem.h"

namespace ligament {

// Block-sparse LDLᵀ (LDU where a body block is not symmetric) of the step problem's KKT matrix,
// made for its structure. Equality laws only. See solvers/direct/.
struct Direct {
  int refinements = 1;  // steps of iterative refinement after the first solve, 0 … 10
};

// Referee: UMFPACK on the KKT matrix [M −Gᵀ; G Σ], the choice of Lacoursière 2007. Equality laws
// only.
struct Umfpack {};

// Referee: CHOLMOD on the Schur complement S = G M⁻¹ Gᵀ + Σ. Symmetric M and equality laws only.
struct Cholmod {};

// Equality, unilateral and box laws: block principal pivoting over the bounds, each guess solved by
// Direct, with projected Newton behind it. Without bounds it is Direct. Bounds that hang on another
// row, box friction, are found by an outer loop. See solvers/pivoting/.
struct BlockPivot {
  int refinements = 1;      // of the direct solves, 0 … 10
  int pivots_per_row = 10;  // a bounded row, before projected Newton goes on, 1 … 1000
  int passes = 10;          // of the outer loop over friction bounds, 1 … 1000
};

// How a sweep solves one contact with the others held.
enum class LocalSolve : unsigned char {
  sequential,  // the normal impulse first, then the tangential ones within what it allows
  exact        // the law of the block, coupling between its rows included
};

// All laws, one block at a time: sweeps over the blocks, each solved with the others held. Cheap a
// sweep, and many sweeps for tall stacks and large mass ratios. See solvers/gauss_seidel/.
struct GaussSeidel {
  int max_sweeps = 200;     // 1 … 10⁹
  double tolerance = 1e-6;  // relative error of the velocities at which it stops [WA.8]; 0: never
  LocalSolve local = LocalSolve::sequential;
  bool momentum = true;  // each sweep starts ahead of where the last one ended [GS.9]
  // So many are made even if the guess is within the tolerance, as long as the error is above
  // `settled`: what stands still settles from step to step, however loose the tolerance is. [GS.14]
  int least_sweeps = 0;  // 0 … max_sweeps
  double settled = 1e-10;
};

// Convex laws (all but Coulomb's, whose lift is taken from the iterate) by Nesterov's accelerated
// projected gradient with restarts, matrix-free. See solvers/gradient/.
struct AcceleratedGradient {
  int max_iterations = 2000;  // 1 … 10⁹
  double tolerance = 1e-6;    // as of GaussSeidel
};

// All laws, accurately: Newton's method on the impulses as functions of the velocities. Quick where
// the guess is good or the contact is soft. See solvers/newton/.
struct Newton {
  int max_iterations = 100;  // 1 … 10⁹
  double tolerance = 1e-10;  // as of GaussSeidel
  int max_sweeps = 20000;    // that help it where it cycles, all together, 0 … 10⁹
  double max_work = 1e12;    // multiply-adds of all factorizations of a solve, > 0
};

// All laws, accurately and from afar: a primal–dual interior point method finds the states of the
// contacts in 5 to 30 factorizations whatever the stiffness or the ratio of masses, and Newton
// takes over. See solvers/interior/.
struct InteriorPoint {
  int max_iterations = 200;  // 1 … 10⁹
  double tolerance = 1e-10;  // as of GaussSeidel
  int max_sweeps = 5000;     // that help Newton in the end, 0 … 10⁹
};

// Polyhedral friction cones, exactly: Lemke's complementary pivoting with a lexicographic ratio
// test on the dense Schur complement of what has a bound, after the equality rows are eliminated.
// The pyramid of a contact touches Coulomb's cone from inside; the residual says how far it is off.
// See solvers/lemke/.
struct Lemke {
  int directions = 4;       // pairs of opposite friction directions of a contact, 2 … 64
  int pivots_per_row = 50;  // of the complementarity problem before it gives up, 1 … 1000
  int max_unknowns = 2000;  // of that problem, which is dense: 1 … 20000
};

// The default: takes the problem apart into islands, solves each by what suits it, and says in the
// report by what. See solvers/islands/.
struct Automatic {
  double tolerance = 1e-10;  // as of GaussSeidel
  int direct_bodies = 100;   // larger islands need not reach it where they are hard, ≥ 0
  // Of islands that are swept, where the bound is pessimistic by a factor of up to some hundreds.
  double sweep_tolerance = 0.5;
  int max_sweeps = 3000;  // over these, 0 … 10⁹; over smaller ones more, for the same time
  int least_sweeps = 8;   // even if that is reached, as long as `tolerance` is not
  int threads = 1;        // islands at the same time, ≥ 1; the result does not depend on it
};

using Solver = std::variant<Direct, Umfpack, Cholmod, BlockPivot, GaussSeidel, AcceleratedGradient,
                            Newton, InteriorPoint, Lemke, Automatic>;

const char* name_of(const Solver& solver);

// Whether the solver needs every block of M to be symmetric.
bool needs_symmetry(const Solver& solver);

enum class SolveStatus {
  not_run,
  solved,
  singular,      // a pivot lost all its digits: rows that depend on each other, with too little
                 // compliance
  unsupported,   // a law or a non-symmetric block that this solver cannot handle
  too_large,     // the factor would not fit into memory
  not_converged  // the result is the best that was found in the time given, with exact momentum,
                 // and the residual says how far the laws are from holding
};

const char* name_of(SolveStatus status);

// Why a solver went no further.
enum class SolveEnd : unsigned char {
  reached,     // the tolerance, or the exact answer
  stalled,     // it finds nothing better
  iterations,  // as many as it may have: sweeps, steps, pivots
  work,        // as much as it may cost
  memory       // what would be better does not fit into it
};

constexpr std::size_t solve_ends = 5;
const char* name_of(SolveEnd end);
const char* describe(SolveEnd end);  // in words that follow "the solver stopped: "

// The errors of the iterates of one solve [WA.8]. Keeps all of few, and every second, fourth, … of
// many.
class History {
 public:
  void add(double error) {
    if (seen_++ % stride_ != 0) return;
    if (count_ == values_.size()) thin();
    values_[count_++] = error;
  }
  std::span<const double> values() const { return {values_.data(), count_}; }
  int stride() const { return stride_; }  // iterates from one value to the next

 private:
  void thin() {
    for (std::size_t i = 0; i < count_ / 2; ++i) values_[i] = values_[2 * i];
    count_ /= 2;
    stride_ *= 2;
  }
  std::array<double, 32> values_{};
  std::size_t count_ = 0;
  int stride_ = 1;
  int seen_ = 0;
};

struct SolveReport {
  SolveStatus status = SolveStatus::not_run;
  SolveEnd end = SolveEnd::reached;
  int factorizations = 0;
  int iterations = 0;  // sweeps, steps of Newton, …: what an iterative solver counts
  // ‖u − u_exact‖_M over ‖u − u_free‖_M of the result, bounded or, of laws that are not convex,
  // estimated [WA.8]; NaN if it is solved without asking.
  double velocity_error = std::numeric_limits<double>::quiet_NaN();
  History history;  // the same of the iterates
  // Automatic: how many islands were solved by each alternative of Solver.
  std::array<int, std::variant_size_v<Solver>> chosen{};
  double work = 0.0;       // multiply-adds spent, counted and not timed
  int culprit_block = -1;  // row block of G at which the solve broke down, −1 if none is known
  bool analysed = false;   // whether the symbolic part was made anew

  // Whether there is a result to go on with.
  bool ok() const { return status == SolveStatus::solved || status == SolveStatus::not_converged; }
};

// Adds what solves before this one cost.
void add_effort(const SolveReport& before, SolveReport& report);

// Of the solves of one step, all of whose results count: `report` becomes that of the next one,
// with the effort of those before it, whom they chose, and the worst of what they missed.
void add_solve(const SolveReport& next, SolveReport& report);

class SolverWorkspace {
 public:
  SolverWorkspace();
  ~SolverWorkspace();
  SolverWorkspace(SolverWorkspace&&) noexcept;
  SolverWorkspace& operator=(SolverWorkspace&&) noexcept;

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

// Whether the solver can do with the laws of the problem.
bool supports(const Solver& solver, const StepProblem& problem);

// Solves the problem. λ on entry, if it is of the right size and finite, is a first guess that
// iterative solvers start from. On failure u and λ are filled with NaN, so that nobody mistakes
// them for a result.
SolveReport solve(const Solver& solver, const StepProblem& problem, SolverWorkspace& workspace,
                  StepSolution& solution);

// The same for a problem of which only p and b are others than in the last call with this
// workspace, that succeeded: a direct solver keeps its factorization.
SolveReport solve_again(const Solver& solver, const StepProblem& problem,
                        SolverWorkspace& workspace, StepSolution& solution);

}  // namespace ligament
