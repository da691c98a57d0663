// SPDX-License-Identifier: Apache-2.0
// Dense matrices of changing size in memory that grows and never shrinks, and their factorization.
#pragma once

#include <vector>

#include "ligament/math/types.h"

namespace ligament::lemke {

using MatView = Eigen::Map<MatX>;
using VecView = Eigen::Map<Eigen::VectorXd>;

class DenseRoom {
 public:
  // What was there before is lost; the values are not set.
  MatView matrix(Eigen::Index rows, Eigen::Index columns) {
    reserve(rows * columns);
    return {memory_.data(), rows, columns};
  }
  VecView vector(Eigen::Index rows) {
    reserve(rows);
    return {memory_.data(), rows};
  }

 private:
  void reserve(Eigen::Index size) {
    if (memory_.size() < static_cast<std::size_t>(size))
      memory_.resize(static_cast<std::size_t>(size));
  }
  std::vector<double> memory_;
};

// P A = L U with partial pivoting, column by column.
class DenseLu {
 public:
  // The matrix to fill, n × n; then factor().
  MatView begin(Eigen::Index n) {
    n_ = n;
    return room_.matrix(n, n);
  }
  // A pivot that is 0 makes solutions that are not finite.
  void factor();
  // x ← A⁻¹ x
  void solve(Eigen::Ref<Eigen::VectorXd> x);

 private:
  DenseRoom room_;
  std::vector<Eigen::Index> exchanged_;  // row that pivot k came from
  Eigen::Index n_ = 0;
};

}  // namespace ligament::lemke
