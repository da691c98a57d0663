// SPDX-License-Identifier: Apache-2.0
// What other orders of elimination cost on ladders and stars: entries, bandwidth, time.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "papers/orders.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/step_matrices.h"
#include "papers/thread_time.h"

namespace ligament::papers {
namespace {

constexpr double Sigma = 1e-5;

template <class Order>
using ByColumns = Eigen::SparseLU<Sparse, Order>;  // with partial pivoting
using InNaturalOrder = ByColumns<Eigen::NaturalOrdering<int>>;
using ByColamd = ByColumns<Eigen::COLAMDOrdering<int>>;

// The largest |i − j| of an entry.
int find_bandwidth(const Sparse& A) {
  int width = 0;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it)
      width = std::max(width, std::abs(static_cast<int>(it.row()) - j));
  return width;
}

// Cholesky's factor of a matrix with a band: column j holds L(j, j) … L(j + width, j).
class Banded {
 public:
  explicit Banded(const Sparse& A)
      : width_(find_bandwidth(A)), L_(MatX::Zero(width_ + 1, A.cols() + width_)) {
    const auto n = static_cast<int>(A.cols());
    for (int j = 0; j < n; ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it)
        if (it.row() >= j) L_(it.row() - j, j) = it.value();
    for (int j = 0; j < n; ++j) {
      L_.col(j) /= std::sqrt(L_(0, j));
      for (int k = 1; k <= width_; ++k)  // columns beyond the last are zero
        L_.col(j + k).head(width_ + 1 - k) -= L_(k, j) * L_.col(j).tail(width_ + 1 - k);
    }
    columns_ = n;
  }

  VecX solve(const VecX& right) const {
    VecX x = VecX::Zero(columns_ + width_);
    x.head(columns_) = right;
    for (int j = 0; j < columns_; ++j) {
      x(j) /= L_(0, j);
      x.segment(j + 1, width_) -= x(j) * L_.col(j).tail(width_);
    }
    for (int j = columns_ - 1; j >= 0; --j)
      x(j) = (x(j) - L_.col(j).tail(width_).dot(x.segment(j + 1, width_))) / L_(0, j);
    return x.head(columns_);
  }

  double entries() const { return static_cast<double>(columns_) * (width_ + 1); }

 private:
  int width_, columns_ = 0;
  MatX L_;
};

// One way to solve a step: entries of the factors and time of factors and solution, by length.
struct Way {
  const char* label;
  double given;  // exponent of the time, of the notes
  std::vector<double> entries{}, time{};
};

// The right sides (p, b) of (29), and b − G M⁻¹ p of (30).
struct Sides {
  VecX large, schur;

  explicit Sides(const StepMatrices& ladder) : large(ladder.p.size() + ladder.b.size()) {
    large << ladder.p, ladder.b;
    const Eigen::SimplicialLDLT<Sparse> mass(ladder.M);
    schur = ladder.b - ladder.G * VecX(mass.solve(ladder.p));
  }
};

template <class Solver>
void try_large(const Sparse& K, const VecX& right, int times, Way& way) {
  const Solver solver(K);
  way.entries.push_back(static_cast<double>(solver.nnzL() + solver.nnzU()));
  double sum = 0.0;  // somebody must look at the solution
  way.time.push_back(time_quickest(times, [&] {
    Solver again(K);
    sum += again.solve(right).sum();
  }));
  if (!std::isfinite(sum)) way.time.back() = std::nan("");
}

// Returns how far its impulses are from those of (29), over the largest.
double try_banded(const StepMatrices& ladder, const Sides& sides, int times, Way& way) {
  const Sparse S = ladder.make_schur(Sigma);
  way.entries.push_back(Banded(S).entries());
  VecX lambda;
  way.time.push_back(time_quickest(times, [&] { lambda = Banded(S).solve(sides.schur); }));
  const BySymmetricOrder reference(ladder.make_large(Sigma));
  const VecX x = reference.solve(sides.large);
  const VecX difference = lambda + x.tail(lambda.size());
  return difference.lpNorm<Eigen::Infinity>() / lambda.lpNorm<Eigen::Infinity>();
}

StepMatrices lay_ladder(int cells) {
  StepMatrices ladder(catch_ladder(cells));
  ladder.keep_plane();
  ladder.sort_rows();
  return ladder;
}

void add_claim(std::string text, double expected, double measured, Band band, const char* reason,
               Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "section 4",
                      .expected = expected,
                      .measured = measured,
                      .tolerance = band,
                      .reason = reason});
}

void add_ladder_claims(const std::vector<double>& cells, std::span<const Way> ways,
                       const Effort& effort, Experiment& e) {
  for (const Way& way : ways)
    add_claim(fmt::format("Entries of the factors of a ladder, {}: exponent in N", way.label), 1.0,
              fit_order(cells, way.entries), {0.95, 1.05}, "counted; the ends have fewer", e);
  if (effort.quick) return;  // short ladders tell nothing about time
  for (const Way& way : ways)
    add_claim(fmt::format("Processor time, {}, N = 100 … 4000: exponent", way.label), way.given,
              fit_order(cells, way.time), {0.7, 1.3},
              "a long ladder leaves the caches, and the machine has other work", e);
  const double natural = ways[0].time[3], colamd = ways[1].time[3], banded = ways[2].time[3];
  add_claim("N = 2000: time of the large matrix, the better order, over that of (30) with its band",
            39.0 / 15.6, std::min(natural, colamd) / banded, above(1.0),
            "whole steps of other codes in the notes: that (30) is faster is what is asked", e);
  e.claims.back().correction =
      "Section 4 advises against the Schur complement (30). On a ladder its band makes it the "
      "faster one.";
}

Figure draw(const std::vector<double>& cells, std::span<const Way> ways) {
  Figure figure{.title = "Entries of the factors of a ladder",
                .x = {.label = "N", .logarithmic = true},
                .y = {.label = "entries", .logarithmic = true}};
  for (const Way& way : ways)
    figure.curves.push_back({.label = way.label, .x = cells, .y = way.entries, .mark = Mark::both});
  figure.curves[1].dash = 1;  // it hides the first
  return figure;
}

void add_ladders(const Effort& effort, Experiment& e) {
  Way ways[] = {{"(29) as it stands", 1.07},
                {"(29) by columns (COLAMD)", 1.10},
                {"(30) with its band", 0.95}};
  const std::vector<double> cells = effort.quick ? std::vector<double>{50, 100, 200}
                                                 : std::vector<double>{100, 500, 1000, 2000, 4000};
  Table table{.caption = effort.quick ? "Factors and solution, in the plane: entries / time [ms]"
                                      : "Factors and solution, in the plane: entries / time [ms]. "
                                        "In the notes whole steps by (29) took 1.7, 11, 22, 39 and "
                                        "83 ms, and 15.6 ms by (30) for N = 2000",
              .head = {"N", ways[0].label, ways[1].label, ways[2].label}};
  const int times = effort.quick ? 1 : 5;
  double distance = 0.0;
  for (const double n : cells) {
    const StepMatrices ladder = lay_ladder(static_cast<int>(n));
    const Sides sides(ladder);
    const Sparse K = ladder.make_large(Sigma);
    try_large<InNaturalOrder>(K, sides.large, times, ways[0]);
    try_large<ByColamd>(K, sides.large, times, ways[1]);
    distance = std::max(distance, try_banded(ladder, sides, times, ways[2]));
    std::vector<std::string> row{fmt::format("{}", n)};
    for (const Way& way : ways)
      row.push_back(fmt::format("{:.3g} / {:.3g}", way.entries.back(), way.time.back()));
    table.rows.push_back(std::move(row));
  }
  const int width = find_bandwidth(lay_ladder(100).make_schur(Sigma));
  add_claim("Bandwidth of (30), rows in the order of the rods along the ladder", 13.0, width,
            {9.0, 17.0},
            "11 rows a cell, and each reaches those of its cell and of the next; which of a cell "
            "are first is not given",
            e);
  add_claim("Impulses by the band against those of (29), over the largest", 0.0, distance,
            below(1e-9), "roundings, raised by the condition of S", e);
  add_ladder_claims(cells, ways, effort, e);
  e.pictures.push_back({"entries", draw(cells, ways), "Entries, by three ways to order a step"});
  e.tables.push_back(std::move(table));
}

// The star of 800 joints by three ways.
void add_star(Experiment& e) {
  const StepMatrices star(catch_star(800));
  const Sparse K = star.make_large(Sigma);
  double diagonal = 0.0;
  const double symmetric =
      time_quickest(5, [&] { diagonal += BySymmetricOrder(K).vectorD().sum(); });
  const MatX S = star.make_schur(Sigma);
  const double dense =
      time_quickest(1, [&] { diagonal += Eigen::LLT<MatX>(S).matrixLLT().diagonal().sum(); });
  double entries = 0.0;
  const double colamd = time_quickest(1, [&] {
    const ByColamd solver(K);
    entries = static_cast<double>(solver.nnzL() + solver.nnzU());
  });
  const char* reason =
      "of other codes on another machine in the notes: a small part of it is asked";
  const bool looked_at = std::isfinite(diagonal);
  add_claim(
      "Star of 800 joints: time of Cholesky's factor of (30), dense, over that of (29) in a "
      "symmetric order",
      6300.0 / 30.0, looked_at ? dense / symmetric : 0.0, above(5.0), reason, e);
  add_claim("… of (29) by columns (COLAMD) with partial pivoting, over it", 8600.0 / 30.0,
            colamd / symmetric, above(5.0), reason, e);
  e.claims.push_back({.text = "… entries of its factors",
                      .source = "section 4",
                      .expected = 5.2e6,
                      .measured = entries,
                      .unknown = "how its code breaks ties, and which zeros it counts"});
  e.tables.push_back(
      {.caption = "Star of 800 joints: time of the factors [ms]",
       .head = {"way", "here", "in the notes"},
       .rows = {{"(29) in a symmetric order", fmt::format("{:.3g}", symmetric), "30"},
                {"(30), dense", fmt::format("{:.3g}", dense), "6300"},
                {"(29) by columns", fmt::format("{:.3g}", colamd), "8600"}}});
}

}  // namespace

Experiment run_elimination_cost(const Effort& effort) {
  Experiment e{.title = "What orders of elimination cost",
               .source = "section 4",
               .paper_says =
                   "The large sparse matrix (29) is to be preferred to its Schur complement (30), "
                   "which may be dense.",
               .we_did =
                   "Ladders in the plane after half a second of fall, rows in the order of the "
                   "rods: Eigen's LU of the large matrix, velocities before impulses or by an "
                   "order of columns, both with partial pivoting, and Cholesky's factor of the "
                   "Schur complement within its band, written out. "
                   "The star of the experiment on elimination, timed" +
                   std::string(effort.quick ? " (not in a quick run)." : ".")};
  add_ladders(effort, e);
  if (!effort.quick) add_star(e);
  e.remarks = {
      "The engine does neither: it eliminates bodies before rows, blocks at a time, and keeps "
      "bodies with many joints in the matrix, so that ladders and stars are both sparse."};
  return e;
}

}  // namespace ligament::papers
