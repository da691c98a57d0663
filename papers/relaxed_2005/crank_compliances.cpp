// SPDX-License-Identifier: Apache-2.0
// The compliances of figure 6.13: what eliminations make of them at the floor of double precision.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ligament/steppers/words.h"
#include "papers/chance.h"
#include "papers/printed.h"
#include "papers/relaxed_2005/crank.h"

namespace ligament::papers {
namespace {

// A column of the notes' table.
struct Rows {
  const char *type, *damping, *label;
  const char* given;  // [m] error of the load, as printed
  double factor;      // of h² w² L in its closed form
  int at_the_floor;   // of ten machines, how many pass with c = 1e-16

  // The engine's floor of compliance is off.
  std::vector<Override> overrides(const char* compliance) const {
    return {{"compliance", compliance},
            {"stepper.type", type},
            {"damping_steps", damping},
            {"compliance_floor", "0"},
            {"solver", "direct"}};
  }
  // Of a turn from the closed form, relative.
  double find_deviation(const CrankTurn& turn) const {
    const double closed = factor * std::pow(0.5 * std::numbers::pi / 60.0, 2);
    return turn.passed() ? std::abs(turn.error / closed - 1.0) : 1e300;
  }
};

const Rows kinds[] = {{"relaxed", "0", "2005, a = 0", "6.85e-4", 1.0, 10},
                      {"relaxed", "2", "2005, a = 2 h", "2.05e-3", 3.0, 0},
                      {"spook", "2", "2007, θ = 2", "1.71e-3", 2.5, 3}};

void add_claim(std::string text, double expected, double measured, Band band, std::string reason,
               Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "figure 6.13",
                      .expected = expected,
                      .measured = measured,
                      .tolerance = band,
                      .reason = std::move(reason)});
}

// What a compliance is to be compared with: the floor of an elimination is its rounding.
void add_mobility(Experiment& e) {
  const Scene scene = read_paper_scene(crank_scene, {});
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  step(scene.stepper, scene.model, state, work);
  VecX mobility;
  compute_row_mobility(work.problem, mobility);
  e.claims.push_back({.text = "Largest diagonal entry of S, extended: its rounding is 2.7e-13",
                      .source = "section 6.2",
                      .unit = "1/kg",
                      .expected = 1200.0,
                      .measured = mobility.maxCoeff(),
                      .tolerance = within(1200.0, 1e-12),
                      .reason = "crank and rod about their own axes, 600 each: rounding"});
  for (const auto& [c, damping, Sigma] : {std::array{"1e-20", "0", "3.6e-17"},
                                          {"1e-18", "0", "3.6e-15"},
                                          {"1e-16", "0", "3.6e-13"},
                                          {"1e-16", "2", "1.2e-13"}}) {
    const Scene at = read_paper_scene(crank_scene, {{"compliance", c}, {"damping_steps", damping}});
    Relaxed relaxed = std::get<Relaxed>(at.stepper);
    relaxed.compliance_floor = 0.0;
    State still = at.model.initial_state();
    Workspace rows(at.model);
    step(relaxed, at.model, still, rows);
    e.claims.push_back({.text = fmt::format("Σ of its joints, c = {}, a = {} h", c, damping),
                        .source = "equation 4.4",
                        .unit = "1/kg",
                        .expected = printed(Sigma).value,
                        .measured = rows.problem.Sigma(0),
                        .tolerance = printed(Sigma).band(),
                        .reason = "c/(h (h + a)), to the digits that are given"});
  }
}

struct Trial {
  double c;  // [m/N]
  const Rows* rows;
  CrankTurn turn;
};

std::vector<Trial> try_compliances(Table& table) {
  std::vector<Trial> trials;
  for (const char* c : {"1e-20", "1e-18", "1e-16", "1e-15", "1e-14", "1e-12", "1e-8", "1e-6"}) {
    std::vector<std::string>& row = table.rows.emplace_back(1, c);
    for (const Rows& rows : kinds) {
      trials.push_back({std::stod(c), &rows, turn_crank(rows.overrides(c))});
      const CrankTurn& turn = trials.back().turn;
      row.push_back(turn.passed() ? fmt::format("{:.3e}", turn.error)
                                  : fmt::format("breaks down at step {}", turn.report.steps));
    }
  }
  return trials;
}

// Joints give way by no more than c times the largest sum of forces of a step.
void add_soft(const Trial& trial, Experiment& e) {
  const auto& [c, rows, turn] = trial;
  const Printed given = printed(rows->given);
  add_claim(rows == kinds ? fmt::format("At c = 1e-6 they pass, but the three digits of the notes "
                                        "are lost, as joints give way: error by {}",
                                        rows->label)
                          : fmt::format("… by {}", rows->label),
            given.value, turn.passed() ? turn.error : std::nan(""),
            {given.band().low, given.band().high + c * turn.force},
            fmt::format("that of stiffer joints, and c times the largest sum of forces of a step, "
                        "{:.0f} N",
                        turn.force),
            e);
  e.claims.back().unit = std::string("m");
}

// Of one machine, which compliances pass.
void add_compliances(Experiment& e) {
  Table table{.caption =
                  "Largest error of the load [m] over 6 s, or the step at which elimination "
                  "broke down, with the engine's floor of compliance off",
              .head = {"c", "2005, a = 0", "2005, a = 2 h", "2007, θ = 2"}};
  const std::vector<Trial> trials = try_compliances(table);
  e.tables.push_back(std::move(table));
  double worst = 0.0;
  std::array<double, 2> early{};  // steps at 1e-20 and 1e-18
  bool named = true, finite = true;
  for (const auto& [c, rows, turn] : trials) {
    finite = finite && turn.finite;
    if (c > 3e-15 && c < 3e-8) worst = std::max(worst, rows->find_deviation(turn));
    if (c > 2e-18) continue;
    double& latest = early[c < 1e-19 ? 0 : 1];
    latest = std::max(latest, static_cast<double>(turn.report.steps));
    named = named && !turn.passed() && turn.report.failure.find('"') != std::string::npos;
  }
  add_claim("At c = 1e-20 the elimination breaks down: steps taken, at the most", 0.0, early[0],
            exactly(0.0),
            "Σ = 3.6e-17 is below the rounding of the diagonal of S, 2.7e-13, and three rows are "
            "redundant in every pose",
            e);
  add_claim("… and at c = 1e-18", 0.0, early[1], exactly(0.0), "Σ = 3.6e-15 is as well", e);
  add_claim("… reported with the name of a joint; no number is lost (1: yes)", 1.0,
            named && finite ? 1.0 : 0.0, exactly(1.0), "", e);
  add_claim(
      "From c = 1e-14 to 1e-8 every method passes, with the error of the closed form: "
      "largest relative deviation",
      0.0, worst, below(0.005),
      "the next order is (h w)² of it; hinges give by c times some newtons", e);
  for (const Trial& trial : trials)
    if (trial.c > 5e-7) add_soft(trial, e);
  worst = 0.0;
  for (const Rows& rows : kinds)
    worst = std::max(worst, rows.find_deviation(turn_crank({{"compliance", "1e-20"},
                                                            {"stepper.type", rows.type},
                                                            {"damping_steps", rows.damping}})));
  add_claim(
      "With rows raised to 1000 roundings of the diagonal of S all pass at c = 1e-20: "
      "largest relative deviation from the closed form",
      0.0, worst, below(0.005), "as above", e);
}

Stand draw_stand(Chance& chance) {
  Stand stand;
  for (int k = 0; k < 3; ++k) stand.at(k) = chance.around_zero();
  for (int k = 0; k < 4; ++k) stand.turn.coeffs()(k) = chance.around_zero();
  stand.turn.normalize();
  return stand;
}

// How many machines of ten that stand at random pass, and their errors.
struct Stands {
  int passed = 0;
  double least = 1e300, most = 0.0;  // [m] largest errors of the load of those

  // The one that is farthest from what is given.
  double farthest(double given) const { return given - least > most - given ? least : most; }
};

Stands turn_ten(const Rows& rows, const char* compliance) {
  Chance chance(611);
  Stands out;
  for (int i = 0; i < 10; ++i) {
    const CrankTurn turn = turn_crank(rows.overrides(compliance), draw_stand(chance));
    if (!turn.passed()) continue;
    ++out.passed;
    out.least = std::min(out.least, turn.error);
    out.most = std::max(out.most, turn.error);
  }
  return out;
}

// Of those ten, how many a dense Cholesky's factor of S gets through at c = 1e-16. They move with
// c = 1e-12, which is the same to 1e-11 m, and only Σ is what it were.
int count_by_cholesky(const Rows& rows) {
  std::vector<Override> overrides = rows.overrides("1e-12");
  overrides.push_back({"stepper.gyroscopic", "kick_drift"});  // M is symmetric then
  Chance chance(611);
  int passed = 0;
  for (int i = 0; i < 10; ++i) {
    bool whole = true;
    const auto eliminate = [&](const Sample& sample) {
      if (!sample.report || !whole) return;
      const StepProblem& problem = sample.work.problem;
      const MatX G = make_dense(problem.G);
      MatX S = G * make_dense(problem.M).llt().solve(G.transpose());
      S.diagonal() += 1e-4 * problem.Sigma;
      whole = Eigen::LLT<MatX>(S).info() == Eigen::Success;
    };
    turn_crank(overrides, draw_stand(chance), {eliminate});
    passed += whole ? 1 : 0;
  }
  return passed;
}

// At the rounding of S: by the engine, and as the notes eliminate.
void add_floor(const Rows& rows, int passed, Experiment& e) {
  const double expected = rows.at_the_floor;
  add_claim(fmt::format("Ten stands, c = 1e-16, {}: machines that pass", rows.label), expected,
            passed, {}, "", e);
  e.claims.back().unknown = "which ten poses, and its elimination: Σ is at the rounding of S";
  add_claim("… by Cholesky's factor of S, dense", expected, count_by_cholesky(rows),
            expected == 0.0 ? Band{0.0, 2.0} : exactly(expected),
            expected == 0.0
                ? "as the notes eliminate: Σ = 1.2e-13 is below the rounding of S, "
                  "2.7e-13, which may help one machine or two"
                : "as the notes eliminate: Σ = 3.6e-13 is above the rounding of S, 2.7e-13",
            e);
  if (expected == 3.0) e.claims.back().unknown = "which ten poses";
}

// The table of the notes: ten rigid turns and shifts of the whole machine.
void add_stands(const Effort& effort, Experiment& e) {
  Table table{.caption = "Machines that pass, of ten that stand in the world at random",
              .head = {"c", "2005, a = 0", "2005, a = 2 h", "2007, θ = 2"}};
  std::vector<const char*> compliances{"1e-20", "1e-18", "1e-16", "1e-15", "1e-10"};
  if (effort.quick) compliances = {"1e-20", "1e-16", "1e-10"};
  for (const char* c : compliances) table.rows.push_back({c});
  for (const Rows& rows : kinds)
    for (std::size_t i = 0; i < compliances.size(); ++i) {
      const double c = std::stod(compliances[i]);
      const Stands found = turn_ten(rows, compliances[i]);
      table.rows[i].push_back(fmt::format("{}", found.passed));
      if (c > 1e-17 && c < 3e-16) {
        add_floor(rows, found.passed, e);
        continue;
      }
      const double expected = c < 1e-17 ? 0.0 : 10.0;
      add_claim(
          fmt::format("Ten stands, c = {}, {}: machines that pass", compliances[i], rows.label),
          expected, found.passed, exactly(expected),
          "a count: Σ is far from the rounding of S, whatever the pose", e);
      if (expected == 0.0) continue;
      const Printed given = printed(rows.given);
      add_claim(fmt::format("… largest error of the load, farthest from {} m", rows.given),
                given.value, found.farthest(given.value), given.band(),
                "the three digits that are given", e);
      e.claims.back().unit = std::string("m");
    }
  e.tables.push_back(std::move(table));
}

}  // namespace

void add_crank_compliances(const Effort& effort, Experiment& e) {
  add_mobility(e);
  add_compliances(e);
  add_stands(effort, e);
}

}  // namespace ligament::papers
