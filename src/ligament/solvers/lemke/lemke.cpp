// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/lemke/lemke.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ligament/problem/velocity_error.h"

namespace ligament::lemke {
namespace {

// An unknown of the complementarity problem.
struct Unknown {
  enum Kind : unsigned char { impulse, slip, upper } kind = impulse;
  int row = -1;                            // impulse: first row that it acts in
  Eigen::Vector2d direction = {1.0, 0.0};  // and along what, in this row and the next
  int group = -1;                          // friction: unknown of its slip multiplier
  double bound = 0.0;                      // slip, upper: given part of the bound [N s]
  int normal = -1;                         // slip: row of the normal impulse, −1: none
  double mu = 0.0;
};

class Builder {
 public:
  Builder(const Lemke& options, const StepProblem& problem, LemkeWorkspace& work)
      : options_(options), problem_(problem), work_(work) {}

  // The unknowns of all laws; rows that are held at a given impulse have none.
  void list() {
    work_.equalities.clear();
    work_.bounded.clear();
    work_.shift.setZero(problem_.rows());
    for (std::size_t i = 0; i < problem_.laws.size(); ++i) {
      block_ = problem_.G.blocks[i];
      std::visit(*this, problem_.laws[i]);
    }
  }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }

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
    work_.shift(row) = lower;
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
  RowBlock block_;
  std::vector<Unknown> unknowns_;
};

// S and G u_free − b, dense.
void compute_schur(const StepProblem& problem, LemkeWorkspace& work) {
  work.G = make_dense(problem.G);
  work.inverse_M_Gt.resize(problem.columns(), problem.rows());
  VecX column(problem.columns()), moved(problem.columns());
  for (int r = 0; r < problem.rows(); ++r) {
    column = work.G.row(r).transpose();
    multiply_inverse(problem.M, column, moved);
    work.inverse_M_Gt.col(r) = moved;
  }
  work.S.noalias() = work.G * work.inverse_M_Gt;
  work.S.diagonal() += problem.Sigma;
  multiply_inverse(problem.M, problem.p, moved);
  work.free_speed = work.G * moved - problem.b;
}

// λ_B = expand z + shift_B.
void fill_expansion(const std::vector<Unknown>& unknowns, LemkeWorkspace& work) {
  std::vector<int> place(static_cast<std::size_t>(work.S.rows()), -1);
  for (std::size_t i = 0; i < work.bounded.size(); ++i)
    place[static_cast<std::size_t>(work.bounded[i])] = static_cast<int>(i);
  work.expand.setZero(static_cast<Eigen::Index>(work.bounded.size()),
                      static_cast<Eigen::Index>(unknowns.size()));
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    const Unknown& unknown = unknowns[j];
    if (unknown.kind != Unknown::impulse) continue;
    for (int k = 0; k < 2; ++k)
      if (unknown.direction(k) != 0.0)
        work.expand(place[static_cast<std::size_t>(unknown.row + k)],
                    static_cast<Eigen::Index>(j)) = unknown.direction(k);
  }
}

// A and q of [LE.1] from the Schur complement W of the bounded rows and their speeds r.  [LE.2]
void fill_complementarity(const std::vector<Unknown>& unknowns, const MatX& W, const VecX& r,
                          LemkeWorkspace& work) {
  work.A.noalias() = work.expand.transpose() * W * work.expand;
  work.q = work.expand.transpose() * r;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const Unknown& unknown = unknowns[i];
    const auto at = static_cast<Eigen::Index>(i);
    if (unknown.group >= 0) {
      work.A(at, unknown.group) = 1.0;
      work.A(unknown.group, at) = -1.0;
    }
    if (unknown.kind == Unknown::impulse) continue;
    work.q(at) = unknown.bound;
    if (unknown.normal < 0) continue;
    const auto normal = std::ranges::find_if(unknowns, [&](const Unknown& other) {
      return other.kind == Unknown::impulse && other.group < 0 && other.row == unknown.normal;
    });
    if (normal != unknowns.end()) work.A(at, normal - unknowns.begin()) = unknown.mu;
  }
}

// Rows and columns of impulses scaled so that the diagonal is 1.
VecX compute_scales(const std::vector<Unknown>& unknowns, const MatX& A) {
  VecX scale = VecX::Ones(A.rows());
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if (unknowns[i].kind == Unknown::impulse && A(at, at) > 0.0)
      scale(at) = 1.0 / std::sqrt(A(at, at));
  }
  return scale;
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
  Builder builder(options, problem, work);
  builder.list();
  const std::vector<Unknown>& unknowns = builder.unknowns();
  if (static_cast<int>(unknowns.size()) > options.max_unknowns ||
      problem.rows() > 4 * options.max_unknowns) {
    report.status = SolveStatus::too_large;
    return report;
  }
  compute_schur(problem, work);
  fill_expansion(unknowns, work);
  const auto &E = work.equalities, &B = work.bounded;
  work.S_E = work.S(E, E);
  const Eigen::PartialPivLU<MatX> factor =
      E.empty() ? Eigen::PartialPivLU<MatX>() : Eigen::PartialPivLU<MatX>(work.S_E);
  // W = S_BB − S_BE S_E⁻¹ S_EB, and the speeds of the bounded rows with no impulse in them.
  MatX W = work.S(B, B);
  VecX r = work.free_speed(B) + work.S(B, B) * work.shift(B);
  if (!E.empty()) {
    const MatX S_EB = work.S(E, B);
    work.S_BE = work.S(B, E);
    const VecX right = work.free_speed(E) + S_EB * work.shift(B);
    W -= work.S_BE * factor.solve(S_EB);
    r -= work.S_BE * factor.solve(right);
  }
  if (!W.allFinite() || !r.allFinite()) {
    report.status = SolveStatus::singular;
    return report;
  }
  fill_complementarity(unknowns, W, r, work);
  const VecX scale = compute_scales(unknowns, work.A);
  work.A = scale.asDiagonal() * work.A * scale.asDiagonal();
  // The covering vector is 1: give q the size 1 too.
  const double size = std::max(work.q.cwiseProduct(scale).lpNorm<Eigen::Infinity>(), 1e-300);
  work.q = work.q.cwiseProduct(scale) / size;
  const int n = static_cast<int>(unknowns.size());
  report.status =
      status_of(work.complementarity.solve(work.A, work.q, options.pivots_per_row * n, work.z));
  report.iterations = work.complementarity.pivots();
  report.factorizations = 1;
  report.work = 2.0 * n * n * report.iterations +
                static_cast<double>(problem.rows()) * problem.rows() * problem.columns();
  work.z = work.z.cwiseProduct(scale) * size;

  solution.lambda = work.shift;
  solution.lambda(B) += work.expand * work.z;
  if (!E.empty()) {
    const VecX right = -work.free_speed(E) - work.S(E, B) * solution.lambda(B);
    const VecX of_equalities = factor.solve(right);
    solution.lambda(E) = of_equalities;
  }
  solution.u.resize(problem.columns());
  work.scratch.resize(problem.columns());
  multiply_transposed(problem.G, solution.lambda, work.scratch);
  work.scratch += problem.p;
  multiply_inverse(problem.M, work.scratch, solution.u);
  if (!solution.u.allFinite()) report.status = SolveStatus::singular;
  report.velocity_error = compute_velocity_error(problem, solution, work.scratch).relative();
  return report;
}

}  // namespace ligament::lemke
