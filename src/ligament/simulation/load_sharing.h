// SPDX-License-Identifier: Apache-2.0
// Rows that say the same share a load: which, and how much each carries.
//
// For a row r that follows from others there are forces n that cancel: Gᵀ n = 0, n_r = 1. The rows
// with n_i ≠ 0 share with r; groups that have a row in common share together.              [CK.5]
#pragma once

#include <string>
#include <vector>

#include "ligament/simulation/tie_solver.h"

namespace ligament {

struct SharedRow {
  int row = 0;
  std::string name;
  double force = 0.0;  // [N, N m]
  std::string unit;
  double share = 0.0;  // of the loads of its group in this unit, 0 … 1
};

struct SharingGroup {
  std::vector<SharedRow> rows;
  int redundant = 0;  // how many of them could go
};

// `dependent` rows follow from those before them; `force` is what rows carry. Looks at no more than
// `most` dependent rows.
std::vector<SharingGroup> find_sharing(const Model& model, const Workspace& work,
                                       const std::vector<bool>& ties,
                                       const std::vector<int>& dependent, const VecX& force,
                                       std::size_t most = 200);

}  // namespace ligament
