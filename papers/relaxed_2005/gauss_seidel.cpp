// SPDX-License-Identifier: Apache-2.0
// Section 5: residuals of Gauss–Seidel sweeps as changes of the physics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/measure/residual_map.h"
#include "ligament/simulation/run.h"
#include "papers/chance.h"
#include "papers/printed.h"
#include "papers/relaxed_2005/experiments.h"
#include "papers/scenes.h"

namespace ligament::papers {
namespace {

// A row of the notes' table.
struct Given {
  Printed infeasible, compliance, energy_rise, injected;
};

struct Sweeps {
  const char* label;
  int count;  // 0: solved exactly
  Given given;
  bool cold = false;
  const char* end_mass = "1";
};

// Of an even number the mean of the two in the middle.
double find_median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

// How a chain fell. Energies are in units of Σ m g · (distance to the pivot).
struct ChainFall {
  std::vector<double> t, energy;  // above the start
  double rows = 0.0, infeasible = 0.0;
  std::vector<double> compliances;  // [m/N] of each step the median of the rows that have physics
  double injected = 0.0;            // Σ max(0, −y r) over rows and steps
  double map_error = 0.0;           // of (S + β) y = b − α t, relative
  double work_error = 0.0;          // of the energy identity, relative

  double infeasible_share() const { return infeasible / rows; }
  double largest_energy() const { return *std::ranges::max_element(energy); }
  double median_compliance() const { return find_median(compliances); }
};

// The step problem as S y = b, dense.
struct Schur {
  MatX A, S;  // A = G M⁻¹ Gᵀ
  VecX free, b;

  explicit Schur(const StepProblem& problem) {
    const MatX G = make_dense(problem.G);
    const VecX inverse = make_dense(problem.M).diagonal().cwiseInverse();  // point masses
    A = G * inverse.asDiagonal() * G.transpose();
    S = A + MatX(problem.Sigma.asDiagonal());
    free = inverse.cwiseProduct(problem.p);
    b = problem.b - G * free;
  }
};

// K(u) − K(v_free) = −½ yᵀA y − yᵀΣ y + yᵀt − yᵀr, relative to its largest parts.
double check_work(const StepProblem& problem, const StepSolution& solution, const Schur& schur,
                  const VecX& r) {
  const VecX& y = solution.lambda;
  const VecX mass = make_dense(problem.M).diagonal();
  const double before = 0.5 * schur.free.dot(mass.cwiseProduct(schur.free));
  const double after = 0.5 * solution.u.dot(mass.cwiseProduct(solution.u));
  const double parts[] = {-0.5 * y.dot(schur.A * y), -y.dot(problem.Sigma.cwiseProduct(y)),
                          y.dot(problem.b), -y.dot(r)};
  double sum = 0.0, size = before + after;
  for (const double part : parts) {
    sum += part;
    size += std::abs(part);
  }
  return std::abs(after - before - sum) / size;
}

// The engine's map of a step, held against the dense problem.
void look_at_rows(const Workspace& work, double h, ChainFall& fall) {
  const StepProblem& problem = work.problem;
  const Schur schur(problem);
  const VecX& y = work.solution.lambda;
  const VecX Sy = schur.S * y, r = schur.b - Sy;
  fall.work_error = std::max(fall.work_error, check_work(problem, work.solution, schur, r));
  std::vector<double> compliances;
  for (int i = 0; i < y.size(); ++i) {
    fall.injected += std::max(0.0, -y(i) * r(i));
    fall.rows += 1.0;
    const RowChange change = work.error.exact ? RowChange{} : work.error[i].change;
    if (change.fate != RowFate::exact && change.fate != RowFate::feasible) {
      fall.infeasible += 1.0;
      continue;
    }
    const RowScheme& scheme = work.schemes[static_cast<std::size_t>(i)];
    compliances.push_back(recover_physics(scheme, h, problem.Sigma(i), change).compliance);
    if (change.fate == RowFate::exact) continue;
    const double size = Sy.cwiseAbs().maxCoeff() + std::abs(schur.b(i));
    const double miss = Sy(i) + change.beta * y(i) - (schur.b(i) - change.alpha * problem.b(i));
    fall.map_error = std::max(fall.map_error, std::abs(miss) / size);
  }
  if (!compliances.empty()) fall.compliances.push_back(find_median(std::move(compliances)));
}

ChainFall let_chain_fall(const Sweeps& sweeps) {
  const Scene scene = read_paper_scene("relaxed_2005/chain.json", {{"end", sweeps.end_mass}});
  Relaxed stepper = std::get<Relaxed>(scene.stepper);
  stepper.compliance_floor = 0.0;
  if (sweeps.count > 0)
    stepper.solver = GaussSeidel{.max_sweeps = sweeps.count, .tolerance = 0.0, .momentum = false};
  double scale = 0.0;
  for (const Body& body : scene.model.bodies())
    if (body.kind == BodyKind::particle)
      scale += 10.0 * body.mass * scene.model.initial_state().q(body.q_offset);
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  ChainFall fall;
  const double start = compute_energy(scene.model, state).total();
  for (long k = 0; k < scene.steps; ++k) {
    if (sweeps.cold) work.solution.lambda.setZero();
    if (!step(stepper, scene.model, state, work).ok()) break;
    look_at_rows(work, stepper.h, fall);
    fall.t.push_back(state.t);
    fall.energy.push_back((compute_energy(scene.model, state).total() - start) / scale);
  }
  fall.injected /= scale;
  return fall;
}

// The row of the table, number by number.
void add_row(const Sweeps& sweeps, const ChainFall& fall, Experiment& e) {
  const bool chaotic = sweeps.count > 0 && !sweeps.cold;
  const auto claim = [&](const char* what, const char* unit, const Printed& given,
                         double measured) {
    e.claims.push_back({.text = fmt::format("{}: {}", sweeps.label, what),
                        .source = "section 5",
                        .unit = unit,
                        .expected = given.value,
                        .measured = measured,
                        .tolerance = given.band(chaotic ? 0.02 : 0.0),
                        .reason = chaotic ? "rounds to the last digit that is given, give or take "
                                            "2 %: the motion is chaotic, and a compliance of "
                                            "1e-16 m/N, the engine's floor, changes the work of "
                                            "10 sweeps by 1.3 %"
                                          : "rounds to the last digit that is given"});
  };
  const Given& given = sweeps.given;
  claim("share of rows that are those of an unstable system", "", given.infeasible,
        fall.infeasible_share());
  claim("compliance of a middling row in a middling step", "m/N", given.compliance,
        fall.median_compliance());
  claim("largest rise of energy", "Σ m g d", given.energy_rise, fall.largest_energy());
  claim("work of the rows that inject it", "Σ m g d", given.injected, fall.injected);
}

// What the table says.
void add_claims(const ChainFall& cold, const ChainFall& warm, const ChainFall& more,
                Experiment& e) {
  const auto claim = [&](const char* text, double expected, double measured, Band band,
                         const char* reason) {
    e.claims.push_back({.text = text,
                        .source = "section 5",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = reason});
  };
  claim("Sweeps from nothing make a softer chain: its compliance over that of warm sweeps", 28.0,
        cold.median_compliance() / warm.median_compliance(), {26.4, 31.4},
        "2.3e-5 over 8e-7 m/N in the notes, as far as their digits go");
  claim("More sweeps leave as many infeasible rows: share after 200 over that after 10", 1.03,
        more.infeasible_share() / warm.infeasible_share(), {1.0, 1.057},
        "37 % and 36 %, as far as their digits go");
  claim("… but little of their work: that of 200 sweeps over that of 10", 0.005,
        more.injected / warm.injected, {0.00436, 0.00545},
        "0.005 over 1.02 in the notes, as far as their digits go");
}

// The physics that a change of a row amounts to, at random: by the closed forms of (5.5) for rigid
// rows without damping, and put back into the rows of either stepper.
void add_recovery(Experiment& e) {
  constexpr double h = 1.0 / 60;
  Chance chance(55);
  double rigid = 0.0, relaxed = 0.0, spook = 0.0;
  const auto off = [](double value, double expected) { return std::abs(value / expected - 1.0); };
  for (int i = 0; i < 1000; ++i) {
    const double alpha = chance.between(0.01, 0.99), beta = chance.magnitude(1e-9, 1.0);
    const RowChange change{.fate = RowFate::feasible, .alpha = alpha, .beta = beta};
    const double compliance = chance.magnitude(1e-12, 1e-2), time = h * chance.between(0.0, 4.0);
    const auto recover = [&](double scale, double Sigma) {
      return recover_physics({.scale = scale, .stabilizes = true}, h, Sigma, change);
    };
    const EffectivePhysics soft = recover(h * h, 0.0);
    rigid = std::max({rigid, off(soft.compliance, h * h * beta / (1.0 - alpha)),
                      off(soft.damping_time / soft.compliance, alpha / (h * beta))});
    const double Sigma = compliance / (h * (h + time));
    const EffectivePhysics back = recover(h * (h + time), Sigma);
    const double a = time + back.damping_time;
    relaxed = std::max({relaxed, off(back.compliance / (h * (h + a)), Sigma + beta),
                        off(1.0 / (h + a), (1.0 - alpha) / (h + time))});
    const auto upsilon = [](double tau) { return 1.0 / (1.0 + 4.0 * tau / h); };
    const double U = upsilon(time), Sigma_s = 4.0 * compliance * U / (h * h);
    const EffectivePhysics mild = recover(h * h / (4.0 * U), Sigma_s);
    const double slower = upsilon(time + mild.damping_time);
    spook = std::max({spook, off(4.0 * mild.compliance * slower / (h * h), Sigma_s + beta),
                      off(slower, (1.0 - alpha) * U)});
  }
  const auto claim = [&](const char* text, double measured) {
    e.claims.push_back({.text = text,
                        .source = "equation 5.5",
                        .expected = 0.0,
                        .measured = measured,
                        .tolerance = below(1e-12),
                        .reason = "an identity; 1 − α ≥ 0.01 raises roundings a hundredfold"});
  };
  claim("Rigid rows, α and β at random: c = h² β/(1 − α) and d = α/(h β), largest relative error",
        rigid);
  claim("… rows of 2005 with that compliance and damping have Σ + β and (1 − α) t", relaxed);
  claim("… rows of 2007", spook);
}

constexpr double percent = 0.01, thousandth = 1e-3;
// Exact rows have no compliance: 1e-12 m/N is what roundings may leave.
const Sweeps kinds[] = {
    {"exact", 0, {{0, percent}, {0, 2e-12}, {.005, thousandth}, {0, thousandth}}},
    {"10 sweeps, cold",
     10,
     {{.01, percent}, {2.3e-5, 1e-6}, {0, thousandth}, {0, thousandth}},
     true},
    {"10 sweeps, warm", 10, {{.36, percent}, {8e-7, 1e-7}, {.153, thousandth}, {1.02, .01}}},
    {"50 sweeps, warm", 50, {{.37, percent}, {1.5e-8, 1e-9}, {.018, thousandth}, {.12, .01}}},
    {"200 sweeps, warm",
     200,
     {{.37, percent}, {3e-10, 1e-10}, {.005, thousandth}, {.005, thousandth}}},
    {"10 sweeps, warm, end ×10",
     10,
     {{.37, percent}, {2e-7, 1e-7}, {.395, thousandth}, {2.23, .01}},
     false,
     "10"}};

}  // namespace

Experiment run_gauss_seidel(const Effort&) {
  Experiment e{
      .title = "Gauss–Seidel residuals are physics",
      .source = "section 5, equation 5.5",
      .paper_says =
          "An approximate impulse is the exact one of a machine with other compliance and damping. "
          "At best the sweeps add both; at worst no positive pair exists and the approximate step "
          "is that of an unstable system.",
      .we_did =
          "A chain of 20 point masses, 1 kg and 1 m apart, let go at the horizontal, c = 0, "
          "h = 1/60 s, 10 s, with a fixed number of sweeps a step. Of every row of every step "
          "the residual is explained by the least change of physics; the compliance of a run is "
          "the median over its steps of the median over the rows of a step that have physics, "
          "which the notes do not say and which gives their numbers. Energies are in units of "
          "Σ m g · (distance to the pivot). Scene papers/relaxed_2005/chain.json."};
  Figure figure{.title = "Energy of the chain",
                .x = {.label = "time [s]"},
                .y = {.label = "energy above the start [Σ m g d]", .range = {{-0.4, 0.45}}}};
  Table table{.caption = "What the sweeps stand for",
              .head = {"solver", "infeasible rows", "median compliance [m/N]",
                       "largest rise of energy", "work of the rows that inject it"}};
  std::vector<ChainFall> falls;
  double map_error = 0.0, work_error = 0.0;
  for (const Sweeps& kind : kinds) {
    ChainFall& fall = falls.emplace_back(let_chain_fall(kind));
    figure.curves.push_back({.label = kind.label, .x = fall.t, .y = fall.energy});
    table.rows.push_back({kind.label, fmt::format("{:.1f} %", 100.0 * fall.infeasible_share()),
                          fmt::format("{:.2g}", fall.median_compliance()),
                          fmt::format("{:.3f}", fall.largest_energy()),
                          fmt::format("{:.3f}", fall.injected)});
    add_row(kind, fall, e);
    map_error = std::max(map_error, fall.map_error);
    work_error = std::max(work_error, fall.work_error);
  }
  add_claims(falls[1], falls[2], falls[4], e);
  e.claims.push_back({.text = "With the changed physics the impulses are exact: largest relative "
                              "error of (S + β) y = b − α t",
                      .source = "equation 5.5",
                      .expected = 1e-14,
                      .measured = map_error,
                      .tolerance = below(1e-12),
                      .reason = "an identity: sums of some ten terms, rounded, of rows that are "
                                "not solved to rounding",
                      .correction =
                          "In section 5, b is t − G M⁻¹ f, with a minus, the residual c is "
                          "S y − b, \"kinematic\" means velocity constraints, and α < 1 is "
                          "needed as well as α, β ≥ 0. Equation 5.5 itself is right; it "
                          "gives one equation for two unknowns, of which we take the "
                          "smallest pair."});
  e.claims.push_back({.text = "The inexact part of the solution adds the energy −yᵀr: largest "
                              "relative error of the balance",
                      .source = "section 5",
                      .expected = 1e-12,
                      .measured = work_error,
                      .tolerance = below(1e-12),
                      .reason = "an identity of quadratic forms, rounded"});
  add_recovery(e);
  e.pictures.push_back({"energy", std::move(figure),
                        "Sweeps that start from the impulses of the last step are more accurate, "
                        "and active"});
  e.tables.push_back(std::move(table));
  e.remarks = {
      "The share of infeasible rows does not fall with more sweeps; their work does. So "
      "judge a solve by Σ max(0, −y r), and find by the rows where it is wrong."};
  return e;
}

}  // namespace ligament::papers
