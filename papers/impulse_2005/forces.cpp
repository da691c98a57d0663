// SPDX-License-Identifier: Apache-2.0
// Forces other than gravity: where in the step they act decides the order. The step of the paper
// for three point masses on rods, written out, with a spring or with drag; and the engine's own.
#include <algorithm>
#include <cmath>

#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/impulse_2005/written_chain.h"
#include "papers/orders.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

const std::vector<double> steps{0.01, 0.005, 0.0025, 0.00125};

// Errors of positions and velocities together at 1 s.
std::vector<double> find_errors(const Machine& machine, const Forces& forces, Forcing rule) {
  WrittenChain truth(machine, forces);
  for (int i = 0; i < 8000; ++i) truth.step_by_runge_kutta(1.0 / 8000);
  std::vector<double> out;
  for (const double h : steps) {
    WrittenChain chain(machine, forces);
    for (long i = 0; i < std::lround(1.0 / h); ++i) chain.step(h, rule);
    out.push_back(std::hypot((chain.x - truth.x).norm(), (chain.v - truth.v).norm()));
  }
  return out;
}

std::vector<double> find_engine_errors(const Machine& tied) {
  const State truth = fly(tied, table_method(1.0 / 16384), 1.0).state;
  std::vector<double> out;
  for (const double h : steps) {
    const State end = fly(tied, table_method(h), 1.0).state;
    out.push_back(
        std::hypot(position_error(tied.model, end, truth), velocity_error(tied.model, end, truth)));
  }
  return out;
}

}  // namespace

Experiment show_forces(const Effort&) {
  Experiment out{
      .title = "Other forces",
      .source = "section 1",
      .paper_says = "The method is for any forces; the proofs are for gravity.",
      .we_did =
          "The triple pendulum of the tables over 1 s, h = 0.01 … 0.00125: with a spring of "
          "20 N/m from its last mass to a peg, or with drag of 0.5 or 5 N s/m on each mass, by a "
          "step "
          "that is written out; and with a spring, and a damper, by the engine. Truth is a "
          "Runge–Kutta method of order four on the accelerations, and the engine's own at "
          "h = 1/16384."};
  const Machine triple = read_machine("triple_pendulum");
  const Forces spring{.stiffness = 20.0}, drag{.drag = 0.5}, strong{.drag = 5.0};
  struct Row {
    const char *label, *text;
    double expected;
    std::vector<double> errors;
    const char* unknown = "";
  };
  const std::vector<Row> rows{
      {"spring, kicks", "A force in halves before and after the flight: order", 2.0,
       find_errors(triple, spring, Forcing::kicks)},
      {"spring, frozen", "A force frozen over the step: order", 1.0,
       find_errors(triple, spring, Forcing::frozen)},
      {"drag, Crank–Nicolson", "Drag in halves by Crank–Nicolson with the rods: order", 2.0,
       find_errors(triple, drag, Forcing::crank_nicolson)},
      {"drag, decay", "Drag by exponentials and back to the rods: order", 1.93,
       find_errors(triple, drag, Forcing::decay), "masses, drag and steps of its chain"},
      {"strong drag, decay", "… and with ten times the drag: to what it falls", 1.0,
       find_errors(triple, strong, Forcing::decay)},
      {"spring, engine", "A spring of the engine's: order", 2.0,
       find_engine_errors(read_machine("triple_pendulum", {set("k", 20)}))},
      {"spring and damper, engine", "", 0.0,
       find_engine_errors(read_machine("triple_pendulum", {set("k", 20), set("d", 0.5)}))}};
  Figure figure{.title = "Triple pendulum with a spring or drag",
                .x = {.label = "step h [s]", .logarithmic = true},
                .y = {.label = "error at 1 s [m, m/s]", .logarithmic = true},
                .height = 400};
  Table table{.caption = "Errors of positions and velocities at 1 s.", .head = {"rule"}};
  for (const double h : steps) table.head.push_back(cell(h));
  for (const Row& row : rows) {
    const double room = row.expected > 1.5 ? 0.05 : 0.12;
    if (row.expected > 0.0)
      out.claims.push_back({.text = row.text,
                            .source = "section 1",
                            .expected = row.expected,
                            .measured = fit_last_order(steps, row.errors, 3),
                            .tolerance = {row.expected - room, row.expected + room},
                            .reason = "as of the other orders of this paper",
                            .unknown = row.unknown});
    figure.curves.push_back({.label = row.label, .x = steps, .y = row.errors, .mark = Mark::both});
    table.rows.push_back({row.label});
    for (const double error : row.errors) table.rows.back().push_back(cell(error));
  }
  figure.curves.push_back(make_guide("h²", 2.0, figure.curves.front()));
  out.remarks.push_back(fmt::format(
      "Dampers of the engine beside rods are of order {:.2f} here, where Crank–Nicolson with the "
      "rods shows that two is possible: theirs is stable at any stiffness instead.",
      fit_last_order(steps, rows.back().errors, 3)));
  out.tables.push_back(table);
  out.pictures.push_back({.file = "errors",
                          .figure = figure,
                          .caption = "A force that is frozen over the step costs an order."});
  return out;
}

}  // namespace ligament::papers::impulse
