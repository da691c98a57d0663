// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/referees/sparse.h"

#include <algorithm>
#include <numeric>

namespace ligament::referees {

void TripletPattern::compress(int size, SparseColumns& out) {
  std::vector<std::size_t> order(rows_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(columns_[i], rows_[i]); });
  out = {.size = size,
         .starts = std::vector<int>(static_cast<std::size_t>(size) + 1, 0),
         .rows = {},
         .values = {}};
  places_.resize(rows_.size());
  int last_row = -1, last_column = -1;
  for (const std::size_t i : order) {
    if (rows_[i] != last_row || columns_[i] != last_column) {
      out.rows.push_back(rows_[i]);
      ++out.starts[static_cast<std::size_t>(columns_[i]) + 1];
      last_row = rows_[i], last_column = columns_[i];
    }
    places_[i] = static_cast<int>(out.rows.size()) - 1;
  }
  std::partial_sum(out.starts.begin(), out.starts.end(), out.starts.begin());
  out.values.assign(out.rows.size(), 0.0);
}

}  // namespace ligament::referees
