// SPDX-License-Identifier: Apache-2.0
// The laws of a step problem as Lorentz cones: every convex law but equality says
//
//     X_k = F_k λ + f_k ∈ cone,   w = Σ_k F_kᵀ Z_k,   Z_k ∈ cone,   X_kᵀ Z_k = 0            [IP.1]
//
//     law           cones                       F λ + f
//     unilateral    one a row, dimension 1      λ_i
//     box           two a row, dimension 1      λ_i − lower, upper − λ_i
//     disc          one, dimension 1 + rows     (radius, λ)
//     cone          one, dimension rows         (μ λ_n, λ_t)
//
// Sets without an inside (a box or a disc of no size, a cone with μ = 0) fix their impulses.
#pragma once

#include <vector>

#include "ligament/solvers/direct/condensed.h"
#include "ligament/solvers/interior/lorentz.h"

namespace ligament::interior {

enum class ConeKind : unsigned char { line, disc, cone };

struct LorentzCone {
  ConeKind kind = ConeKind::line;
  int first_row = 0;  // of the rows of the problem that it is about
  int rows = 1;
  int block = 0;       // in CondensedRows::blocks
  int place = 0;       // of X and Z in vectors of all cones
  int size = 1;        // its dimension
  double bound = 0.0;  // of a line, X = sign (λ − bound); radius of a disc; μ of a cone
  double sign = 1.0;
  double width = std::numeric_limits<double>::infinity();  // of a line, to its other bound
};

// A row whose impulse is given.
struct FixedRow {
  int row = 0;
  int block = 0;  // in CondensedRows::blocks
  double value = 0.0;
};

struct ConeList {
  std::vector<LorentzCone> cones;
  std::vector<FixedRow> fixed;
  int places = 0;

  void build(const StepProblem& problem, const direct::CondensedRows& rows);
};

// X = F λ + f.
ConeVec compute_slack(const LorentzCone& cone, const VecX& lambda);
// H⁻¹ Z + H X = r, H a scaling, is a linear law of the cone's block: of w = Fᵀ Z and X = F λ + f.
// It is written so that its numbers are of one size, though H² may have eigenvalues far apart:
//
//     cone    H⁻¹ F⁻ᵀ w + H F λ = r
//     disc    S⁻¹ w + S λ = S⁻¹ Fᵀ (H r − H² f),   S² = Fᵀ H² F
//     line    w + H² λ = H r + H² bound, and these add up for a box                          [IP.2]
void add_linear_law(const LorentzCone& cone, const Scaling& H, direct::CondensedRows& rows);
void add_right_hand_side(const LorentzCone& cone, const Scaling& H, const ConeVec& r,
                         direct::CondensedRows& rows);
// w + 0 λ = 0 in all rows that are free, s λ = s λ_given in the others.
void start_linear_laws(const ConeList& list, direct::CondensedRows& rows);
void start_right_hand_sides(const ConeList& list, direct::CondensedRows& rows);

}  // namespace ligament::interior
