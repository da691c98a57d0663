// SPDX-License-Identifier: Apache-2.0
// Step problems as compressed sparse columns, for the SuiteSparse referees.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::referees {

struct SparseColumns {
  int size = 0;
  std::vector<int> starts, rows;
  std::vector<double> values;
};

// The pattern of a matrix given by its triplets, kept so that the next matrix with the same
// triplets in the same order only adds up values.
class TripletPattern {
 public:
  void clear() { rows_.clear(), columns_.clear(); }
  void add(int row, int column) { rows_.push_back(row), columns_.push_back(column); }
  // Makes the compressed columns (values zero) and remembers where each triplet goes.
  void compress(int size, SparseColumns& out);
  int place(std::size_t triplet) const { return places_[triplet]; }

 private:
  std::vector<int> rows_, columns_, places_;
};

}  // namespace ligament::referees
