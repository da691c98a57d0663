// SPDX-License-Identifier: Apache-2.0
// Interior point first, Newton's method on the velocities after it: at which residual the one hands
// over to the other.
#include <algorithm>
#include <array>
#include <cmath>

#include "ligament/solvers/interior/central_path.h"
#include "papers/simulate.h"
#include "papers/vi_2011/experiments.h"
#include "papers/vi_2011/primal_run.h"

namespace ligament::papers::vi {
namespace {

constexpr std::array points{1e-4, 1e-5, 1e-7};  // residuals at which it is handed over
constexpr std::array most_steps{40, 60, 60};    // of Newton's method after each
constexpr double goal = 1e-10;                  // residual at which a problem is solved
constexpr int last_point = 2;

struct Polish {
  int before = 0, steps = 0;  // iterations of the interior point, steps of Newton's method
  double residual = 0.0;      // after these
  double floor = 0.0;         // what more steps make of it

  bool is_solved() const { return residual <= goal; }
};
using Polishes = std::array<Polish, points.size()>;

Polish polish(const StepProblem& problem, const interior::CentralPath& path, int before, int most) {
  PrimalRun run(problem, path.iterate().u);
  Polish out{.before = before, .residual = run.compute_residual()};
  while (run.goes_on() && out.steps < most && !out.is_solved()) {
    run.advance();
    ++out.steps;
    out.residual = run.compute_residual();
  }
  out.floor = out.residual;
  for (int i = 0; i < 5 && run.goes_on() && out.is_solved(); ++i) {
    run.advance();
    out.floor = std::min(out.floor, run.compute_residual());
  }
  return out;
}

// One path, handed over where its residual first is below each point, or where it ends.
Polishes hand_over(const StepProblem& problem) {
  interior::CentralPath path;
  path.prepare(problem);
  bool goes_on = path.start(problem);
  Polishes out;
  int count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    while (goes_on && count < 100 &&
           compute_relative_residual(problem, path.iterate()) > points[i]) {
      goes_on = path.advance(problem);
      if (goes_on) ++count;
    }
    out[i] = polish(problem, path, count, most_steps[i]);
  }
  return out;
}

// What was found of a group of problems.
struct Summary {
  int least_before = 1000, most_before = 0, least_steps = 1000, most_steps = 0, failures = 0;
  int late = 0;        // solved, but by more steps than the notes say to allow
  double worst = 0.0;  // floor

  void add(const Polish& one, int allowed) {
    least_before = std::min(least_before, one.before);
    most_before = std::max(most_before, one.before);
    least_steps = std::min(least_steps, one.steps);
    most_steps = std::max(most_steps, one.steps);
    if (!one.is_solved()) ++failures;
    if (one.is_solved() && one.steps > allowed) ++late;
    worst = std::isnan(one.floor) ? 1e300 : std::max(worst, one.floor);
  }
};

struct Found {
  std::array<Summary, points.size()> all;  // one a point
  Summary usual;                           // the last point, without overlaps that push
  int raw_steps = 0;                       // the last point, overlaps at s = 1e-6
  int early_piles = 0;                     // failures of the first point, piles at s = 1e-5
  Table table{.caption =
                  "Iterations of the interior point + steps of Newton's method to a residual of "
                  "1e-10, by the residual at which it is handed over.",
              .head = {"problem", "s", "at 1e-4", "at 1e-5", "at 1e-7"}};
};

// The notes have one table.
bool is_noted(const ConeProblem& one) {
  return one.name != "table that sticks" && one.name != "table that slides";
}

Found try_all(const std::vector<ConeProblem>& problems) {
  Found out;
  for (const ConeProblem& one : problems)
    for (const double s : {1e-2, 1e-3, 1e-5, 1e-6}) {
      if (!is_noted(one)) continue;
      const bool pile = one.name.starts_with("pile"), raw = one.name.ends_with("pushed out");
      const Polishes found = hand_over(soften_contacts(one.problem, s));
      out.table.rows.push_back({one.name, power(s)});
      for (std::size_t i = 0; i < points.size(); ++i) {
        out.all[i].add(found[i], raw && s == 1e-6 ? 2 * 17 : 20);
        out.table.rows.back().push_back(fmt::format("{} + {}{}", found[i].before, found[i].steps,
                                                    found[i].is_solved() ? "" : ", not solved"));
      }
      if (!raw) out.usual.add(found[last_point], 20);
      if (raw && s == 1e-6) out.raw_steps = found[last_point].steps;
      if (pile && s == 1e-5 && !found[0].is_solved()) ++out.early_piles;
    }
  return out;
}

void add_given(const Found& found, Experiment& out) {
  struct Number {
    const char* text;
    double expected;
    int measured;
  };
  const Summary& late = found.all[last_point];
  for (const Number& one :
       {Number{"Handed over at 1e-7: fewest iterations of the interior point", 5,
               late.least_before},
        Number{"… most", 31, late.most_before},
        Number{"… fewest steps of Newton's method, overlaps not pushed out", 1,
               found.usual.least_steps},
        Number{"… most", 6, found.usual.most_steps},
        Number{"… steps of Newton's method for the pile with overlaps at s = 1e-6", 17,
               found.raw_steps},
        Number{"Handed over at 1e-5: most steps of Newton's method", 60, found.all[1].most_steps},
        Number{"… problems that 60 steps do not solve", 1, found.all[1].failures},
        Number{"Handed over at 1e-4: piles at s = 1e-5, of four, that 40 steps do not solve", 4,
               found.early_piles}})
    out.claims.push_back({.text = one.text,
                          .source = "(21)",
                          .expected = one.expected,
                          .measured = static_cast<double>(one.measured),
                          .unknown = "where its spheres lie, how its interior point is written, "
                                     "and at which residual its polish ends"});
}

void add_claims(const Found& found, Experiment& out) {
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "(21)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason});
  };
  const Summary &late = found.all[last_point], &middle = found.all[1], &early = found.all[0];
  add("Handed over at 1e-7: problems of 32 that 20 steps of Newton's method do not solve", 0.0,
      static_cast<double>(late.failures + late.late), exactly(0.0),
      "a count; 20 steps are what the notes say to allow. The pile with overlaps at s = 1e-6, "
      "which "
      "takes 17 there, may take twice that: how many is a matter of the pile");
  add("… the largest residual that is left, with five steps more", 3e-12, late.worst, below(goal),
      "the bound that the notes propose for interior point with polish");
  const double steps = std::max(late.most_steps, 1);
  add("Most steps of Newton's method on a problem, handed over at 1e-5 over those at 1e-7",
      60.0 / 17.0, middle.most_steps / steps, above(1.0),
      "in kind: that it takes more is the claim, how many is a matter of the piles");
  add("… handed over at 1e-4, problems that 40 steps do not solve", 4.0, early.failures, above(1.0),
      "in kind, as above");
}

}  // namespace

Experiment show_hand_over(const Effort& effort) {
  Experiment out{
      .title = "From interior point to Newton's method",
      .source = "section 3.3, equation (21)",
      .paper_says = "Solvers for the regularized problem are future work.",
      .we_did =
          "Eight problems with cones, a table that slips in part, three stacks and four piles, "
          "s = 1e-2, 1e-3, 1e-5 and 1e-6: interior point until ‖λ − P(λ − w/mobility)‖/‖λ‖ is "
          "1e-4, 1e-5 or 1e-7, or until it ends, then Newton's method on the velocities from "
          "there, 40, 60 and 60 steps at most, until it is 1e-10. The paper has no such numbers: "
          "they are those of a prototype."};
  const Found found = try_all(make_cone_problems(catch_piles(effort.quick ? 48 : 200)));
  add_claims(found, out);
  add_given(found, out);
  out.tables.push_back(found.table);
  out.remarks.emplace_back(
      "The most steps after 1e-7 where overlaps do not push, 7, are those of the stack whose every "
      "second box is heavy, at s = 1e-2: one more than in the notes, from another inner point.");
  return out;
}

}  // namespace ligament::papers::vi
