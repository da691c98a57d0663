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

// Adds to the times of a way, or makes the one of this length less.
void note_time(std::size_t length, double milliseconds, Way& way) {
  if (way.time.size() == length) way.time.push_back(milliseconds);
  way.time[length] = std::min(way.time[length], milliseconds);
}

template <class Solver>
void time_solver(std::size_t length, const Sparse& K, const VecX& right, Way& way) {
  double sum = 0.0;  // somebody must look at the solution
  const double time = time_quickest(1, [&] { sum += Solver(K).solve(right).sum(); });
  note_time(length, std::isfinite(sum) ? time : std::nan(""), way);
}

template <class Solver>
double count_entries(const Sparse& K) {
  const Solver solver(K);
  return static_cast<double>(solver.nnzL() + solver.nnzU());
}

// A ladder, ready to be eliminated.
struct Laid {
  StepMatrices ladder;
  Sides sides;
  Sparse K, S;

  explicit Laid(double cells);
  // How far the impulses by the band are from those of (29), over the largest.
  double compare() const {
    const VecX lambda = Banded(S).solve(sides.schur);
    const VecX x = BySymmetricOrder(K).solve(sides.large);
    const VecX difference = lambda + x.tail(lambda.size());
    return difference.lpNorm<Eigen::Infinity>() / lambda.lpNorm<Eigen::Infinity>();
  }
};

StepMatrices lay_ladder(int cells) {
  StepMatrices ladder(catch_ladder(cells));
  ladder.keep_plane();
  ladder.sort_rows();
  return ladder;
}

Laid::Laid(double cells)
    : ladder(lay_ladder(static_cast<int>(cells))),
      sides(ladder),
      K(ladder.make_large(Sigma)),
      S(ladder.make_schur(Sigma)) {}

void add_claim(std::string text, double expected, double measured, Band band, const char* reason,
               Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "section 4",
                      .expected = expected,
                      .measured = measured,
                      .tolerance = band,
                      .reason = reason});
}

void add_number(const char* text, double expected, double measured, const char* unknown,
                Experiment& e) {
  add_claim(text, expected, measured, {}, "", e);
  e.claims.back().unknown = unknown;
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
  const double ratio = std::min(natural, colamd) / banded;
  add_number(
      "N = 2000: time of the large matrix, the better order, over that of (30) with its band",
      39.0 / 15.6, ratio, "what else is in the whole steps that it times, and its codes", e);
  add_claim("… (30) is faster: that ratio is above", 1.0, ratio, above(1.0), "of either code", e);
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
  std::vector<Laid> laid;
  double distance = 0.0;
  for (const double n : cells) {
    const Laid& one = laid.emplace_back(n);
    ways[0].entries.push_back(count_entries<InNaturalOrder>(one.K));
    ways[1].entries.push_back(count_entries<ByColamd>(one.K));
    ways[2].entries.push_back(Banded(one.S).entries());
    distance = std::max(distance, one.compare());
  }
  // Round by round, so that what else the machine does is in the way of all lengths alike.
  for (int round = 0; round < (effort.quick ? 1 : 6); ++round)
    for (std::size_t i = 0; i < laid.size(); ++i) {
      time_solver<InNaturalOrder>(i, laid[i].K, laid[i].sides.large, ways[0]);
      time_solver<ByColamd>(i, laid[i].K, laid[i].sides.large, ways[1]);
      time_solver<Banded>(i, laid[i].S, laid[i].sides.schur, ways[2]);
    }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<std::string> row{fmt::format("{}", cells[i])};
    for (const Way& way : ways)
      row.push_back(fmt::format("{:.3g} / {:.3g}", way.entries[i], way.time[i]));
    table.rows.push_back(std::move(row));
  }
  const int width = find_bandwidth(lay_ladder(100).make_schur(Sigma));
  add_number("Bandwidth of (30), rows in the order of the rods along the ladder", 13.0, width,
             "which rows of a cell are first", e);
  add_claim("… it does not grow with the ladder: at 200 cells over that at 100", 1.0,
            find_bandwidth(lay_ladder(200).make_schur(Sigma)) / static_cast<double>(width),
            exactly(1.0), "a count: rows reach those of their cell and of the next", e);
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
  const bool looked_at = std::isfinite(diagonal);
  const double by_schur = looked_at ? dense / symmetric : 0.0, by_columns = colamd / symmetric;
  const char* codes = "its codes and their machine";
  add_number(
      "Star of 800 joints: time of Cholesky's factor of (30), dense, over that of (29) in a "
      "symmetric order",
      6300.0 / 30.0, by_schur, codes, e);
  add_number("… of (29) by columns (COLAMD) with partial pivoting, over it", 8600.0 / 30.0,
             by_columns, codes, e);
  add_claim("… the symmetric order is faster: the smaller ratio is above", 1.0,
            std::min(by_schur, by_columns), above(1.0), "of either code", e);
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
