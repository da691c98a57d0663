// SPDX-License-Identifier: Apache-2.0
// Section 5: residuals of Gauss–Seidel sweeps as changes of the physics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/measure/residual_map.h"
#include "ligament/simulation/run.h"
#include "papers/relaxed_2005/experiments.h"
#include "papers/scenes.h"

namespace ligament::papers {
namespace {

struct Sweeps {
  const char* label;
  int count;  // 0: solved exactly
  bool cold = false;
  const char* end_mass = "1";
};

// How a chain fell. Energies are in units of Σ m g · (distance to the pivot).
struct ChainFall {
  std::vector<double> t, energy;  // above the start
  double rows = 0.0, infeasible = 0.0;
  std::vector<double> compliances;  // [m/N] of the rows that have physics
  double injected = 0.0;            // Σ max(0, −y r) over rows and steps
  double map_error = 0.0;           // of (S + β) y = b − α t, relative
  double work_error = 0.0;          // of the energy identity, relative

  double infeasible_share() const { return infeasible / rows; }
  double largest_energy() const { return *std::ranges::max_element(energy); }
  double median_compliance() {
    const auto middle = compliances.begin() + static_cast<std::ptrdiff_t>(compliances.size() / 2);
    std::ranges::nth_element(compliances, middle);
    return *middle;
  }
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

void look_at_rows(const StepProblem& problem, const StepSolution& solution, double h,
                  ChainFall& fall) {
  const Schur schur(problem);
  const VecX& y = solution.lambda;
  const VecX Sy = schur.S * y, r = schur.b - Sy;
  const RowScheme rigid{.scale = h * h, .stabilizes = true};  // c = h² β/(1 − α), equation 5.5
  fall.work_error = std::max(fall.work_error, check_work(problem, solution, schur, r));
  for (int i = 0; i < y.size(); ++i) {
    const double t = problem.b(i);
    fall.injected += std::max(0.0, -y(i) * r(i));
    fall.rows += 1.0;
    const InexactRow row{.r = r(i), .lambda = y(i), .target = t, .mobility = schur.S(i, i)};
    constexpr double rounding = 1e-13;
    const RowChange change = explain_row(
        row, rounding * (std::abs(row.mobility * y(i)) + std::abs(t) + std::abs(schur.b(i))));
    if (change.fate != RowFate::exact && change.fate != RowFate::feasible) {
      fall.infeasible += 1.0;
      continue;
    }
    fall.compliances.push_back(recover_physics(rigid, h, 0.0, change).compliance);
    const double size = Sy.cwiseAbs().maxCoeff() + std::abs(schur.b(i));
    const double miss = Sy(i) + change.beta * y(i) - (schur.b(i) - change.alpha * t);
    fall.map_error = std::max(fall.map_error, std::abs(miss) / size);
  }
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
    look_at_rows(work.problem, work.solution, stepper.h, fall);
    fall.t.push_back(state.t);
    fall.energy.push_back((compute_energy(scene.model, state).total() - start) / scale);
  }
  fall.injected /= scale;
  return fall;
}

void add_claims(const ChainFall& exact, const ChainFall& cold, const ChainFall& warm,
                const ChainFall& more, Experiment& e) {
  const auto claim = [&](const char* text, double expected, double measured, Band band,
                         const char* reason) {
    e.claims.push_back({.text = text,
                        .source = "section 5",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = reason});
  };
  claim("Solved exactly, every row has physics: share of infeasible rows", 0.0,
        exact.infeasible_share(), exactly(0.0), "");
  claim("… and the energy has the ripple of the step: largest rise", 0.005, exact.largest_energy(),
        below(0.01), "velocities are half a step ahead: h v g/2 of each mass");
  claim("10 sweeps from nothing make a softer chain: share of infeasible rows", 0.01,
        cold.infeasible_share(), below(0.05), "");
  claim("… that never gains energy: largest rise", 0.0, cold.largest_energy(), below(0.005),
        "below the ripple of the exact solution");
  claim("10 sweeps from the last impulses: a third of the rows are those of an unstable system",
        0.36, warm.infeasible_share(), above(0.2), "");
  claim("… and the chain gains energy: largest rise", 0.153, warm.largest_energy(), above(0.05),
        "ten times the ripple; the motion is chaotic");
  claim("More sweeps leave as many such rows: share after 200", 0.37, more.infeasible_share(),
        above(0.2), "");
  claim("… but little of their work: that of 200 sweeps over that of 10", 0.005,
        more.injected / warm.injected, below(0.05), "");
}

// The table of the notes, column by column.
void add_table(std::span<const Sweeps> kinds, std::span<ChainFall> falls, Experiment& e) {
  struct Noted {
    double infeasible, compliance, rise, work;  // negative: not given, or claimed above
  };
  const Noted noted[] = {{-1.0, -1.0, -1.0, -1.0},    {-1.0, 2.3e-5, -1.0, -1.0},
                         {0.36, 8e-7, 0.153, 1.02},   {0.37, 1.5e-8, 0.018, 0.12},
                         {0.37, 3e-10, 0.005, 0.005}, {0.37, 2e-7, 0.395, 2.23}};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto add = [&](const char* what, double expected, double measured, const char* unknown) {
      if (expected < 0.0) return;
      e.claims.push_back({.text = fmt::format("{}: {}", kinds[i].label, what),
                          .source = "section 5",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = within(expected, 0.15),
                          .reason = "one to three digits are given",
                          .unknown = unknown});
    };
    add("share of infeasible rows", noted[i].infeasible, falls[i].infeasible_share(), "");
    add("median compliance that the sweeps stand for [m/N]", noted[i].compliance,
        falls[i].median_compliance(), "which rows and steps its median is of");
    add("largest rise of the energy", noted[i].rise, falls[i].largest_energy(), "");
    add("work of the rows that inject it", noted[i].work, falls[i].injected, "");
  }
}

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
          "the residual is explained by the least change of physics. Energies are in units of "
          "Σ m g · (distance to the pivot). Scene papers/relaxed_2005/chain.json."};
  const Sweeps kinds[] = {{"exact", 0},
                          {"10 sweeps, cold", 10, true},
                          {"10 sweeps, warm", 10},
                          {"50 sweeps, warm", 50},
                          {"200 sweeps, warm", 200},
                          {"10 sweeps, warm, end ×10", 10, false, "10"}};
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
    map_error = std::max(map_error, fall.map_error);
    work_error = std::max(work_error, fall.work_error);
  }
  add_claims(falls[0], falls[1], falls[2], falls[4], e);
  add_table(kinds, falls, e);
  e.claims.push_back({.text = "With the changed physics the impulses are exact: largest relative "
                              "error of (S + β) y = b − α t",
                      .source = "equation 5.5",
                      .expected = 1e-14,
                      .measured = map_error,
                      .tolerance = below(1e-10),
                      .reason = "an identity: rounding of 20 products",
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
                      .tolerance = below(1e-9),
                      .reason = "an identity of quadratic forms, rounded"});
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
