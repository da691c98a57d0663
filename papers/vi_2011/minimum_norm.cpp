// SPDX-License-Identifier: Apache-2.0
// As springs become stiff, impulses go to those of the least weighted norm: joints and contacts.
#include <cmath>

#include "papers/orders.h"
#include "papers/simulate.h"
#include "papers/vi_2011/experiments.h"
#include "papers/vi_2011/legs.h"

namespace ligament::papers::vi {
namespace {

struct Case {
  const char* name;
  Legs legs;
  VecX D, limit;           // weights; impulses over m g h, six digits
  double expected, digit;  // relative error over s of a prototype; half of its last digit
  std::vector<double> softness;
  Solver solver;
};

Legs make_eight_legs() {
  Legs legs{.centre = {0.45, 0.1, 0.7}, .feet = {}, .law = Unilateral{}};
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.2 + k * std::acos(-1.0) / 4.0;
    legs.feet.push_back({0.6 * std::cos(angle), 0.4 * std::sin(angle), 0});
  }
  return legs;
}

std::vector<Case> make_cases() {
  const std::vector<double> joints{1e-2, 1e-3, 1e-4, 1e-5, 1e-6}, contacts{1e-4, 1e-5, 1e-6, 1e-7};
  VecX limit8(8), weighted8(8), D8(8);
  limit8 << .390677, .309705, .052066, 0, 0, 0, 0, .247552;
  weighted8 << .264979, .435403, 0, 0, 0, 0, 0, .299618;
  for (int i = 0; i < 8; ++i) D8(i) = 1.0 / (i + 1);  // springs 1:2:…:8
  const Legs four, eight = make_eight_legs();
  const VecX equal = VecX::Ones(4), graded = Eigen::Vector4d(1.0, 0.5, 0.2, 0.1);
  const VecX shares = Eigen::Vector4d(.158333, .258333, .341667, .241667);
  const VecX weighted = Eigen::Vector4d(.117593, .299074, .300926, .282407);
  std::vector<Case> out;
  out.push_back({"joints, equal springs", four, equal, shares, 1.27, 0.005, joints, Direct{}});
  out.push_back(
      {"joints, springs 1:2:5:10", four, graded, weighted, 0.88, 0.005, joints, Direct{}});
  out.push_back({"contacts, equal springs", eight, VecX::Ones(8), limit8, 3.5, 0.05, contacts,
                 InteriorPoint{}});
  out.push_back(
      {"contacts, springs 1:2:…:8", eight, D8, weighted8, 19.0, 0.5, contacts, InteriorPoint{}});
  return out;
}

// The impulses of least norm λᵀ D λ that balance p, −Gᵀ λ = p: λ = D⁻¹ G y.
VecX balance(const MatX& G, const VecX& D, const VecX& p) {
  const MatX W = D.cwiseInverse().asDiagonal();
  return W * G * (G.transpose() * W * G).completeOrthogonalDecomposition().solve(-p);
}

// The same of joints, or of contacts: among all sets of pressed legs the one whose impulses press,
// carry the load, and cannot be made less by a leg that is off, G y ≤ 0. Empty: there is none.
VecX find_least_norm(const StepProblem& problem, const VecX& D) {
  const MatX G = make_dense(problem.G);
  if (std::holds_alternative<Equality>(problem.laws[0])) return balance(G, D, problem.p);
  const auto legs = static_cast<int>(D.size());
  for (unsigned set = 1; set < 1U << legs; ++set) {
    MatX pressed = G;
    for (int i = 0; i < legs; ++i)
      if ((set >> i & 1U) == 0) pressed.row(i).setZero();
    const VecX lambda = balance(pressed, D, problem.p);
    if (lambda.minCoeff() < 0.0) continue;
    if ((G.transpose() * lambda + problem.p).norm() > 1e-12 * problem.p.norm()) continue;
    const VecX y = pressed.completeOrthogonalDecomposition().solve(D.cwiseProduct(lambda));
    bool least = true;
    for (int i = 0; i < legs; ++i)
      if ((set >> i & 1U) == 0) least = least && G.row(i).dot(y) <= 1e-12;
    if (least) return lambda;
  }
  return {};
}

void run_case(const Case& test, Experiment& out, Figure& figure, Table& table) {
  StepProblem problem = make_problem(test.legs);
  const VecX limit = find_least_norm(problem, test.D) / weight_impulse;
  std::vector<double> errors;
  double factor = 0.0, lifted = 0.0;
  VecX shares;
  for (const double s : test.softness) {
    soften(test.D / test.D.mean(), s, problem);
    shares = solve_legs(test.solver, problem).lambda / weight_impulse;
    errors.push_back((shares - limit).norm() / limit.norm());
    factor = std::max(factor, errors.back() / s);
    for (int i = 0; i < limit.size(); ++i)
      if (test.limit(i) == 0.0) lifted = std::max(lifted, std::abs(shares(i)));
  }
  const auto add = [&](const char* text, const char* unit, double expected, double measured,
                       Band band, const char* reason) {
    out.claims.push_back({.text = fmt::format("{}: {}", test.name, text),
                          .source = "(24)",
                          .unit = unit,
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason});
  };
  add("limit by a closed form against the given digits", "m g h", 0.0, (limit - test.limit).norm(),
      below(2e-6), "six digits are given, of up to eight legs");
  add("largest relative error over s", "", test.expected, factor,
      {test.expected - test.digit, test.expected + test.digit},
      "O(s), with the factor of the legs' geometry: rounds to the digits that are given");
  add("order of the error in s", "", 1.0, fit_order(test.softness, errors), {0.95, 1.05},
      "the next term is (factor s)², a hundredth at s = 1e-2 and less below");
  if (std::holds_alternative<Unilateral>(test.legs.law))
    add("impulses of legs that lift off", "m g h", 0.0, lifted, exactly(0.0),
        "exactly none: they are on the other side of the law");
  std::string found, exact;
  for (int i = 0; i < limit.size(); ++i) {
    found += fmt::format("{:.6f} ", shares(i));
    exact += fmt::format("{:.6f} ", limit(i));
  }
  table.rows.push_back({test.name, found, exact});
  figure.curves.push_back(
      {.label = test.name, .x = test.softness, .y = errors, .mark = Mark::both});
}

// λ of (N + Σ) λ = −r formed and eliminated, N = G M⁻¹ Gᵀ: sums of N and Σ lose what is below
// ε_machine N.
VecX eliminate(const StepProblem& problem) {
  const MatX G = make_dense(problem.G), M = make_dense(problem.M);
  MatX A = G * M.ldlt().solve(G.transpose());
  A.diagonal() += problem.Sigma;
  return A.partialPivLu().solve(problem.b - G * M.ldlt().solve(problem.p));
}

// λ ← argmin φ₀(λ) + ‖λ − λ_old‖²/2 in the metric s D, from nothing: b gets Σ λ_old.
void add_proximal(Experiment& out) {
  StepProblem problem = make_problem({});
  const VecX D = VecX::Ones(4), limit = find_least_norm(problem, D);
  const auto error_of = [&](const VecX& lambda) { return (lambda - limit).norm() / limit.norm(); };
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "(24)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason});
  };
  soften(D, 1e-2, problem);
  VecX lambda = VecX::Zero(4);
  const VecX b = problem.b;
  for (int i = 0; i < 6; ++i) {
    problem.b = b + problem.Sigma.cwiseProduct(lambda);
    lambda = solve_legs(Direct{}, problem).lambda;
  }
  add("Six proximal passes with s = 1e-2: relative error", 4e-12, error_of(lambda),
      {3.5e-12, 4.5e-12}, "(1.27 s)⁶ = 4.2e-12, less what 1 + 1.27 s takes off: rounds to a digit");
  problem.b = b;
  soften(D, 1e-8, problem);
  add("… where plain s = 1e-8 leaves", 1.3e-8, error_of(solve_legs(Direct{}, problem).lambda),
      {1.25e-8, 1.35e-8}, "1.27 s: rounds to the two digits that are given");
  soften(D, 1e-12, problem);
  add("… and s = 1e-12, N + Σ formed and eliminated", 2e-5, error_of(eliminate(problem)),
      {2e-7, 2e-4}, "roundings: of ε_machine/s = 2.2e-4 all to a thousandth, by their luck");
  out.remarks.push_back(fmt::format(
      "That roundings of ε_machine/s end the useful range near s = 1e-8 is so where mobility and "
      "compliance are added up. The engine factorizes them apart, and leaves {:.1e} at s = 1e-12.",
      error_of(solve_legs(Direct{}, problem).lambda)));
}

}  // namespace

Experiment show_minimum_norm(const Effort&) {
  Experiment out{
      .title = "Stiff springs choose the solution of least norm",
      .source = "section 3.1 to 3.2, equations (6) to (9), (22) to (24)",
      .paper_says =
          "A rigid table has one degree of freedom in how its legs share the weight. With "
          "springs of stiffness D⁻¹/s the shares are unique, and as s → 0 they go to those "
          "of the least norm xᵀ D x among all that balance it: for joints, and for contacts.",
      .we_did =
          "A table of 10 kg whose weight is not in the middle: on four legs that hold both ways "
          "and on eight that only press, with equal and with different springs. Limits are from "
          "a pseudo-inverse, and from trying all sets of legs that press: without our solvers."};
  Figure figure{.title = "Distance from the limit",
                .x = {.label = "softness s", .logarithmic = true},
                .y = {.label = "relative error of the impulses", .logarithmic = true}};
  Table table{.caption = "Shares of the weight at the smallest s, and their limits.",
              .head = {"legs", "share", "limit"}};
  for (const Case& test : make_cases()) run_case(test, out, figure, table);
  add_proximal(out);
  out.tables.push_back(table);
  out.pictures.push_back(
      {.file = "limit", .figure = figure, .caption = "Errors fall in proportion to s."});
  out.remarks.push_back(
      "That the rigid problem has a solution is assumed and not said: see the pinched ball.");
  return out;
}

}  // namespace ligament::papers::vi
