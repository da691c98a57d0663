// SPDX-License-Identifier: Apache-2.0
// Linear complementarity problems by Lemke's method.
//
//     w = A z + q,   w ≥ 0,  z ≥ 0,  wᵀ z = 0                                               [LE.1]
//
// A covering variable z₀ makes w = A z + q + z₀ feasible; complementary pivots drive it out. Ties
// of the ratio test are broken by the lexicographic order of the rows of the inverse basis, so that
// no basis comes twice and the method is finite. For copositive-plus A, such as that of contact
// with polyhedral friction, it ends with a solution if there is one (Cottle, Pang and Stone 1992,
// 4.4).
#pragma once

#include <vector>

#include "ligament/solvers/lemke/dense_room.h"

namespace ligament::lemke {

enum class Pivoting : unsigned char { solved, ray, gave_up };

class Complementarity {
 public:
  using Matrix = Eigen::Ref<const MatX>;
  using Vector = Eigen::Ref<const Eigen::VectorXd>;

  // z, as long as q, on exit the solution, or what was reached. The basis is solved once more from
  // A itself, so that pivots leave no rounding behind.
  Pivoting solve(const Matrix& A, const Vector& q, int most_pivots, Eigen::Ref<Eigen::VectorXd> z);
  int pivots() const { return pivots_; }

 private:
  int choose_row(int entering) const;
  bool comes_before(int row, int other, int entering) const;
  void pivot(int row, int entering);
  void read(const Matrix& A, const Vector& q, Eigen::Ref<Eigen::VectorXd> z);

  int n_ = 0, pivots_ = 0;
  DenseRoom room_, right_;
  MatView tableau_{nullptr, 0, 0};  // (n × 2n + 2): columns of w, z, z₀ and the right-hand side
  std::vector<int> basis_;          // column of the basic variable of each row
  std::vector<int> inside_;         // z in the basis
  DenseLu factor_;
};

}  // namespace ligament::lemke
