// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/lemke/complementarity.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace ligament::lemke {
namespace {

constexpr double smallest_pivot = 1e-11;  // of entries scaled to about 1
constexpr double tie = 1e-12;             // ratios closer than this are the same

}  // namespace

bool Complementarity::comes_before(int row, int other, int entering) const {
  const double a = tableau_(row, entering), b = tableau_(other, entering);
  const int right = 2 * n_ + 1;
  const double x = tableau_(row, right) / a, y = tableau_(other, right) / b;
  if (std::abs(x - y) > tie * std::max({1.0, std::abs(x), std::abs(y)})) return x < y;
  // The covering variable leaves as soon as it may.
  if (basis_[static_cast<std::size_t>(row)] == 2 * n_) return true;
  if (basis_[static_cast<std::size_t>(other)] == 2 * n_) return false;
  for (int c = 0; c < n_; ++c) {
    const double p = tableau_(row, c) / a, r = tableau_(other, c) / b;
    if (std::abs(p - r) > tie * std::max({1.0, std::abs(p), std::abs(r)})) return p < r;
  }
  return row < other;
}

int Complementarity::choose_row(int entering) const {
  int best = -1;
  for (int row = 0; row < n_; ++row)
    if (tableau_(row, entering) > smallest_pivot && (best < 0 || comes_before(row, best, entering)))
      best = row;
  return best;
}

void Complementarity::pivot(int row, int entering) {
  tableau_.row(row) /= tableau_(row, entering);
  for (int i = 0; i < n_; ++i) {
    const double factor = tableau_(i, entering);
    if (i != row && factor != 0.0) tableau_.row(i) -= factor * tableau_.row(row);
  }
  basis_[static_cast<std::size_t>(row)] = entering;
  ++pivots_;
}

void Complementarity::read(const Matrix& A, const Vector& q, Eigen::Ref<Eigen::VectorXd> z) {
  z.setZero();
  inside_.clear();
  for (int row = 0; row < n_; ++row) {
    const int column = basis_[static_cast<std::size_t>(row)];
    if (column < n_ || column == 2 * n_) continue;
    z(column - n_) = std::max(0.0, tableau_(row, 2 * n_ + 1));
    inside_.push_back(column - n_);
  }
  if (inside_.empty()) return;
  const auto size = static_cast<Eigen::Index>(inside_.size());
  MatView part = factor_.begin(size);
  VecView exact = right_.vector(size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const int column = inside_[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < size; ++i)
      part(i, j) = A(inside_[static_cast<std::size_t>(i)], column);
    exact(j) = -q(column);
  }
  factor_.factor();
  factor_.solve(exact);
  // A basis that is nearly singular has better digits in the tableau.
  const bool better =
      exact.allFinite() && exact.minCoeff() > -1e-9 * (1.0 + exact.cwiseAbs().maxCoeff());
  if (!better) return;
  for (std::size_t i = 0; i < inside_.size(); ++i)
    z(inside_[i]) = std::max(0.0, exact(static_cast<Eigen::Index>(i)));
}

Pivoting Complementarity::solve(const Matrix& A, const Vector& q, int most_pivots,
                                Eigen::Ref<Eigen::VectorXd> z) {
  n_ = static_cast<int>(q.size());
  pivots_ = 0;
  const MatView room = room_.matrix(n_, 2 * n_ + 2);
  new (&tableau_) MatView(room);  // how Eigen's views are pointed elsewhere
  tableau_.setZero();
  tableau_.leftCols(n_).setIdentity();
  tableau_.middleCols(n_, n_) = -A;
  tableau_.col(2 * n_).setConstant(-1.0);
  tableau_.col(2 * n_ + 1) = q;
  basis_.resize(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  z.setZero();
  if (n_ == 0 || q.minCoeff() >= 0.0) return Pivoting::solved;

  // z₀ enters where q is smallest, of those the last: the lexicographic choice.
  int row = 0;
  for (int i = 1; i < n_; ++i)
    if (q(i) <= q(row)) row = i;
  int leaving = row;
  pivot(row, 2 * n_);
  while (pivots_ < most_pivots) {
    const int entering = leaving < n_ ? leaving + n_ : leaving - n_;
    row = choose_row(entering);
    if (row < 0) {
      read(A, q, z);
      return Pivoting::ray;
    }
    leaving = basis_[static_cast<std::size_t>(row)];
    pivot(row, entering);
    if (leaving == 2 * n_) {
      read(A, q, z);
      return Pivoting::solved;
    }
  }
  read(A, q, z);
  return Pivoting::gave_up;
}

}  // namespace ligament::lemke
