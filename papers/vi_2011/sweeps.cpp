// SPDX-License-Identifier: Apache-2.0
// How good few sweeps are, and what the customary residual says of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "ligament/problem/relative_residual.h"
#include "ligament/solvers/interior/central_path.h"
#include "papers/baselines/alternating_directions.h"
#include "papers/baselines/projected_sweeps.h"
#include "papers/simulate.h"
#include "papers/vi_2011/cone_problems.h"
#include "papers/vi_2011/coulomb_loops.h"
#include "papers/vi_2011/experiments.h"

namespace ligament::papers::vi {
namespace {

constexpr std::array counts{10, 30, 100, 300, 1000};
using Errors = std::array<double, counts.size()>;

// ‖u − u_ref‖_M over ‖u_ref − u_free‖_M.
double find_error(const StepProblem& problem, const VecX& u, const VecX& reference) {
  const VecX free = find_velocities(problem, VecX::Zero(problem.rows()));
  return norm_in(problem.M, u - reference) / norm_in(problem.M, reference - free);
}

// Sequential sweeps of Coulomb's law from nothing.
Errors sweep_on(const StepProblem& coulomb) {
  const VecX reference = find_velocities(coulomb, sweep_to_rest(coulomb).lambda);
  SolverWorkspace workspace;
  StepSolution solution;
  Errors out{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const int more = counts[i] - (i > 0 ? counts[i - 1] : 0);
    solve(GaussSeidel{.max_sweeps = more, .tolerance = 0.0, .momentum = false}, coulomb, workspace,
          solution);
    out[i] = find_error(coulomb, find_velocities(coulomb, solution.lambda), reference);
  }
  return out;
}

struct Row {
  const char* name;
  const StepProblem& problem;
  double s;
  Errors given;
};

void add_sweeps(const Piles& piles, Experiment& out) {
  const StepProblem stack = make_stack(1.0), rest = without_overlaps(piles.rest),
                    impact = without_overlaps(piles.impact);
  const Row rows[] = {{"stack", stack, 1e-2, {.60, .34, .045, 5.0e-3, 4.7e-6}},
                      {"stack", stack, 1e-3, {.76, .56, .20, .058, .014}},
                      {"pile at rest", rest, 1e-2, {.32, .099, 9.2e-3, 1.4e-5, 1e-9}},
                      {"pile in impact", impact, 1e-2, {.17, .043, 1.5e-3, 1.4e-6, 1e-9}},
                      {"pile at rest", rest, 1e-3, {.71, .46, .14, .017, 1.7e-3}}};
  Table table{
      .caption =
          "Sequential sweeps of Coulomb's law from nothing: error of the velocities. Beside "
          "each the prototype's, on piles of its own (1e-9: below that).",
      .head = {"problem", "s"}};
  for (const int count : counts) {
    table.head.push_back(fmt::format("{} sweeps", count));
    table.head.emplace_back("prototype");
  }
  double after_30 = 0.0, after_100 = 0.0;  // of piles with s = 1e-2
  for (const Row& row : rows) {
    const Errors found = sweep_on(with_coulomb(soften_contacts(row.problem, row.s)));
    const bool pile = &row.problem != &stack;
    if (pile && row.s == 1e-2) {
      after_30 = std::max(after_30, found[1]);
      after_100 = std::max(after_100, found[2]);
    }
    table.rows.push_back({row.name, power(row.s)});
    for (std::size_t i = 0; i < counts.size(); ++i) {
      table.rows.back().push_back(fmt::format("{:.2g}", found[i]));
      table.rows.back().push_back(fmt::format("{:.2g}", row.given[i]));
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
      out.claims.push_back(
          {.text =
               fmt::format("{}, s = {}: error after {} sweeps", row.name, power(row.s), counts[i]),
           .source = "(17)",
           .expected = row.given[i],
           .measured = found[i],
           .unknown = pile ? "where its spheres lie" : "in which order it sweeps"});
  }
  out.tables.push_back(table);
  const auto add = [&](const char* text, double expected, double measured, double high) {
    out.claims.push_back({.text = text,
                          .source = "(17)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = below(high),
                          .reason = "in kind: twice what the notes promise"});
  };
  add("Piles, s = 1e-2: 30 sweeps make velocities right to a tenth or so", .1, after_30, .2);
  add("… and 100 sweeps to a hundredth", .01, after_100, .02);
}

// What Coulomb's law by sweeps does not reach: boxes under one of 1000 times their mass.
void add_heavy_top(Experiment& out) {
  const StepProblem coulomb = with_coulomb(soften_contacts(make_stack(1e3), 1e-5));
  const Loop lifted = iterate_lift(coulomb, 60, 5);
  SolverWorkspace workspace;
  StepSolution solution;
  solve(GaussSeidel{.max_sweeps = 20000, .tolerance = 0.0, .momentum = false}, coulomb, workspace,
        solution);
  const auto note = [&](const char* text, double expected, double measured, const char* unknown) {
    out.claims.push_back({.text = text,
                          .source = "(17)",
                          .expected = expected,
                          .measured = measured,
                          .unknown = unknown});
  };
  const char* unknown = "which stack, in which order it sweeps, and how it stops";
  note("Stack, top 1000 times, s = 1e-5: residual of Coulomb's law after 20000 sweeps", 1e-5,
       residual_of(coulomb, solution.lambda), unknown);
  note("… error of the velocities, 0.1 to 0.2", 0.1,
       find_error(coulomb, find_velocities(coulomb, solution.lambda),
                  find_velocities(coulomb, lifted.lambda)),
       unknown);
  out.claims.push_back(
      {.text = "… sixty passes of lifted cones, mixed five at a time by Anderson's method, leave "
               "less: their residual over that of the sweeps",
       .source = "(17), (18)",
       .expected = 0.0,
       .measured = lifted.residuals.back() / residual_of(coulomb, solution.lambda),
       .tolerance = below(0.1),
       .reason = "in kind: the notes recommend this loop where sweeps fail, without a number"});
}

// Sweeps until the residual of the cones is 1e-2 and 1e-6; most_sweeps: not so soon.
struct Counts {
  int rough = most_sweeps, fine = most_sweeps;

  // Whether both are known after so many sweeps.
  bool note(double residual, int sweeps) {
    if (residual <= 1e-2) rough = std::min(rough, sweeps);
    if (residual <= 1e-6) fine = std::min(fine, sweeps);
    return fine < most_sweeps;
  }
};

double cone_residual(const StepProblem& cones, const VecX& lambda) {
  return compute_relative_residual(cones, {.u = find_velocities(cones, lambda), .lambda = lambda});
}

Counts count_exact(const StepProblem& cones) {
  const GaussSeidel sweep{
      .max_sweeps = 1, .tolerance = 0.0, .local = LocalSolve::exact, .momentum = false};
  SolverWorkspace workspace;
  StepSolution solution;
  Counts out;
  for (int i = 1; i < most_sweeps; ++i) {
    solve(sweep, cones, workspace, solution);
    if (out.note(cone_residual(cones, solution.lambda), i)) break;
  }
  return out;
}

Counts count_projected(const StepProblem& cones, bool to_and_fro, double omega = 1.0) {
  ProjectedSweeps sweeps(cones, omega);
  Counts out;
  for (int i = 1; i < most_sweeps; ++i) {
    sweeps.sweep(to_and_fro && i % 2 == 0 ? SweepOrder::backwards : SweepOrder::forwards);
    if (out.note(cone_residual(cones, sweeps.lambda()), i)) break;
  }
  return out;
}

// Sweeps by Coulomb's law: until its residual is 1e-6.
template <class Sweep>
int count_coulomb(const StepProblem& coulomb, Sweep sweep) {
  for (int i = 1; i < most_sweeps; ++i)
    if (residual_of(coulomb, sweep()) <= 1e-6) return i;
  return most_sweeps;
}

// The engine's sweeps, one at a time.
auto make_sweep(const StepProblem& coulomb, LocalSolve local) {
  return [&coulomb, local, workspace = std::make_shared<SolverWorkspace>(),
          solution = StepSolution()]() mutable -> const VecX& {
    const GaussSeidel one{.max_sweeps = 1, .tolerance = 0.0, .local = local, .momentum = false};
    solve(one, coulomb, *workspace, solution);
    return solution.lambda;
  };
}

// Normal impulse first or all at once, or a projection with De Saxcé's lift.
void add_coulomb_sweeps(const Piles& piles, Experiment& out) {
  const StepProblem impact = with_coulomb(soften_contacts(without_overlaps(piles.impact), 1e-2));
  const StepProblem rest = with_coulomb(soften_contacts(without_overlaps(piles.rest), 1e-2));
  const StepProblem stack = with_coulomb(soften_contacts(make_stack(1.0), 1e-2));
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason, const char* unknown = "") {
    out.claims.push_back({.text = text,
                          .source = "(17)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason,
                          .unknown = unknown});
  };
  const int first = count_coulomb(stack, make_sweep(stack, LocalSolve::sequential));
  const int exact = count_coulomb(stack, make_sweep(stack, LocalSolve::exact));
  add("Stack of boxes, s = 1e-2: sweeps with the normal impulse first over those with all at once, "
      "to 1e-6",
      1.0, static_cast<double>(first) / exact, {0.5, 2.0}, "in kind: it converges like it");
  double least = 1e300, most = 0.0;
  for (const StepProblem* pile : {&impact, &rest}) {
    ProjectedSweeps lifted(*pile);
    const int projected = count_coulomb(*pile, [&]() -> const VecX& {
      lifted.sweep();
      return lifted.lambda();
    });
    const double ratio = static_cast<double>(projected) /
                         count_coulomb(*pile, make_sweep(*pile, LocalSolve::sequential));
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  add("Piles, s = 1e-2: sweeps that project with De Saxcé's lift over these, to 1e-6, the smaller "
      "of two",
      3.0, least, above(1.0), "in kind: more of them, 3 to 4 times as many in the notes");
  const char* unknown = "where its spheres lie, and its softness";
  add("… in numbers, the smaller", 3.0, least, {}, "", unknown);
  add("… and the larger", 4.0, most, {}, "", unknown);
}

// Contacts solved exactly or projected, and sweeps in one direction or to and fro.
void add_local_solves(const Piles& piles, Experiment& out) {
  struct Problem {
    const char* name;
    StepProblem cones;
  };
  const Problem problems[] = {
      {"Pile at rest, s = 1e-3", soften_contacts(without_overlaps(piles.rest), 1e-3)},
      {"Pile in impact, s = 1e-3", soften_contacts(without_overlaps(piles.impact), 1e-3)},
      {"Stack, s = 1e-2", soften_contacts(make_stack(1.0), 1e-2)}};
  Table table{.caption = "Sweeps over cones until the residual is 1e-2, and 1e-6.",
              .head = {"problem", "exact", "projected", "projected, to and fro"}};
  double least = 1e300, most = 0.0, tie = 0.0, slower = 0.0;
  Counts exact_rest, projected_rest;
  for (const Problem& problem : problems) {
    const Counts exact = count_exact(problem.cones);
    const Counts projected = count_projected(problem.cones, false);
    const Counts both = count_projected(problem.cones, true);
    table.rows.push_back({problem.name});
    for (const Counts& one : {exact, projected, both})
      table.rows.back().push_back(fmt::format("{} / {}", one.rough, one.fine));
    const double ratio = static_cast<double>(projected.fine) / exact.fine;
    slower = std::max(slower, static_cast<double>(both.fine) / projected.fine);
    if (&problem == &problems[2]) {
      tie = ratio;
      continue;
    }
    least = std::min(least, ratio);
    most = std::max(most, ratio);
    if (&problem == &problems[0]) exact_rest = exact, projected_rest = projected;
  }
  out.tables.push_back(table);
  struct Given {
    const char* text;
    double expected;
    int measured;
  };
  for (const Given& one :
       {Given{"Pile at rest, s = 1e-3: exact sweeps over cones to a residual of 1e-2", 24,
              exact_rest.rough},
        Given{"… and to 1e-6", 1683, exact_rest.fine},
        Given{"… projected ones to 1e-2", 55, projected_rest.rough},
        Given{"… and to 1e-6", 2866, projected_rest.fine}})
    out.claims.push_back({.text = one.text,
                          .source = "(21)",
                          .expected = one.expected,
                          .measured = static_cast<double>(one.measured),
                          .unknown = "where its spheres lie, and its factor ω"});
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "(21)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason});
  };
  add("Piles: projected sweeps to 1e-6 over exact ones, the smaller of two", 1.7, least, {1.2, 4.0},
      "in kind: 1.7 to 2.3 in the notes");
  add("… the larger", 2.3, most, {1.2, 4.0}, "as above");
  add("Stack: the same", 1.0, tie, {0.5, 2.0}, "in kind: they tie in the notes");
  add("Sweeps to and fro take more than sweeps in one direction: by a factor, the largest", 2.8,
      slower, above(1.0), "in kind: worse, by up to 2.8");
  // "1.3 stalls on stacks", without a number.
  for (const double s : {1e-2, 1e-3}) {
    const StepProblem stack = soften_contacts(make_stack(1.0), s);
    out.remarks.push_back(fmt::format(
        "Stack, s = {}, projected sweeps to 1e-6 ({}: not so soon): {} with ω = 1, {} with ω = "
        "1.3, by which stacks stall in the notes.",
        power(s), most_sweeps, count_projected(stack, false).fine,
        count_projected(stack, false, 1.3).fine));
  }
}

// Iterates of the cones of a problem, one after the other.
struct Iterates {
  const char* name;
  std::function<StepSolution()> next;
};

Iterates by_directions(const StepProblem& problem) {
  const auto directions = std::make_shared<AlternatingDirections>(problem);
  return {"alternating directions", [directions] {
            directions->advance();
            return StepSolution{.u = directions->u(), .lambda = directions->lambda()};
          }};
}

std::vector<Iterates> make_iterates(const StepProblem& problem) {
  const auto workspace = std::make_shared<SolverWorkspace>();
  const auto swept = std::make_shared<StepSolution>();
  const auto sweep = [&problem, workspace, swept] {
    const GaussSeidel fifty{
        .max_sweeps = 50, .tolerance = 0.0, .local = LocalSolve::exact, .momentum = false};
    solve(fifty, problem, *workspace, *swept);
    return *swept;
  };
  const auto path = std::make_shared<interior::CentralPath>();
  path->prepare(problem);
  path->start(problem);
  const auto follow = [&problem, path] {
    path->advance(problem);
    return path->iterate();
  };
  // It remembers more than its iterate, and is run anew.
  const auto climb = [&problem, count = 1]() mutable {
    count += std::max(1, count / 10);
    const AcceleratedGradient gradient{.max_iterations = count, .tolerance = 0.0};
    return solve_from_nothing(gradient, problem).solution;
  };
  return {{"sweeps", sweep},
          {"accelerated gradient", climb},
          by_directions(problem),
          {"interior point", follow}};
}

// The first of 4000 iterates that is as wanted.
template <class Wanted>
StepSolution find_first(const Iterates& iterates, const Wanted& wanted) {
  for (int i = 0; i < 4000; ++i) {
    StepSolution iterate = iterates.next();
    if (wanted(iterate)) return iterate;
  }
  throw std::runtime_error("no iterate is as wanted");
}

// The residual of the first iterate of alternating directions whose velocities are right to a
// tenth.
double find_residual_at_a_tenth(const StepProblem& problem) {
  const VecX exact = solve_from_nothing(InteriorPoint{}, problem).solution.u;
  return compute_relative_residual(
      problem, find_first(by_directions(problem), [&](const StepSolution& iterate) {
        return find_error(problem, iterate.u, exact) <= 0.1;
      }));
}

// How far off velocities are where a residual of 1e-4 would pass for converged.
void add_false_ends(Experiment& out) {
  const StepProblem problem = soften_contacts(make_stack(1e3), 1e-6);
  const VecX exact = solve_from_nothing(InteriorPoint{}, problem).solution.u;
  for (const Iterates& iterates : make_iterates(problem)) {
    const StepSolution end = find_first(iterates, [&](const StepSolution& iterate) {
      return compute_relative_residual(problem, iterate) <= 1e-4;
    });
    const bool path = iterates.name == std::string_view("interior point");
    out.claims.push_back(
        {.text = fmt::format("Stack, top 1000 times, s = 1e-6: error of velocities where the "
                             "residual first is 1e-4, by {}",
                             iterates.name),
         .source = "(21)",
         .expected = 0.75,
         .measured = find_error(problem, end.u, exact),
         .tolerance = {0.6, 0.9},
         .reason = "0.6 to 0.9 in the notes, whatever the solver: it is no end at all",
         .unknown = path ? "how its interior point is written; ours is an iteration or two from "
                           "its end there"
                         : ""});
  }
}

void add_residuals(const std::vector<ConeProblem>& problems, Experiment& out) {
  struct Given {
    const char* name;
    double s, residual;
  };
  std::vector<double> found;
  for (const Given& given :
       {Given{"table that slips in part", 1e-3, 4e-2}, Given{"pile at rest", 1e-3, 1e-3},
        Given{"stack, top 1000 times", 1e-5, 8e-6}}) {
    const StepProblem& problem =
        std::ranges::find(problems, given.name, &ConeProblem::name)->problem;
    found.push_back(find_residual_at_a_tenth(soften_contacts(problem, given.s)));
    out.claims.push_back(
        {.text = fmt::format("{}: residual where velocities are right to a tenth", given.name),
         .source = "(21)",
         .expected = given.residual,
         .measured = found.back(),
         .unknown = "of which solver, and at which softness"});
  }
  out.claims.push_back(
      {.text = "It cannot be compared across problems: that of the table over "
               "that of the stack with a heavy top",
       .source = "(21)",
       .expected = 5000.0,
       .measured = found.front() / found.back(),
       .tolerance = above(100.0),
       .reason = "in kind: a residual that is good for one is none for the other"});
}

}  // namespace

Experiment show_sweeps(const Effort& effort) {
  Experiment out{
      .title = "Few sweeps, and what a residual says",
      .source = "section 3.3",
      .paper_says = "Solvers for the regularized problem are future work.",
      .we_did =
          "Gauss–Seidel sweeps of Coulomb's law, normal impulse first, from nothing, without "
          "momentum: error of the velocities after 10 to 1000 sweeps, against sweeps with exact "
          "local solves until the law holds to 1e-11; sweeps over cones with contacts solved "
          "exactly or "
          "projected (ω = 1), in one direction or to and fro. Then the residual ‖λ − P(λ − "
          "w/mobility)‖/‖λ‖ "
          "of cones where alternating directions first have the velocities right to a tenth. The "
          "paper has no such numbers: they are those of a prototype."};
  const Piles piles = catch_piles(effort.quick ? 48 : 200);
  add_sweeps(piles, out);
  add_local_solves(piles, out);
  add_heavy_top(out);
  add_coulomb_sweeps(piles, out);
  add_residuals(make_cone_problems(piles), out);
  add_false_ends(out);
  return out;
}

}  // namespace ligament::papers::vi
