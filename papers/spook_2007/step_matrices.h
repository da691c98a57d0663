// SPDX-License-Identifier: Apache-2.0
// The matrices of a step, (29) and (30), as sparse matrices: for the orders of elimination that
// others use.
#pragma once

#include <Eigen/SparseCholesky>

#include "ligament/ligament.h"

namespace ligament::papers {

using Sparse = Eigen::SparseMatrix<double>;

// M, G and the right sides p and b of a step problem, or of its part in the plane x, z.
struct StepMatrices {
  Sparse M, G;
  VecX p, b;

  explicit StepMatrices(const StepProblem& problem);

  void keep_plane();
  // Rows in the order of the bodies that they touch.
  void sort_rows();

  // [M Gᵀ; G −Σ], for (u, −λ).
  Sparse make_large(double Sigma) const;
  // G M⁻¹ Gᵀ + Σ.
  Sparse make_schur(double Sigma) const;
};

using BySymmetricOrder = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>>;

// Of L and U, unit diagonals included.
double count_factor(const BySymmetricOrder& solver);

// A ladder after half a second of fall.
StepProblem catch_ladder(int cells);

// A hub with boxes on ball joints all round.
StepProblem catch_star(int boxes);

}  // namespace ligament::papers
