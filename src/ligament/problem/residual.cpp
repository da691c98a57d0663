// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/residual.h"

#include <algorithm>
#include <cmath>

#include "ligament/math/cones.h"
#include "ligament/math/worst.h"

namespace ligament {
namespace {

// r of Coulomb's law in a block with the friction mu, from −w.
template <class Lambda, class MinusW>
Eigen::Vector3d coulomb_residual(double mu, double s, const Lambda& lambda, const MinusW& minus_w) {
  Eigen::Vector3d r = minus_w;
  r(0) -= mu * r.tail<2>().norm();  // [WA.5]
  r = lambda + r / s;
  project_onto_cone(mu, r);
  return (r - lambda) * s;
}

// How far two friction rows are from Coulomb's law if theirs is another that hangs on the row
// before them: bounds in each direction, or a disc.
double friction_error_of(const Law& law, const RowBlock& block, double s, const VecX& impulses,
                         const Eigen::Vector2d& minus_w) {
  if (block.rows != 2 || normal_row_of(law) < 0 || normal_row_of(law) != block.first_row - 1)
    return 0.0;
  const Box* box = std::get_if<Box>(&law);
  const double mu = box ? box->mu : std::get<Disc>(law).mu;
  const Eigen::Vector2d lambda = impulses.segment<2>(block.first_row);
  Eigen::Vector2d lawful = lambda + minus_w / s;
  project_onto_disc(mu * std::max(0.0, impulses(block.first_row - 1)), lawful);
  return s * (lawful - lambda).norm();
}

// rows holds −w on entry and r on exit for the blocks whose law is not an equality.  [WA.4]
void apply_laws(const StepProblem& problem, const StepSolution& solution, Residual& out) {
  if (solution.mobility.size() == problem.rows())
    out.mobility = solution.mobility;
  else
    compute_row_mobility(problem, out.mobility);
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const Law& law = problem.laws[i];
    if (std::holds_alternative<Equality>(law)) continue;
    const RowBlock& block = problem.G.blocks[i];
    const double s = out.mobility.segment(block.first_row, block.rows).maxCoeff();
    const auto lambda = solution.lambda.segment(block.first_row, block.rows);
    auto r = out.rows.segment(block.first_row, block.rows);
    const Coulomb* coulomb = std::get_if<Coulomb>(&law);
    const Cone* cone = std::get_if<Cone>(&law);
    if (block.rows == 3 && (coulomb || cone)) {
      const Eigen::Vector3d error =
          coulomb_residual(coulomb ? coulomb->mu : cone->mu, s, lambda, r);
      out.friction_error = std::max(out.friction_error, error.norm());
      if (coulomb) {
        out.rows.segment<3>(block.first_row) = error;
        continue;
      }
    }
    if (block.rows == 2)
      out.friction_error = std::max(out.friction_error,
                                    friction_error_of(law, block, s, solution.lambda, r.head<2>()));
    r = lambda + r / s;
    project(bounded_by(solution.lambda, law), r);
    r = (r - lambda) * s;
  }
}

}  // namespace

void compute_residual(const StepProblem& problem, const StepSolution& solution, Residual& out) {
  out.momentum.resize(problem.columns());
  out.impulse.resize(problem.columns());
  out.rows.resize(problem.rows());
  multiply_transposed(problem.G, solution.lambda, out.impulse);
  multiply(problem.M, solution.u, out.momentum);
  out.momentum = problem.p - out.momentum + out.impulse;
  multiply(problem.G, solution.u, out.rows);
  out.rows = problem.b - out.rows - problem.Sigma.cwiseProduct(solution.lambda);
  out.friction_error = 0.0;
  out.misses = out.rows;
  out.knows_mobility = !has_only_equalities(problem);
  if (out.knows_mobility) apply_laws(problem, solution, out);

  out.momentum_max =
      out.momentum.size() ? out.momentum.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.0;
  Worst worst;
  for (int i = 0; i < problem.rows(); ++i) worst.add(std::abs(out.rows(i)), i);
  out.row_max = worst.size;
  out.worst_row = worst.index;
  out.injected_energy = -solution.lambda.dot(out.rows);
}

}  // namespace ligament
