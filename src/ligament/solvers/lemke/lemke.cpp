// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/lemke/lemke.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ligament/problem/velocity_error.h"

namespace ligament::lemke {
namespace {

class Builder {
 public:
  Builder(const Lemke& options, const StepProblem& problem, LemkeWorkspace& work)
      : options_(options),
        problem_(problem),
        work_(work),
        unknowns_(work.unknowns),
        shift_(work.shift.vector(problem.rows())) {}

  // The unknowns of all laws; rows that are held at a given impulse have none.
  void list() {
    work_.equalities.clear();
    work_.bounded.clear();
    work_.unknowns.clear();
    shift_.setZero();
    for (std::size_t i = 0; i < problem_.laws.size(); ++i) {
      block_ = problem_.G.blocks[i];
      std::visit(*this, problem_.laws[i]);
    }
  }

  void operator()(const Equality&) {
    for (int r = 0; r < block_.rows; ++r) work_.equalities.push_back(block_.first_row + r);
  }
  void operator()(const Unilateral&) {
    for (int r = 0; r < block_.rows; ++r) add_push(block_.first_row + r);
  }
  void operator()(const Box& box) {
    for (int r = 0; r < block_.rows; ++r) {
      const int row = block_.first_row + r;
      if (box.normal >= 0)
        add_friction(row, 1, {.kind = Unknown::slip, .normal = box.normal, .mu = box.mu});
      else
        add_box(row, box.lower, box.upper);
    }
  }
  void operator()(const Disc& disc) {
    add_friction(block_.first_row, block_.rows,
                 {.kind = Unknown::slip,
                  .bound = disc.normal >= 0 ? 0.0 : disc.radius,
                  .normal = disc.normal,
                  .mu = disc.mu});
  }
  void operator()(const Coulomb& law) {
    add_push(block_.first_row);
    if (block_.rows > 1)
      add_friction(block_.first_row + 1, block_.rows - 1,
                   {.kind = Unknown::slip, .normal = block_.first_row, .mu = law.mu});
  }
  void operator()(const Cone&) {}  // not supported, see supports_laws

 private:
  void add_push(int row) {
    work_.bounded.push_back(row);
    unknowns_.push_back({.row = row});
  }
  // λ = lower + β,  0 ≤ w + σ ⟂ β ≥ 0,  0 ≤ upper − lower − β ⟂ σ ≥ 0
  void add_box(int row, double lower, double upper) {
    work_.bounded.push_back(row);
    shift_(row) = lower;
    if (!(upper > lower)) return;
    const int slip = static_cast<int>(unknowns_.size()) + 1;
    unknowns_.push_back({.row = row, .group = slip});
    unknowns_.push_back({.kind = Unknown::upper, .bound = upper - lower});
  }
  void add_friction(int row, int rows, const Unknown& slip) {
    const int pairs = rows == 1 ? 1 : options_.directions;
    for (int r = 0; r < rows; ++r) work_.bounded.push_back(row + r);
    const int group = static_cast<int>(unknowns_.size()) + 2 * pairs;
    for (int k = 0; k < 2 * pairs; ++k) {
      const double angle = std::numbers::pi * k / pairs;
      Eigen::Vector2d d(std::cos(angle), std::sin(angle));
      if (rows == 1) d = {k == 0 ? 1.0 : -1.0, 0.0};
      unknowns_.push_back({.row = row, .direction = d, .group = group});
    }
    unknowns_.push_back(slip);
  }

  const Lemke& options_;
  const StepProblem& problem_;
  LemkeWorkspace& work_;
  std::vector<Unknown>& unknowns_;
  VecView shift_;
  RowBlock block_;
};

// Row r of a block times u.
double multiply_row(const BlockRows& G, const RowBlock& block, int r, const VecX& u) {
  double sum = 0.0;
  for (const BlockEntry& entry : G.entries_of(block))
    for (int c = 0; c < entry.columns; ++c)
      sum += G.entry_values(entry)[c * block.rows + r] * u(entry.column + c);
  return sum;
}

// S = G M⁻¹ Gᵀ + Σ and G u_free − b, dense.
void compute_schur(const StepProblem& problem, LemkeWorkspace& work) {
  const BlockRows& G = problem.G;
  MatView S = work.S.matrix(problem.rows(), problem.rows());
  VecView free_speed = work.free_speed.vector(problem.rows());
  work.row.resize(problem.columns());
  work.moved.resize(problem.columns());
  const auto fill = [&](auto&& column) {
    for (const RowBlock& block : G.blocks)
      for (int r = 0; r < block.rows; ++r)
        column(block.first_row + r) = multiply_row(G, block, r, work.moved);
  };
  for (const RowBlock& block : G.blocks)
    for (int r = 0; r < block.rows; ++r) {
      work.row.setZero();
      for (const BlockEntry& entry : G.entries_of(block))
        for (int c = 0; c < entry.columns; ++c)
          work.row(entry.column + c) += G.entry_values(entry)[c * block.rows + r];
      multiply_inverse(problem.M, work.row, work.moved);
      fill(S.col(block.first_row + r));
    }
  S.diagonal() += problem.Sigma;
  multiply_inverse(problem.M, problem.p, work.moved);
  fill(free_speed);
  free_speed -= problem.b;
}

Eigen::Index size_of(const std::vector<int>& rows) {
  return static_cast<Eigen::Index>(rows.size());
}

// The right-hand side of the equalities, with an impulse in another row.
void gather(const LemkeWorkspace& work, const MatView& S, int row, VecView out) {
  for (Eigen::Index i = 0; i < size_of(work.equalities); ++i)
    out(i) = S(work.equalities[static_cast<std::size_t>(i)], row);
}

// W = S_BB − S_BE S_E⁻¹ S_EB, and the speeds r of the bounded rows with no impulse but those given.
void eliminate_equalities(const StepProblem& problem, LemkeWorkspace& work) {
  const auto &E = work.equalities, &B = work.bounded;
  const MatView S = work.S.matrix(problem.rows(), problem.rows());
  const VecView free_speed = work.free_speed.vector(problem.rows());
  const VecView shift = work.shift.vector(problem.rows());
  MatView S_E = work.of_equalities.begin(size_of(E));
  for (Eigen::Index j = 0; j < size_of(E); ++j)
    gather(work, S, E[static_cast<std::size_t>(j)], VecView(S_E.col(j).data(), size_of(E)));
  work.of_equalities.factor();

  MatView W = work.W.matrix(size_of(B), size_of(B));
  VecView r = work.speed.vector(size_of(B)), x = work.column.vector(size_of(E));
  const auto subtract = [&](auto&& out) {  // out −= S_BE S_E⁻¹ x
    work.of_equalities.solve(x);
    for (Eigen::Index i = 0; i < size_of(B); ++i)
      for (Eigen::Index e = 0; e < size_of(E); ++e)
        out(i) -= S(B[static_cast<std::size_t>(i)], E[static_cast<std::size_t>(e)]) * x(e);
  };
  for (Eigen::Index j = 0; j < size_of(B); ++j) {
    const int column = B[static_cast<std::size_t>(j)];
    for (Eigen::Index i = 0; i < size_of(B); ++i)
      W(i, j) = S(B[static_cast<std::size_t>(i)], column);
    gather(work, S, column, x);
    subtract(W.col(j));
  }
  const auto speed_of = [&](int row) { return free_speed(row) + S.row(row).dot(shift); };
  for (Eigen::Index i = 0; i < size_of(B); ++i) r(i) = speed_of(B[static_cast<std::size_t>(i)]);
  for (Eigen::Index i = 0; i < size_of(E); ++i) x(i) = speed_of(E[static_cast<std::size_t>(i)]);
  subtract(r);
}

// The places of the rows of an unknown among those that are bounded, and what it does in them.
struct Reach {
  std::array<Eigen::Index, 2> at{};
  std::array<double, 2> part{};
  int count = 0;
};
Reach find_reach(const Unknown& unknown, const std::vector<int>& bounded) {
  Reach reach;
  if (unknown.kind != Unknown::impulse) return reach;
  // Rows are listed in their order.
  const auto first = std::ranges::lower_bound(bounded, unknown.row);
  for (int k = 0; k < 2; ++k) {
    if (unknown.direction(k) == 0.0) continue;
    const auto i = static_cast<std::size_t>(reach.count++);
    reach.at[i] = first - bounded.begin() + k;
    reach.part[i] = unknown.direction(k);
  }
  return reach;
}

// A and q of [LE.1] from W and r of the bounded rows.                                     [LE.2]
void fill_complementarity(LemkeWorkspace& work) {
  const std::vector<Unknown>& unknowns = work.unknowns;
  const auto n = static_cast<Eigen::Index>(unknowns.size()), rows = size_of(work.bounded);
  const MatView W = work.W.matrix(rows, rows);
  const VecView r = work.speed.vector(rows);
  MatView A = work.A.matrix(n, n);
  VecView q = work.q.vector(n);
  A.setZero();
  q.setZero();
  for (Eigen::Index j = 0; j < n; ++j) {
    const Reach of_j = find_reach(unknowns[static_cast<std::size_t>(j)], work.bounded);
    for (std::size_t b = 0; b < static_cast<std::size_t>(of_j.count); ++b) {
      q(j) += of_j.part[b] * r(of_j.at[b]);
      for (Eigen::Index i = 0; i < n; ++i) {
        const Reach of_i = find_reach(unknowns[static_cast<std::size_t>(i)], work.bounded);
        for (std::size_t a = 0; a < static_cast<std::size_t>(of_i.count); ++a)
          A(i, j) += of_i.part[a] * W(of_i.at[a], of_j.at[b]) * of_j.part[b];
      }
    }
  }
  for (Eigen::Index at = 0; at < n; ++at) {
    const Unknown& unknown = unknowns[static_cast<std::size_t>(at)];
    if (unknown.group >= 0) {
      A(at, unknown.group) = 1.0;
      A(unknown.group, at) = -1.0;
    }
    if (unknown.kind == Unknown::impulse) continue;
    q(at) = unknown.bound;
    if (unknown.normal < 0) continue;
    const auto normal = std::ranges::find_if(unknowns, [&](const Unknown& other) {
      return other.kind == Unknown::impulse && other.group < 0 && other.row == unknown.normal;
    });
    if (normal != unknowns.end()) A(at, normal - unknowns.begin()) = unknown.mu;
  }
}

// Rows and columns of impulses scaled so that the diagonal is 1; q to the size 1, as the covering
// vector has it. Returns the size that it had.
double scale_complementarity(LemkeWorkspace& work) {
  const auto n = static_cast<Eigen::Index>(work.unknowns.size());
  MatView A = work.A.matrix(n, n);
  VecView q = work.q.vector(n), scale = work.scale.vector(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool impulse = work.unknowns[static_cast<std::size_t>(i)].kind == Unknown::impulse;
    scale(i) = impulse && A(i, i) > 0.0 ? 1.0 / std::sqrt(A(i, i)) : 1.0;
  }
  for (Eigen::Index j = 0; j < n; ++j)
    A.col(j) = (A.col(j).array() * scale.array() * scale(j)).matrix();
  q.array() *= scale.array();
  const double size = n > 0 ? std::max(q.lpNorm<Eigen::Infinity>(), 1e-300) : 1.0;
  q /= size;
  return size;
}

// λ of all rows from the unknowns.
void expand(const StepProblem& problem, LemkeWorkspace& work, VecX& lambda) {
  const auto n = static_cast<Eigen::Index>(work.unknowns.size());
  const auto& E = work.equalities;
  const VecView z = work.z.vector(n);
  lambda = work.shift.vector(problem.rows());
  for (Eigen::Index j = 0; j < n; ++j) {
    const Reach reach = find_reach(work.unknowns[static_cast<std::size_t>(j)], work.bounded);
    for (std::size_t a = 0; a < static_cast<std::size_t>(reach.count); ++a)
      lambda(work.bounded[static_cast<std::size_t>(reach.at[a])]) += reach.part[a] * z(j);
  }
  if (E.empty()) return;
  const MatView S = work.S.matrix(problem.rows(), problem.rows());
  const VecView free_speed = work.free_speed.vector(problem.rows());
  VecView x = work.column.vector(size_of(E));
  for (Eigen::Index i = 0; i < size_of(E); ++i) {  // λ_E is still zero
    const int row = E[static_cast<std::size_t>(i)];
    x(i) = -free_speed(row) - S.row(row).dot(lambda);
  }
  work.of_equalities.solve(x);
  for (Eigen::Index i = 0; i < size_of(E); ++i) lambda(E[static_cast<std::size_t>(i)]) = x(i);
}

SolveStatus status_of(Pivoting pivoting) {
  return pivoting == Pivoting::solved ? SolveStatus::solved : SolveStatus::not_converged;
}

}  // namespace

bool supports_laws(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws, [](const Law& law) {
    if (const Box* box = std::get_if<Box>(&law); box && box->normal < 0)
      return std::isfinite(box->lower) && std::isfinite(box->upper);
    return !std::holds_alternative<Cone>(law);
  });
}

SolveReport solve_lemke(const Lemke& options, const StepProblem& problem, LemkeWorkspace& work,
                        StepSolution& solution) {
  SolveReport report;
  Builder(options, problem, work).list();
  const int n = static_cast<int>(work.unknowns.size());
  if (n > options.max_unknowns || problem.rows() > 4 * options.max_unknowns) {
    report.status = SolveStatus::too_large;
    return report;
  }
  compute_schur(problem, work);
  eliminate_equalities(problem, work);
  const Eigen::Index rows = size_of(work.bounded);
  if (!work.W.matrix(rows, rows).allFinite() || !work.speed.vector(rows).allFinite()) {
    report.status = SolveStatus::singular;
    return report;
  }
  fill_complementarity(work);
  const double size = scale_complementarity(work);
  VecView z = work.z.vector(n);
  report.status = status_of(work.complementarity.solve(work.A.matrix(n, n), work.q.vector(n),
                                                       options.pivots_per_row * n, z));
  report.iterations = work.complementarity.pivots();
  if (report.status != SolveStatus::solved)
    report.end =
        report.iterations < options.pivots_per_row * n ? SolveEnd::stalled : SolveEnd::iterations;
  report.factorizations = 1;
  report.work = 2.0 * n * n * report.iterations +
                static_cast<double>(problem.rows()) * problem.rows() * problem.columns();
  z.array() *= size * work.scale.vector(n).array();
  expand(problem, work, solution.lambda);
  report.velocity_error = judge_impulses(problem, solution, work.scratch).relative();
  if (!solution.u.allFinite()) report.status = SolveStatus::singular;
  return report;
}

}  // namespace ligament::lemke
