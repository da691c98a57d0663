// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/lemke/dense_room.h"

#include <utility>

namespace ligament::lemke {

void DenseLu::factor() {
  MatView A = room_.matrix(n_, n_);
  exchanged_.resize(static_cast<std::size_t>(n_));
  for (Eigen::Index k = 0; k < n_; ++k) {
    const Eigen::Index rest = n_ - k - 1;
    Eigen::Index pivot = 0;
    A.col(k).tail(rest + 1).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    exchanged_[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k) A.row(k).swap(A.row(pivot));
    A.col(k).tail(rest) /= A(k, k);
    for (Eigen::Index j = k + 1; j < n_; ++j) A.col(j).tail(rest) -= A(k, j) * A.col(k).tail(rest);
  }
}

void DenseLu::solve(Eigen::Ref<Eigen::VectorXd> x) {
  const MatView A = room_.matrix(n_, n_);
  for (Eigen::Index k = 0; k < n_; ++k) std::swap(x(k), x(exchanged_[static_cast<std::size_t>(k)]));
  for (Eigen::Index k = 0; k < n_; ++k) x.tail(n_ - k - 1) -= x(k) * A.col(k).tail(n_ - k - 1);
  for (Eigen::Index k = n_ - 1; k >= 0; --k) {
    x(k) /= A(k, k);
    x.head(k) -= x(k) * A.col(k).head(k);
  }
}

}  // namespace ligament::lemke
