// SPDX-License-Identifier: Apache-2.0
// What the velocity correction changes, and how good one step is.
#include <algorithm>
#include <cmath>

#include "ligament/steppers/words.h"
#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/orders.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

Impulse uncorrected(Impulse method) {
  method.velocity_correction = false;
  return method;
}

Claim order_claim(const std::string& text, const char* source, double expected, double measured,
                  double room = 0.1) {
  return {.text = text,
          .source = source,
          .expected = expected,
          .measured = measured,
          .tolerance = {expected - room, expected + room},
          .reason = "the next term of the expansion at the largest steps"};
}

struct LocalErrors {
  std::vector<double> h{0.01, 0.005, 0.0025};
  std::vector<double> x, v, v_raw, x_taylor, v_taylor, impulse;
};

// One step from an exact state; λ at the start from one tiny step of Taylor.
LocalErrors measure_one_step(const Machine& machine) {
  const Model& model = machine.model;
  Workspace work(model);
  State state = machine.start;
  const double tiny = 1e-9;
  take_step(model, Taylor{.h = tiny}, state, work);
  const VecX force = work.solution.lambda / tiny;
  LocalErrors out;
  for (const double h : out.h) {
    const State truth =
        fly(machine,
            Impulse{.h = h / 4, .tolerance = 1e-15, .higher_order = HigherOrder::extrapolation_8},
            h)
            .state;
    const Impulse method{.h = h, .tolerance = 1e-15};
    const auto add = [&](const Stepper& stepper, std::vector<double>* x, std::vector<double>* v) {
      const State end = fly(machine, stepper, h).state;
      if (x) x->push_back(position_error(model, end, truth));
      v->push_back(velocity_error(model, end, truth));
    };
    add(method, &out.x, &out.v);
    add(uncorrected(method), nullptr, &out.v_raw);
    add(Taylor{.h = h}, &out.x_taylor, &out.v_taylor);
    state = machine.start;
    take_step(model, uncorrected(method), state, work);
    out.impulse.push_back((work.solution.lambda - 0.5 * h * force).norm());
  }
  return out;
}

void add_local_claims(const Machine& machine, Experiment& out) {
  const LocalErrors e = measure_one_step(machine);
  const char* source = "section 8, one step";
  out.claims.push_back(
      order_claim("Error of positions after one step", source, 3.0, fit_order(e.h, e.x)));
  out.claims.push_back(order_claim("Error of velocities after one step, corrected", source, 3.0,
                                   fit_order(e.h, e.v)));
  out.claims.push_back(order_claim("Error of velocities after one step, not corrected", source, 1.0,
                                   fit_order(e.h, e.v_raw)));
  out.claims.push_back(order_claim("Taylor: error of positions after one step", "section 6", 3.0,
                                   fit_order(e.h, e.x_taylor)));
  out.claims.push_back(order_claim("Taylor: error of velocities after one step", "section 6", 2.0,
                                   fit_order(e.h, e.v_taylor)));
  out.claims.back().correction =
      "Sections 6 and 8 give the Taylor method a truncation error of O(h³). That is true of "
      "positions; velocities are O(h²) in a step, as (6.12) itself has them, and the method is "
      "globally of first order.";
  out.claims.push_back(order_claim("|x − (h/2) λ|: the step gives half of the constraint's impulse",
                                   source, 2.0, fit_order(e.h, e.impulse)));
}

// The largest rate of a row over 1 s at the ends of steps, by the velocities of its bodies.
double find_row_rate(const Machine& machine, const Stepper& stepper) {
  State state = machine.start;
  Workspace work(machine.model), scratch(machine.model);
  double largest = 0.0;
  for (long i = 0; i < std::lround(1.0 / step_size(stepper)); ++i) {
    take_step(machine.model, stepper, state, work);
    build_rows(machine.model, state, scratch);
    VecX rate(scratch.problem.G.rows);
    multiply(scratch.problem.G, state.v, rate);
    largest = std::max(largest, rate.lpNorm<Eigen::Infinity>());
  }
  return largest;
}

// The largest error of a rod over some seconds, one value for each of them.
std::vector<double> watch_gaps(const Machine& machine, const Stepper& stepper, int seconds) {
  Machine now = machine;
  std::vector<double> out;
  for (int i = 0; i < seconds; ++i) {
    const Flight flight = fly(now, stepper, 1.0);
    now.start = flight.state;
    out.push_back(flight.gap);
  }
  return out;
}

// One linear system a step, with the joints' errors in it and no springs: eq. (6) of the
// regularized method of 2011, s = 0, beside the impulses of this paper.
void add_linear_step(const Machine& machine, Experiment& out) {
  const auto method = [](double h) {
    return RegularizedVi{.h = h, .solver = Direct{}, .compliance_floor = 0.0};
  };
  const State truth = find_truth(machine, 1.0);
  std::vector<double> x;
  double gap = 0.0;  // over h²
  for (const double h : table_steps) {
    const Flight flight = fly(machine, method(h), 1.0);
    x.push_back(position_error(machine.model, flight.state, truth));
    gap = flight.gap / (h * h);
  }
  out.claims.push_back(order_claim("One linear system a step (2011, eq. 6), triple pendulum: order",
                                   "section 5", 0.98, fit_last_order(table_steps, x, 3), 0.12));
  out.claims.push_back({.text = "… largest error of a rod over 1 s, h = 0.0025",
                        .source = "section 5",
                        .unit = "h² m/s²",
                        .expected = 23.0,
                        .measured = gap,
                        .tolerance = {22.5, 23.5},
                        .reason = "rounds to the two digits that are given"});
  std::vector<double> rates;
  for (const double h : table_steps) rates.push_back(find_row_rate(machine, method(h)));
  out.claims.push_back(order_claim("… order of what velocities leave in the rows", "section 5", 1.0,
                                   fit_last_order(table_steps, rates, 3), 0.12));
  const std::vector<double> gaps = watch_gaps(machine, method(0.005), 40);
  const double first = *std::max_element(gaps.begin(), gaps.begin() + 10);
  const double last = *std::max_element(gaps.end() - 10, gaps.end());
  const auto add = [&](const char* text, double expected, double measured) {
    out.claims.push_back({.text = text,
                          .source = "section 5",
                          .unit = "m",
                          .expected = expected,
                          .measured = measured,
                          .unknown = "the path: it is chaotic after some seconds"});
  };
  add("… over the first 10 s of 40, h = 0.005", 2.0e-3, first);
  add("… and over the last 10 s", 1.6e-3, last);
  out.claims.push_back(
      {.text = "… it does not add up: the last 10 s over the first",
       .source = "section 5",
       .expected = 0.8,
       .measured = last / first,
       .tolerance = below(1.5),
       .reason = "it goes as the square of the speeds, whose bound is the energy"});
}

void add_taylor_errors(const std::vector<double>& x, Experiment& out) {
  const double taylor[] = {4.67e-1, 2.61e-1, 1.38e-1, 7.11e-2};
  for (std::size_t i = 0; i < table_steps.size(); ++i)
    out.claims.push_back(
        {.text = fmt::format("Taylor method, h = {}: error of positions at 1 s", table_steps[i]),
         .source = "section 6",
         .unit = "m",
         .expected = taylor[i],
         .measured = x[i],
         .unknown =
             "how the acceleration of a step is taken: the constants differ, not the order"});
}

}  // namespace

Experiment show_velocity_correction(const Effort&) {
  Experiment out{
      .title = "Velocity correction, and the Taylor method",
      .source = "sections 2, 4, 6 and 8",
      .paper_says =
          "After a step velocities may be corrected so that they obey the joints. The "
          "truncation error is O(h³), as that of a Taylor series of the equations of motion.",
      .we_did =
          "Pendulums of two and three masses and the cuboid over 1 s, with and without the "
          "correction, and by the Taylor method; then single steps of the triple pendulum from "
          "an exact state, and the same pendulum by one linear system a step."};
  double apart = 0.0;
  Figure figure{.title = "Error of velocities at 1 s, double pendulum",
                .x = {.label = "step h [s]", .logarithmic = true},
                .y = {.label = "error [m/s]", .logarithmic = true}};
  std::vector<Case> cases = read_cases();
  cases.resize(3, cases.front());
  for (const Case& test : cases) {
    const Machine& machine = test.machine;
    const State truth = find_truth(machine, 1.0);
    std::vector<double> with, without;
    for (const double h : table_steps) {
      const State a = fly(machine, table_method(h), 1.0).state;
      const State b = fly(machine, uncorrected(table_method(h)), 1.0).state;
      apart = std::max(apart, (a.q - b.q).lpNorm<Eigen::Infinity>());
      with.push_back(velocity_error(machine.model, a, truth));
      without.push_back(velocity_error(machine.model, b, truth));
    }
    out.claims.push_back(
        order_claim(fmt::format("{}: order of velocities without the correction", machine.name),
                    "(2.7)", 1.0, fit_last_order(table_steps, without, 3), 0.12));
    if (!figure.curves.empty()) continue;
    figure.curves.push_back(
        {.label = "corrected", .x = table_steps, .y = with, .mark = Mark::both});
    figure.curves.push_back(
        {.label = "not corrected", .x = table_steps, .y = without, .mark = Mark::both});
  }
  out.claims.push_back(
      {.text = "Positions with and without the correction differ by",
       .source = "(2.7)",
       .unit = "m",
       .expected = 0.0,
       .measured = apart,
       .tolerance = below(1e-11),
       .reason = "the correction lies in the directions of the next step's impulses: roundings and "
                 "tolerances of 1e-13 add up over 400 steps"});
  const Machine& pendulum = cases.front().machine;
  const State truth = find_truth(pendulum, 1.0);
  std::vector<double> x, v;
  for (const double h : table_steps) {
    const State end = fly(pendulum, Taylor{.h = h}, 1.0).state;
    x.push_back(position_error(pendulum.model, end, truth));
    v.push_back(velocity_error(pendulum.model, end, truth));
  }
  figure.curves.push_back({.label = "Taylor", .x = table_steps, .y = v, .mark = Mark::both});
  out.claims.push_back(order_claim("Taylor method: global order of positions", "section 6", 1.0,
                                   fit_last_order(table_steps, x, 3), 0.12));
  out.claims.push_back(order_claim("… and of velocities", "section 6", 1.0,
                                   fit_last_order(table_steps, v, 3), 0.12));
  add_taylor_errors(x, out);
  const Machine triple = read_machine("triple_pendulum");
  add_local_claims(triple, out);
  add_linear_step(triple, out);
  figure.curves.push_back(make_guide("h²", 2.0, figure.curves[0]));
  out.pictures.push_back({.file = "velocities",
                          .figure = figure,
                          .caption = "Second order with the correction, first order without it."});
  out.tables.push_back({.caption = "Taylor method, double pendulum: errors of positions at 1 s.",
                        .head = {"h [s]", "0.02", "0.01", "0.005", "0.0025"},
                        .rows = {{"error [m]", cell(x[0]), cell(x[1]), cell(x[2]), cell(x[3])},
                                 {"prototype", "0.467", "0.261", "0.138", "0.0711"}}});
  return out;
}

}  // namespace ligament::papers::impulse
