// SPDX-License-Identifier: Apache-2.0
// Loops that make Coulomb's law of convex problems, on piles of spheres: which contract, which
// stall, and what sweeps do without a loop.
#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/baselines/alternating_directions.h"
#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/vi_2011/cone_problems.h"
#include "papers/vi_2011/coulomb_loops.h"
#include "papers/vi_2011/experiments.h"

namespace ligament::papers::vi {
namespace {

const char* other_spheres = "where its spheres lie; ours fall from places of our own";

// What became of one pile.
struct Outcome {
  std::string name;
  double s;
  Loop lift, mixed, cylinders, half_way;
  int sweeps = 0;
  double apart = 0.0;  // velocities of half_way and of the sweeps, over what contacts change
};

Outcome run_loops(const std::string& name, const StepProblem& pile, double s) {
  const StepProblem coulomb = with_coulomb(soften_contacts(pile, s));
  const Swept swept = sweep_to_rest(coulomb);
  Outcome out{.name = fmt::format("{}, s = {}", name, power(s)),
              .s = s,
              .lift = iterate_lift(coulomb, 60, 0),
              .mixed = iterate_lift(coulomb, 60, 5),
              .cylinders = iterate_cylinders(coulomb, 40, 1.0),
              .half_way = iterate_cylinders(coulomb, 40, 0.5),
              .sweeps = swept.sweeps};
  const VecX u = find_velocities(coulomb, swept.lambda);
  const VecX free = find_velocities(coulomb, VecX::Zero(coulomb.rows()));
  out.apart = norm_in(coulomb.M, find_velocities(coulomb, out.half_way.lambda) - u) /
              norm_in(coulomb.M, u - free);
  return out;
}

// A number of the notes that is a range over their piles, beside the worst of ours.
struct Range {
  const char* text;
  double expected, measured;
};

void add_claims(const std::vector<Outcome>& all, Experiment& out) {
  const auto worst = [&](auto&& of) {
    double largest = 0.0;
    for (const Outcome& one : all) largest = std::max(largest, of(one));
    return largest;
  };
  const double rate = worst([](const Outcome& o) { return o.lift.find_rate(); });
  const double lift = worst([](const Outcome& o) { return o.lift.residuals.back(); });
  const double mixed = worst([](const Outcome& o) { return o.mixed.residuals.back(); });
  const double whole = worst([](const Outcome& o) { return o.cylinders.residuals.back(); });
  const double half = worst([](const Outcome& o) { return o.half_way.residuals.back(); });
  const double gain =
      worst([](const Outcome& o) { return o.mixed.residuals.back() / o.lift.residuals.back(); });
  const double apart = worst([](const Outcome& o) { return o.s > 5e-3 ? o.apart : 0.0; });
  const double sweeps = worst([](const Outcome& o) { return static_cast<double>(o.sweeps); });
  const auto best = [&](auto&& of) {
    double least = std::numeric_limits<double>::infinity();
    for (const Outcome& one : all) least = std::min(least, of(one));
    return least;
  };
  const auto last = [](Loop Outcome::*loop) {
    return [loop](const Outcome& o) { return (o.*loop).residuals.back(); };
  };
  const auto mixed_passes = [](const Outcome& o) { return o.mixed.count_passes(1e-9); };
  for (const Range& one :
       {Range{"Lifted cones on piles: contraction of a pass, the quickest", .72,
              best([](const Outcome& o) { return o.lift.find_rate(); })},
        Range{"… the slowest", .87, rate},
        Range{"… residual of Coulomb's law after 60 passes, the smallest", 3e-10,
              best(last(&Outcome::lift))},
        Range{"… the largest", 3e-6, lift},
        Range{"… by Anderson's mixing of five, the largest", 1e-9, mixed},
        Range{"… passes to 1e-9 with it, the fewest (61: more than 60)", 33, best(mixed_passes)},
        Range{"… the most", 60, worst(mixed_passes)},
        Range{"Cylinders on piles: residual after 40 passes, the smallest", 3e-3,
              best(last(&Outcome::cylinders))},
        Range{"… the largest", 3e-2, whole},
        Range{"… half of the way a pass, the smallest", 7e-5, best(last(&Outcome::half_way))},
        Range{"… the largest", 2e-4, half},
        Range{"Sweeps of Coulomb's law on piles until the residual is 1e-11, the fewest", 600,
              best([](const Outcome& o) { return static_cast<double>(o.sweeps); })},
        Range{"… the most", 4500, sweeps}})
    out.claims.push_back({.text = one.text,
                          .source = "(17), (18)",
                          .expected = one.expected,
                          .measured = one.measured,
                          .unknown = other_spheres});
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "(17), (18)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason});
  };
  std::vector<double> rates;
  for (const Outcome& one : all) rates.push_back(one.lift.find_rate());
  std::ranges::sort(rates);
  add("Lifted cones contract: the factor of a pass, third of the four", .87, rates[2], below(1.0),
      "in kind: on some piles at rest at s = 1e-3 lifts wander in the end, on others not");
  add("… and come to Coulomb's law: residual after 60 passes, the largest", 3e-6, lift, below(1e-4),
      "3e-10 to 3e-6 in the notes, on piles of their own");
  add("… Anderson's mixing brings them nearer: its residual over that without, the largest", 1e-3,
      gain, below(1.0), "in kind");
  add("Cylinders from the pass before stall: residual after 40 passes, the largest", 3e-2, whole,
      above(1e-3), "3e-3 to 3e-2 in the notes; it does not fall any more");
  add("… half of the way a pass they do not: the largest", 2e-4, half, below(1e-3),
      "7e-5 to 2e-4 in the notes");
  add("… their velocities are then off those of sweeps by, the larger of two, s = 1e-2", 3e-3,
      apart, below(1e-2),
      "5e-4 to 3e-3 in the notes; at s = 1e-3 Coulomb's law may have several "
      "solutions");
  add("Sweeps solve all of them: the most to 1e-11", 4500, sweeps, below(most_sweeps),
      "600 to 4500 in the notes, on piles of their own");
}

Picture draw(const Outcome& one) {
  Figure figure{.title = fmt::format("Pile {}: loops to Coulomb's law", one.name),
                .x = {.label = "pass"},
                .y = {.label = "residual of Coulomb's law", .logarithmic = true}};
  const auto add = [&](const char* label, const Loop& loop) {
    Curve curve{.label = label, .y = loop.residuals};
    for (std::size_t i = 1; i <= loop.residuals.size(); ++i)
      curve.x.push_back(static_cast<double>(i));
    figure.curves.push_back(std::move(curve));
  };
  add("lifted cones", one.lift);
  add("lifted cones, mixed", one.mixed);
  add("cylinders", one.cylinders);
  add("cylinders, half way", one.half_way);
  return {.file = "loops",
          .figure = std::move(figure),
          .caption = "Cylinders that take the bound of the pass before go round in circles."};
}

void add_loops(const Piles& piles, Experiment& out) {
  std::vector<Outcome> all;
  for (const double s : {1e-2, 1e-3}) {
    all.push_back(run_loops("at rest", without_overlaps(piles.rest), s));
    all.push_back(run_loops("in impact", without_overlaps(piles.impact), s));
  }
  add_claims(all, out);
  Table table{.caption =
                  "Residual of Coulomb's law after 60 passes of lifted cones and 40 of cylinders; "
                  "sweeps until it is 1e-11.",
              .head = {"pile", "lifted cones", "factor of a pass", "mixed", "cylinders", "half way",
                       "half way: velocities off by", "sweeps"}};
  for (const Outcome& one : all) {
    table.rows.push_back({one.name});
    for (const double value :
         {one.lift.residuals.back(), one.lift.find_rate(), one.mixed.residuals.back(),
          one.cylinders.residuals.back(), one.half_way.residuals.back(), one.apart})
      table.rows.back().push_back(fmt::format("{:.2g}", value));
    table.rows.back().push_back(fmt::format("{}", one.sweeps));
  }
  out.tables.push_back(table);
  out.pictures.push_back(draw(all[2]));
}

// Alternating directions that take the lift from their own iterate stall if they are not at 1e-8 in
// the end and the second half of the iterations took away less than a digit.
bool stalls(const StepProblem& coulomb, int iterations) {
  AlternatingDirections directions(coulomb);
  const auto residual = [&] { return residual_of(coulomb, directions.lambda()); };
  const auto advance = [&](int count) {
    for (int i = 0; i < count; ++i) directions.advance();
    return residual();
  };
  const double middle = advance(iterations / 2), end = advance(iterations - iterations / 2);
  return !(end <= 1e-8) && !(end <= 0.1 * middle);
}

void add_naive_directions(const std::vector<ConeProblem>& problems, Experiment& out) {
  const char* names[] = {"table that slips in part",       "stack",        "stack, top 1000 times",
                         "stack, every second 1000 times", "pile at rest", "pile in impact",
                         "pile, one sphere 1000 times"};
  Table table{.caption = "Alternating directions with the lift of their own iterate.",
              .head = {"problem", "s = 1e-3", "s = 1e-5"}};
  double stalled = 0.0;
  for (const char* name : names) {
    const StepProblem& problem = std::ranges::find(problems, name, &ConeProblem::name)->problem;
    table.rows.push_back({name});
    for (const double s : {1e-3, 1e-5}) {
      const bool stuck = stalls(with_coulomb(soften_contacts(problem, s)),
                                problem.G.blocks.size() < 100 ? 4000 : 1000);
      stalled += stuck;
      table.rows.back().emplace_back(stuck ? "stalls or diverges" : "goes on");
    }
  }
  out.tables.push_back(table);
  out.claims.push_back({.text = "Alternating directions that take the lift from their own iterate: "
                                "runs of 14 that stall or diverge",
                        .source = "(18)",
                        .expected = 10.0,
                        .measured = stalled,
                        .unknown = "which its fourteen runs were, and what it counts as stalled"});
  out.claims.push_back({.text = "… they are not to be relied on: such runs",
                        .source = "(18)",
                        .expected = 10.0,
                        .measured = stalled,
                        .tolerance = above(5.0),
                        .reason = "in kind: a third of them or more"});
}

// The mean height of the spheres at rest [m].
double find_height(int spheres, FrictionLaw law) {
  const Scene scene = read_paper_scene("vi_2011/pile.json", {set("n", spheres)});
  RegularizedVi method = std::get<RegularizedVi>(scene.stepper);
  method.contacts.friction = law;
  const State end = simulate(scene.model, method, {.steps = scene.steps}).state;
  double sum = 0.0;
  for (std::uint32_t i = 1; i < scene.model.bodies().size(); ++i)
    sum += compute_pose(scene.model, end, {i}).p.z();
  return sum / spheres;
}

void add_heights(int spheres, Experiment& out) {
  const double cone = find_height(spheres, FrictionLaw::cone);
  const double coulomb = find_height(spheres, FrictionLaw::coulomb);
  for (const Range& one : {Range{"Mean height of a pile that settled with cones [m]", .613, cone},
                           Range{"… and with Coulomb's law [m]", .6055, coulomb},
                           Range{"… the one over the other", 1.012, cone / coulomb}})
    out.claims.push_back({.text = one.text,
                          .source = "(17), (18)",
                          .expected = one.expected,
                          .measured = one.measured,
                          .unknown = other_spheres});
  out.remarks.emplace_back(
      "The pile of the notes settles 1.2 % higher with cones. Ours of 200 spheres settles 2 % "
      "lower, also with five times as many sweeps and from four other starts; one of 48, which a "
      "quick run has, half a per cent higher. Which is the rule, so few piles do not tell.");
}

}  // namespace

Experiment show_friction_loops(const Effort& effort) {
  Experiment out{
      .title = "Loops to Coulomb's law, on piles",
      .source = "section 3.3, equations (17), (18)",
      .paper_says =
          "Cylinders with the normal forces of the last iteration are one way to friction, cones "
          "another.",
      .we_did =
          "Piles of spheres in impact and at rest, s = 1e-2 and 1e-3: cones whose normal velocity "
          "is raised by μ times the slip of the pass before, cylinders whose radius is μ times the "
          "normal impulse of the pass before, each pass solved by Newton's method; and sweeps of "
          "Coulomb's law itself. Then alternating directions with the lift of their own iterate, "
          "and two piles that settle."};
  const int spheres = effort.quick ? 48 : 200;
  const Piles piles = catch_piles(spheres);
  add_loops(piles, out);
  add_naive_directions(make_cone_problems(piles), out);
  add_heights(spheres, out);
  return out;
}

}  // namespace ligament::papers::vi
