// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/interior/lorentz_laws.h"

#include <algorithm>
#include <cmath>

namespace ligament::interior {
namespace {

// The cones of one block.
struct Lister {
  ConeList& list;
  const RowBlock& block;
  int index;

  LorentzCone& add(ConeKind kind, int row, int rows, double bound) {
    const int size = rows + (kind == ConeKind::disc ? 1 : 0);
    list.cones.push_back({.kind = kind,
                          .first_row = row,
                          .rows = rows,
                          .block = index,
                          .place = list.places,
                          .size = size,
                          .bound = bound});
    list.places += size;
    return list.cones.back();
  }
  void fix(int row, double value) {
    list.fixed.push_back({.row = row, .block = index, .value = value});
  }

  void operator()(const Equality&) {}
  void operator()(const Unilateral&) {
    for (int i = 0; i < block.rows; ++i) add(ConeKind::line, block.first_row + i, 1, 0.0);
  }
  void operator()(const Box& box) {
    for (int row = block.first_row; row < block.first_row + block.rows; ++row) {
      if (!(box.lower < box.upper)) {
        fix(row, box.lower);
        continue;
      }
      const double width = box.upper - box.lower;
      if (std::isfinite(box.lower)) add(ConeKind::line, row, 1, box.lower).width = width;
      if (!std::isfinite(box.upper)) continue;
      LorentzCone& upper = add(ConeKind::line, row, 1, box.upper);
      upper.sign = -1.0;
      upper.width = width;
    }
  }
  void operator()(const Disc& disc) {
    if (disc.radius > 0.0)
      add(ConeKind::disc, block.first_row, block.rows, disc.radius);
    else
      for (int i = 0; i < block.rows; ++i) fix(block.first_row + i, 0.0);
  }
  void operator()(const Cone& cone) {
    if (cone.mu > 0.0 && block.rows > 1) {
      add(ConeKind::cone, block.first_row, block.rows, cone.mu);
      return;
    }
    add(ConeKind::line, block.first_row, 1, 0.0);
    for (int i = 1; i < block.rows; ++i) fix(block.first_row + i, 0.0);
  }
  void operator()(const Coulomb& law) { (*this)(Cone{law.mu}); }  // its lift is in b
};

// The entry of a block's matrix for two rows of the problem.
double& entry(std::vector<double>& matrices, const direct::CondensedBlock& block, int row,
              int column) {
  const int i = row - block.first_row, j = column - block.first_row;
  return matrices[static_cast<std::size_t>(block.values + j * block.rows + i)];
}

// S with S² = Fᵀ H² F = β² (1 + 2 a_1 a_1ᵀ) of a disc, and its inverse.
struct DiscScaling {
  double beta = 1.0;
  ConeVec a = ConeVec::Zero();  // a_1

  explicit DiscScaling(const Scaling& H) : beta(H.beta) { a.head<padded - 1>() = tail_of(H.a); }

  ConeMat power(double exponent) const {
    const double size = a.squaredNorm();
    if (!(size > 0.0)) return std::pow(beta, exponent) * ConeMat::Identity();
    const double along = std::pow(1.0 + 2.0 * size, 0.5 * exponent);
    return std::pow(beta, exponent) *
           (ConeMat::Identity() + (along - 1.0) / size * a * a.transpose());
  }
};

}  // namespace

void ConeList::build(const StepProblem& problem, const direct::CondensedRows& rows) {
  cones.clear();
  fixed.clear();
  places = 0;
  for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
    const auto at = static_cast<std::size_t>(rows.blocks[i].block);
    std::visit(Lister{*this, problem.G.blocks[at], static_cast<int>(i)}, problem.laws[at]);
  }
}

ConeVec compute_slack(const LorentzCone& cone, const VecX& lambda) {
  ConeVec X = ConeVec::Zero();
  if (cone.kind == ConeKind::line) {
    X(0) = cone.sign * (lambda(cone.first_row) - cone.bound);
  } else if (cone.kind == ConeKind::disc) {
    X(0) = cone.bound;
    X.segment(1, cone.rows) = lambda.segment(cone.first_row, cone.rows);
  } else {
    X.head(cone.rows) = lambda.segment(cone.first_row, cone.rows);
    X(0) *= cone.bound;
  }
  return X;
}

void add_linear_law(const LorentzCone& cone, const Scaling& H, direct::CondensedRows& rows) {
  const direct::CondensedBlock& block = rows.blocks[static_cast<std::size_t>(cone.block)];
  const int first = cone.first_row, n = cone.rows;
  if (cone.kind == ConeKind::line) {
    entry(rows.C, block, first, first) += H.beta * H.beta;
    return;
  }
  const DiscScaling S(H);
  const ConeMat left = cone.kind == ConeKind::cone ? H.inverse() : S.power(-1.0);
  const ConeMat right = cone.kind == ConeKind::cone ? H.matrix() : S.power(1.0);
  for (int j = 0; j < n; ++j) {
    const double weight = cone.kind == ConeKind::cone && j == 0 ? cone.bound : 1.0;
    for (int i = 0; i < n; ++i) {
      entry(rows.A, block, first + i, first + j) = left(i, j) / weight;
      entry(rows.C, block, first + i, first + j) = right(i, j) * weight;
    }
  }
}

void add_right_hand_side(const LorentzCone& cone, const Scaling& H, const ConeVec& r,
                         direct::CondensedRows& rows) {
  auto c = rows.c.segment(cone.first_row, cone.rows);
  if (cone.kind == ConeKind::line) {
    c(0) += cone.sign * H.beta * r(0) + H.beta * H.beta * cone.bound;
  } else if (cone.kind == ConeKind::cone) {
    c = r.head(cone.rows);
  } else {
    ConeVec f = ConeVec::Zero();
    f(0) = cone.bound;
    const ConeVec k = H.scale(r) - H.square() * f;
    ConeVec tail = ConeVec::Zero();
    tail.head(cone.rows) = k.segment(1, cone.rows);
    c = (DiscScaling(H).power(-1.0) * tail).head(cone.rows);
  }
}

void start_right_hand_sides(const ConeList& list, direct::CondensedRows& rows) {
  rows.c.setZero();
  for (const FixedRow& fixed : list.fixed)
    rows.c(fixed.row) = rows.mobility(fixed.row) * fixed.value;
}

void start_linear_laws(const ConeList& list, direct::CondensedRows& rows) {
  std::ranges::fill(rows.A, 0.0);
  std::ranges::fill(rows.C, 0.0);
  for (const direct::CondensedBlock& block : rows.blocks)
    for (int row = block.first_row; row < block.first_row + block.rows; ++row)
      entry(rows.A, block, row, row) = 1.0;
  for (const FixedRow& fixed : list.fixed) {
    const direct::CondensedBlock& block = rows.blocks[static_cast<std::size_t>(fixed.block)];
    entry(rows.A, block, fixed.row, fixed.row) = 0.0;
    entry(rows.C, block, fixed.row, fixed.row) = rows.mobility(fixed.row);
  }
  start_right_hand_sides(list, rows);
}

}  // namespace ligament::interior
