// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/rank.h"

#include <SuiteSparseQR.hpp>

#include <Eigen/Cholesky>
#include <new>

namespace ligament {
namespace {

// CHOLMOD's common block, and matrices that it frees.
class Cholmod {
 public:
  Cholmod() { cholmod_l_start(&common_); }
  ~Cholmod() {
    cholmod_l_free_triplet(&triplet_, &common_);
    cholmod_l_free_sparse(&A_, &common_);
    cholmod_l_free_sparse(&R_, &common_);
    cholmod_l_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void open(std::size_t rows, std::size_t columns, std::size_t entries) {
    triplet_ = cholmod_l_allocate_triplet(rows, columns, entries, 0, CHOLMOD_REAL, &common_);
    if (!triplet_) throw std::bad_alloc();
  }
  void add(int row, int column, double value) {
    const std::size_t at = triplet_->nnz++;
    static_cast<SuiteSparse_long*>(triplet_->i)[at] = row;
    static_cast<SuiteSparse_long*>(triplet_->j)[at] = column;
    static_cast<double*>(triplet_->x)[at] = value;
  }
  // R of A = Q R without any permutation; columns that depend on those before them have no step.
  const cholmod_sparse& factorize(double tolerance) {
    A_ = cholmod_l_triplet_to_sparse(triplet_, 0, &common_);
    if (!A_) throw std::bad_alloc();
    SuiteSparse_long* permutation = nullptr;
    SuiteSparseQR<double>(SPQR_ORDERING_FIXED, tolerance, 0, A_, &R_, &permutation, &common_);
    if (!R_) throw std::bad_alloc();
    return *R_;
  }

 private:
  cholmod_common common_{};
  cholmod_triplet* triplet_ = nullptr;
  cholmod_sparse* A_ = nullptr;
  cholmod_sparse* R_ = nullptr;
};

// The columns of L⁻¹ Gᵀ for one entry of G: rows × columns, by columns.
MatX scale_by_mass(const BodyBlock& body, const double* values, int rows, int columns) {
  MatX scaled = Eigen::Map<const MatX>(values, rows, columns).transpose();
  scaled.topRows(3) /= std::sqrt(body.mass);
  if (body.size == 6) {
    const Mat3 symmetric = 0.5 * (body.rotation + body.rotation.transpose());
    const Eigen::LLT<Mat3> L(symmetric);
    scaled.bottomRows(3) = L.matrixL().solve(scaled.bottomRows(3));
  }
  return scaled;
}

}  // namespace

RowRank compute_rank(const BlockDiagonal& M, const BlockRows& G, const std::vector<bool>& wanted,
                     double tolerance) {
  std::vector<int> rows;  // of G, one a column of the matrix
  Cholmod qr;
  std::size_t count = 0;
  for (const bool is_wanted : wanted) count += is_wanted ? 1 : 0;
  qr.open(static_cast<std::size_t>(G.columns), count, G.values.size());
  for (const RowBlock& block : G.blocks) {
    std::vector<MatX> entries;
    VecX squares = VecX::Zero(block.rows);
    for (const BlockEntry& entry : G.entries_of(block)) {
      entries.push_back(scale_by_mass(M.blocks[static_cast<std::size_t>(entry.body)],
                                      G.entry_values(entry), block.rows, entry.columns));
      squares += entries.back().colwise().squaredNorm().transpose();
    }
    for (int r = 0; r < block.rows; ++r) {
      if (!wanted[static_cast<std::size_t>(block.first_row + r)]) continue;
      const double length = squares(r) > 0.0 ? std::sqrt(squares(r)) : 1.0;
      for (std::size_t e = 0; e < entries.size(); ++e)
        for (int c = 0; c < entries[e].rows(); ++c)
          if (const double value = entries[e](c, r) / length; value != 0.0)
            qr.add(G.entries_of(block)[e].column + c, static_cast<int>(rows.size()), value);
      rows.push_back(block.first_row + r);
    }
  }
  RowRank result;
  if (rows.empty()) return result;
  const cholmod_sparse& R = qr.factorize(tolerance);
  const auto* first = static_cast<const SuiteSparse_long*>(R.p);
  const auto* at = static_cast<const SuiteSparse_long*>(R.i);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    bool is_new = false;
    for (SuiteSparse_long k = first[j]; k < first[j + 1]; ++k)
      is_new = is_new || at[k] == result.rank;
    if (is_new)
      ++result.rank;
    else
      result.dependent.push_back(rows[j]);
  }
  return result;
}

}  // namespace ligament
