// SPDX-License-Identifier: Apache-2.0
#include "papers/vi_2011/coulomb_loops.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "ligament/problem/relative_residual.h"
#include "papers/vi_2011/cone_problems.h"

namespace ligament::papers::vi {
namespace {

constexpr double mu = 0.5;
constexpr double tolerance = 1e-10;  // of a pass

// One convex problem, from the impulses of the last.
class Passes {
 public:
  explicit Passes(StepProblem problem) : problem_(std::move(problem)) {}
  StepProblem& problem() { return problem_; }
  const VecX& solve_next() {
    const auto is_solved = [&](const Solver& solver) {
      return solve(solver, problem_, workspace_, solution_).status == SolveStatus::solved;
    };
    // Newton's method is quick where the bounds hardly changed.
    if (!is_solved(Newton{.max_iterations = 20, .tolerance = tolerance, .max_sweeps = 0}) &&
        !is_solved(InteriorPoint{.tolerance = tolerance}))
      throw std::runtime_error("a pass of a loop was not solved");
    return solution_.lambda;
  }

 private:
  StepProblem problem_;
  SolverWorkspace workspace_;
  StepSolution solution_;
};

// Anderson's mixing: of the last `depth` passes x ↦ f(x) the combination with the least f − x.
class Mixing {
 public:
  explicit Mixing(std::size_t depth) : depth_(depth) {}
  VecX next(const VecX& x, const VecX& f) {
    xs_.push_back(x);
    fs_.push_back(f);
    if (xs_.size() > depth_ + 1) xs_.pop_front(), fs_.pop_front();
    const auto n = static_cast<Eigen::Index>(xs_.size()) - 1;
    if (n < 1) return f;
    MatX residuals(x.size(), n), images(x.size(), n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      images.col(k) = fs_[at + 1] - fs_[at];
      residuals.col(k) = images.col(k) - (xs_[at + 1] - xs_[at]);
    }
    const VecX share = residuals.colPivHouseholderQr().solve(f - x);
    return f - images * share;
  }

 private:
  std::size_t depth_;
  std::deque<VecX> xs_, fs_;
};

// The same rows, each contact a normal block and a tangential one within a disc.
StepProblem split_contacts(const StepProblem& given) {
  StepProblem out;
  out.M = given.M;
  for (const RowBlock& block : given.G.blocks)
    for (const int rows : {1, 2}) {
      std::vector<int> bodies;
      for (const BlockEntry& entry : given.G.entries_of(block)) bodies.push_back(entry.body);
      out.G.add_block(rows, bodies, out.M);
      const RowBlock& part = out.G.blocks.back();
      for (int e = 0; e < part.entries; ++e) {
        const BlockEntry& from = given.G.entries[static_cast<std::size_t>(block.first_entry + e)];
        const BlockEntry& to = out.G.entries[static_cast<std::size_t>(part.first_entry + e)];
        for (int c = 0; c < to.columns; ++c)
          for (int r = 0; r < rows; ++r)
            out.G.entry_values(to)[c * rows + r] =
                given.G.entry_values(from)[c * block.rows + r + rows - 1];
      }
    }
  out.G.columns = given.G.columns;
  resize_to_structure(out);
  out.p = given.p;
  out.Sigma = given.Sigma;
  out.b = given.b;
  for (std::size_t i = 0; i < out.laws.size(); ++i)
    out.laws[i] = i % 2 == 0 ? Law(Unilateral{}) : Law(Disc{});
  return out;
}

}  // namespace

double Loop::find_rate() const {
  std::size_t end = residuals.size();
  while (end > 11 && residuals[end - 1] < 1e-11) --end;
  return end <= 11 ? std::nan("") : std::pow(residuals[end - 1] / residuals[end - 11], 0.1);
}

double Loop::count_passes(double residual) const {
  const auto first =
      std::ranges::find_if(residuals, [&](double found) { return found <= residual; });
  return static_cast<double>(first - residuals.begin() + 1);
}

double residual_of(const StepProblem& coulomb, const VecX& lambda) {
  return compute_relative_residual(coulomb,
                                   {.u = find_velocities(coulomb, lambda), .lambda = lambda});
}

Loop iterate_lift(const StepProblem& given, int passes, std::size_t memory) {
  Passes cones(given);
  std::ranges::fill(cones.problem().laws, Law(Cone{mu}));
  const auto contacts = static_cast<Eigen::Index>(given.G.blocks.size());
  VecX lift = VecX::Zero(contacts), next(contacts), w(given.rows());
  Mixing mixing(memory);
  Loop out;
  for (int pass = 0; pass < passes; ++pass) {
    for (Eigen::Index i = 0; i < contacts; ++i) {
      const int row = given.G.blocks[static_cast<std::size_t>(i)].first_row;
      cones.problem().b(row) = given.b(row) - lift(i);
    }
    out.lambda = cones.solve_next();
    out.residuals.push_back(residual_of(given, out.lambda));
    multiply(given.G, find_velocities(given, out.lambda), w);
    w += given.Sigma.cwiseProduct(out.lambda) - given.b;
    for (Eigen::Index i = 0; i < contacts; ++i)
      next(i) = mu * w.segment<2>(given.G.blocks[static_cast<std::size_t>(i)].first_row + 1).norm();
    lift = memory > 0 ? VecX(mixing.next(lift, next).cwiseMax(0.0)) : next;
  }
  return out;
}

Loop iterate_cylinders(const StepProblem& given, int passes, double relaxation) {
  Passes cylinders(split_contacts(given));
  VecX bound = VecX::Zero(static_cast<Eigen::Index>(given.G.blocks.size()));
  Loop out;
  for (int pass = 0; pass < passes; ++pass) {
    out.lambda = cylinders.solve_next();
    out.residuals.push_back(residual_of(given, out.lambda));
    for (Eigen::Index i = 0; i < bound.size(); ++i) {
      bound(i) += relaxation * (out.lambda(3 * i) - bound(i));
      cylinders.problem().laws[static_cast<std::size_t>(2 * i + 1)] = Disc{.radius = mu * bound(i)};
    }
  }
  return out;
}

Swept sweep_to_rest(const StepProblem& coulomb) {
  SolverWorkspace workspace;
  StepSolution solution;
  const GaussSeidel hundred{
      .max_sweeps = 100, .tolerance = 0.0, .local = LocalSolve::exact, .momentum = false};
  Swept out;
  do {
    solve(hundred, coulomb, workspace, solution);
    out.sweeps += 100;
  } while (out.sweeps <= most_sweeps && !(residual_of(coulomb, solution.lambda) <= 1e-11));
  out.lambda = solution.lambda;
  return out;
}

}  // namespace ligament::papers::vi
