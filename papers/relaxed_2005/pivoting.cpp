// SPDX-License-Identifier: Apache-2.0
// Section 5: box LCPs by block pivoting, by single pivots, and by projected Newton behind them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/solvers/pivoting/block_pivot.h"
#include "papers/relaxed_2005/experiments.h"
#include "papers/relaxed_2005/random_bounds.h"
#include "papers/simulate.h"

namespace ligament::papers {
namespace {

const char* not_given = "how its problems were drawn";
constexpr double none = std::numeric_limits<double>::quiet_NaN();  // a range, no number

void add_claim(std::string text, double expected, double measured, Band band, const char* reason,
               Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "section 5",
                      .expected = expected,
                      .measured = measured,
                      .tolerance = band,
                      .reason = reason});
}

void add_number(std::string text, double expected, double measured, Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "section 5",
                      .expected = expected,
                      .measured = measured,
                      .unknown = not_given});
}

void add_thousand(Experiment& e) {
  const Pivoting random =
      pivot_random_problems(1000, {1e-6, 1.0}, Right::inconsistent, Chance(2005));
  add_claim(fmt::format("Box LCPs at random that pivoting ends on, of {}; {} have more rows than "
                        "velocities",
                        random.problems, random.dependent),
            1000.0, random.solved, exactly(1000.0), "S is a P-matrix: pivoting is finite", e);
  add_claim("… their complementarity error, |λ − P(λ − w)| of the worst row", 0.0, random.error,
            below(1e-8),
            "Σ ≥ 1e-6: roundings, raised by the condition of S, 1e-16 · 10/1e-6 of "
            "impulses up to some ten",
            e);
  add_claim("… factorizations, the median", none, random.median(), {3.0, 6.0},
            "of the prototype, between softer and stiffer rows", e);
}

// Six kinds of problems: rows of three stiffnesses, that contradict each other or do not.
void add_kinds(const Effort& effort, Experiment& e) {
  const int count = effort.quick ? 200 : 1000;
  Table table{.caption = fmt::format("Problems of fewer than 40 rows, {} of each kind", count),
              .head = {"Σ", "b", "factorizations, median", "most", "needed single pivots",
                       "largest error", "error above 1e-7"}};
  int solved = 0, problems = 0;
  double least = 1e9, largest = 0.0, error = 0.0, rarest = 1.0, oftenest = 0.0, inexact = 0.0;
  for (const Right right : {Right::consistent, Right::inconsistent})
    for (const double Sigma : {1e-3, 1e-6, 1e-10}) {
      const Pivoting found = pivot_random_problems(count, {Sigma, Sigma}, right, Chance(6000));
      const auto share = [&](int part) { return static_cast<double>(part) / count; };
      problems += count;
      solved += found.solved;
      least = std::min(least, found.median());
      largest = std::max(largest, found.median());
      rarest = std::min(rarest, share(found.single));
      oftenest = std::max(oftenest, share(found.single));
      if (Sigma >= 1e-6) error = std::max(error, found.error);
      inexact = share(found.inexact);  // the last kind is the worst
      table.rows.push_back(
          {power(Sigma), right == Right::consistent ? "consistent" : "contradictory",
           cell(found.median()), cell(std::ranges::max(found.factorizations)),
           fmt::format("{:.1f} %", 100.0 * share(found.single)), fmt::format("{:.1e}", found.error),
           fmt::format("{:.1f} %", 100.0 * inexact)});
    }
  add_claim(
      fmt::format("Of {} problems of six kinds, Σ from 1e-10 to 1e-3, pivoting ends on", problems),
      problems, solved, exactly(problems), "S is a P-matrix: pivoting is finite", e);
  const char* ours = "between 3 and 6 in the notes";
  add_claim("… factorizations: the least median of a kind", none, least, {3.0, 6.0}, ours, e);
  add_claim("… and the largest", none, largest, {3.0, 6.0}, ours, e);
  add_number("… the least median itself", 3.0, least, e);
  add_number("… and the largest", 6.0, largest, e);
  add_claim("… error of those with Σ ≥ 1e-6", 0.0, error, below(1e-8), "as above", e);
  add_number("… that need single pivots (Murty): the smallest share of a kind", 0.06, rarest, e);
  add_number("… and the largest", 0.24, oftenest, e);
  add_number("Σ = 1e-10 and contradictory: share with an error above 1e-7", 0.25, inexact, e);
  e.tables.push_back(std::move(table));
}

// Contradictory rows, Σ = 1e-6: the share of problems on which so many pivots do not end.
double give_up(int problems, int rows, int pivots) {
  Chance chance(100);
  int given_up = 0;
  for (int i = 0; i < problems; ++i) {
    const BoundedProblem hard = draw_contradiction(rows, 1e-6, chance);
    pivoting::BlockPivotWorkspace work;
    const int bounded = read_bounds(hard.problem, work.sides);
    StepSolution found;
    const SolveReport report =
        solve_block_pivot({.pivots_per_row = pivots / bounded}, hard.problem, work, found);
    if (report.iterations > 0) ++given_up;
  }
  return static_cast<double>(given_up) / problems;
}

void add_hard(const Effort& effort, Experiment& e) {
  add_number("102 contradictory rows of rank 51, Σ = 1e-6: share that 1020 pivots do not solve",
             1.0, give_up(10, 102, 1020), e);
  if (effort.quick) return;
  add_number("198 rows of rank 99: share that 20000 pivots do not solve, of two", 1.0,
             give_up(2, 198, 20000), e);
}

struct Descents {
  double Sigma;
  int problems = 0;
  double error = 0.0;               // the largest of those solved
  std::vector<double> counts = {};  // factorizations of those solved, sorted

  double share() const { return static_cast<double>(counts.size()) / problems; }
};

void descend(int rows, int problems, Descents& out) {
  Chance chance(static_cast<std::uint64_t>(rows));
  for (int i = 0; i < problems; ++i) {
    const BoundedProblem hard = draw_contradiction(rows, out.Sigma, chance);
    pivoting::Sides sides;
    pivoting::ProjectedNewtonWorkspace work;
    StepSolution found;
    read_bounds(hard.problem, sides);
    found.lambda.setZero(hard.problem.rows());
    put_within_bounds(hard.problem, sides, found);
    const SolveReport report = solve_projected_newton({}, hard.problem, sides, work, found);
    ++out.problems;
    if (report.status != SolveStatus::solved) continue;
    out.counts.push_back(report.factorizations);
    out.error = std::max(out.error, hard.find_error(found));
  }
  std::ranges::sort(out.counts);
}

Figure draw(std::span<const Descents> all) {
  Figure figure{.title = "Projected Newton on contradictory rows",
                .x = {.label = "factorizations", .logarithmic = true, .range = {{5.0, 200.0}}},
                .y = {.label = "share of problems solved", .range = {{0.0, 1.0}}}};
  for (const Descents& descents : all) {
    Curve curve{.label = fmt::format("Σ = {}", power(descents.Sigma))};
    double solved = 0.0;
    for (const double count : descents.counts) {  // a stair
      curve.x.insert(curve.x.end(), {count, count});
      curve.y.push_back(solved / descents.problems);
      curve.y.push_back(++solved / descents.problems);
    }
    curve.x.push_back(200.0);
    curve.y.push_back(descents.share());
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

void add_descents(const Effort& effort, Experiment& e) {
  Descents all[] = {{.Sigma = 1e-3}, {.Sigma = 1e-6}};
  auto& [soft, stiff] = all;
  for (Descents& descents : all)
    for (const int rows : {48, 102, 198, 402})
      if (!effort.quick || rows < 150) descend(rows, 10, descents);
  add_number("Projected Newton on such problems, Σ = 1e-3: share solved in 200 factorizations",
             38.0 / 40.0, soft.share(), e);
  add_number("… Σ = 1e-6", 25.0 / 40.0, stiff.share(), e);
  add_number("… of all", 63.0 / 80.0, 0.5 * (soft.share() + stiff.share()), e);
  add_claim("… most of the softer ones, at least", 38.0 / 40.0, soft.share(), above(0.75),
            "the draw is ours: a quarter may be harder than in the notes", e);
  add_claim("… of the stiffer ones no more: share less", 13.0 / 40.0, soft.share() - stiff.share(),
            above(0.0), "the direction of the notes", e);
  add_claim("… factorizations of the softer ones solved, the median", none,
            soft.counts.empty() ? 0.0 : soft.counts[soft.counts.size() / 2], {10.0, 100.0},
            "typically 10 to 100 in the notes", e);
  add_claim("… their largest error, |λ − P(λ − w)|", 1e-10, soft.error, below(1e-10),
            "what the notes call solved", e);
  e.pictures.push_back({"newton", draw(all), "Solved within so many factorizations"});
}

}  // namespace

Experiment run_pivoting(const Effort& effort) {
  Experiment e{
      .title = "Bounds at random, by pivoting and by descent",
      .source = "section 5",
      .paper_says =
          "With bounds a step is a complementarity problem, which a block pivot method due to "
          "Kostreva solves.",
      .we_did =
          "Point masses tied in pairs by fewer than 40 rows that are free, λ ≥ 0 or between two "
          "bounds, a third of each; and rows that all touch all masses, in threes that share their "
          "law, half of them dependent on the others, with right sides that contradict each other. "
          "The latter also by the "
          "engine's fallback, Newton's method along the arc of points put within the bounds, from "
          "no impulses at all, with " +
          std::string(effort.quick ? "48 and 102" : "48, 102, 198 and 402") + " rows."};
  add_thousand(e);
  add_kinds(effort, e);
  add_hard(effort, e);
  add_descents(effort, e);
  e.remarks = {
      "Pivoting is finite, but no machine waits for it: on contradictory rows the number of "
      "pivots grows exponentially. Contact of bodies is far from that, and a resting stack takes "
      "one factorization a step."};
  return e;
}

}  // namespace ligament::papers
