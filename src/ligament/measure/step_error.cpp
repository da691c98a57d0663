// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/step_error.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

constexpr double nearly = 1.0 - 1e-9;  // a bound is reached, up to rounding

class Explanation {
 public:
  Explanation(const SolvedStep& step, const VecX& mobility, ErrorMap& map, StepError& sum)
      : step_(step),
        schemes_(step.schemes.data()),
        lambda_(step.solution.lambda.data()),
        misses_(step.residual.misses.data()),
        mobility_(mobility.data()),
        Sigma_(step.problem.Sigma.data()),
        rows_(map.rows.data()),
        sum_(sum) {}

  // The rows of a block that its law leaves free, and those that it holds.
  void explain(const RowBlock& block, const Law& law) {
    const int first = block.first_row;
    if (std::holds_alternative<Equality>(law)) return look(Equality{}, first, block.rows);
    if (const auto* coulomb = std::get_if<Coulomb>(&law)) return look(*coulomb, first, block.rows);
    std::visit([&](const auto& of) { look(of, first, block.rows); },
               bounded_by(step_.solution.lambda, law));
  }

 private:
  void look(const Equality&, int first, int rows) {
    for (int row = first; row < first + rows; ++row) test(row);
  }
  void look(const Unilateral&, int first, int rows) {
    for (int row = first; row < first + rows; ++row) look_at_push(row);
  }
  void look(const Box& box, int first, int rows) {
    for (int row = first; row < first + rows; ++row) {
      const bool free = lambda_[row] > nearly * box.lower && lambda_[row] < nearly * box.upper;
      free ? test(row) : hold(row, 1);
    }
  }
  void look(const Disc& disc, int first, int rows) {
    if (size_of(first, rows) < nearly * disc.radius)
      look(Equality{}, first, rows);
    else
      hold(first, rows);
  }
  void look(const Coulomb& law, int first, int rows) {
    look_at_push(first);
    look(Disc{.radius = law.mu * std::max(0.0, lambda_[first])}, first + 1, rows - 1);
  }
  // What slides by the associated law is lifted, which is no error of the normal row.
  void look(const Cone& law, int first, int rows) {
    const double bound = law.mu * std::max(0.0, lambda_[first]);
    if (size_of(first + 1, rows - 1) < nearly * bound)
      look(Equality{}, first, rows);
    else if (lambda_[first] > 0.0)
      hold(first, rows);
    else
      look(Coulomb{law.mu}, first, rows);
  }

  // ‖λ‖ over some rows.
  double size_of(int first, int rows) const {
    double squares = 0.0;
    for (int row = first; row < first + rows; ++row) squares += lambda_[row] * lambda_[row];
    return std::sqrt(squares);
  }

  void look_at_push(int row) {
    if (lambda_[row] > 0.0) return test(row);
    if (misses_[row] > tolerance_of(row)) return note_missed(row);
    rows_[row] = {.change = {.fate = RowFate::held}};
  }

  double tolerance_of(int row) const {
    return rounding_of_residuals * std::max(step_.speed, mobility_[row] * std::abs(lambda_[row]));
  }

  void test(int row) {
    const double r = misses_[row], lambda = lambda_[row], tolerance = tolerance_of(row);
    RowError& error = rows_[row] = {};
    if (std::abs(r) <= tolerance) return;
    const RowScheme& scheme = schemes_[row];
    error.change = explain_row(
        {.r = r, .lambda = lambda, .target = scheme.target, .mobility = mobility_[row]}, tolerance);
    if (error.change.fate == RowFate::missed) return note_missed(row);
    error.give = compute_extra_give(scheme, step_.h, Sigma_[row], error.change, lambda);
    ++sum_.inexact;
    sum_.infeasible += error.change.fate == RowFate::infeasible;
    feed(row, -lambda * r);
    if (error.give <= sum_.give) return;
    sum_.give = error.give;
    sum_.excess = error.give * step_.h / std::abs(lambda);
    sum_.softest_row = row;
  }

  // Rows at a bound: what the natural residual, which knows the bound, says of their work.
  void hold(int first, int rows) {
    double work = 0.0;
    for (int row = first; row < first + rows; ++row) {
      rows_[row] = {.change = {.fate = RowFate::held}};
      work -= lambda_[row] * step_.residual.rows(row);
    }
    feed(first, work);
  }

  void note_missed(int row) {
    rows_[row] = {.change = {.fate = RowFate::missed}};
    ++sum_.inexact;
    ++sum_.missed;
    const double speed = std::abs(misses_[row]);
    if (speed <= sum_.missed_speed) return;
    sum_.missed_speed = speed;
    sum_.missed_row = row;
  }

  void feed(int row, double work) {
    if (!(work > 0.0)) return;
    rows_[row].fed = work;
    sum_.fed_work += work;
    if (sum_.feeding_row < 0 || work > rows_[sum_.feeding_row].fed) sum_.feeding_row = row;
  }

  const SolvedStep& step_;
  const RowScheme* schemes_;
  const double *lambda_, *misses_, *mobility_, *Sigma_;
  RowError* rows_;
  StepError& sum_;
};

void hold_against_coulomb(const SolvedStep& step, const VecX& mobility, StepError& out) {
  double worst = 0.0;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const double force = compute_friction_error(step.contacts[i], step.solution,
                                                step.residual.misses, mobility, step.h);
    if (out.worst_contact >= 0 && !(force > worst)) continue;
    worst = force;
    out.worst_contact = static_cast<int>(i);
  }
  if (out.worst_contact < 0) return;
  out.coulomb = compute_coulomb_error(step.contacts[static_cast<std::size_t>(out.worst_contact)],
                                      step.solution, step.residual.misses, mobility, step.h);
}

// The diagonal of G M⁻¹ Gᵀ + Σ: who has made it already is asked first.
const VecX& find_mobility(const SolvedStep& step, ErrorMap& out) {
  if (step.residual.knows_mobility) return step.residual.mobility;
  if (step.solution.mobility.size() == step.problem.rows()) return step.solution.mobility;
  compute_row_mobility(step.problem, out.mobility);
  return out.mobility;
}

}  // namespace

StepError explain_step(const SolvedStep& step, ErrorMap& out) {
  StepError sum{.rows = step.problem.rows()};
  out.exact = step.residual.row_max <= rounding_of_residuals * step.speed;
  if (out.exact) return sum;
  out.rows.resize(static_cast<std::size_t>(sum.rows));
  const VecX& mobility = find_mobility(step, out);
  Explanation explanation(step, mobility, out, sum);
  for (std::size_t i = 0; i < step.problem.laws.size(); ++i)
    explanation.explain(step.problem.G.blocks[i], step.problem.laws[i]);
  hold_against_coulomb(step, mobility, sum);
  return sum;
}

}  // namespace ligament
