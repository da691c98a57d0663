// SPDX-License-Identifier: Apache-2.0
// Figure 7: cost of a step against the length of the ladder.
#include <fmt/format.h>

#include <algorithm>

#include "papers/orders.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"
#include "papers/thread_time.h"

namespace ligament::papers {
namespace {

struct Cost {
  double work = 0.0;          // multiply-adds of the solver in a step, 0: not counted
  double milliseconds = 1e9;  // of this thread
};

// The quickest of several steps, after the first, which makes the plan of elimination.
Cost measure_step(const Scene& scene, int steps) {
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  Cost cost;
  for (int i = 0; i <= steps; ++i) {
    const double start = thread_milliseconds();
    const StepReport report = step(scene.stepper, scene.model, state, work);
    if (i > 0) cost.milliseconds = std::min(cost.milliseconds, thread_milliseconds() - start);
    cost.work = report.solve.work;
  }
  return cost;
}

struct Method {
  const char* solver;
  const char* label;
  std::vector<double> time{}, work{};
};

void add_claims(const std::vector<double>& cells, const Method& direct, const Method& umfpack,
                const Effort& effort, Experiment& e) {
  e.claims.push_back({.text = "Multiply-adds of a step grow as N: exponent",
                      .source = "figure 7",
                      .expected = 1.0,
                      .measured = fit_order(cells, direct.work),
                      .tolerance = {0.95, 1.05},
                      .reason = "counted, not timed; the ends of the ladder are cheaper"});
  if (effort.quick) return;  // short ladders and few steps tell nothing about time
  e.claims.push_back({.text = "Processor time of a step, our elimination: exponent",
                      .source = "figure 7",
                      .expected = 1.05,
                      .measured = fit_order(cells, direct.time),
                      .tolerance = {0.7, 1.3},
                      .reason = "a long ladder leaves the caches, and the machine has other work"});
  e.claims.push_back({.text = "Processor time of a step by UMFPACK, the paper's own: exponent",
                      .source = "figure 7",
                      .expected = 1.05,
                      .measured = fit_order(cells, umfpack.time),
                      .tolerance = {0.7, 1.3},
                      .reason = "as above"});
}

Figure draw(const std::vector<double>& cells, std::span<const Method> methods) {
  Figure figure{.title = "Processor time of a step",
                .x = {.label = "N", .logarithmic = true},
                .y = {.label = "time [ms]", .logarithmic = true}};
  for (const Method& method : methods)
    figure.curves.push_back(
        {.label = method.label, .x = cells, .y = method.time, .mark = Mark::both});
  std::vector<double> linear;
  for (const double n : cells) linear.push_back(methods[0].time.back() * n / cells.back());
  figure.curves.push_back({.label = "in proportion to N", .x = cells, .y = linear, .dash = 1});
  return figure;
}

}  // namespace

Experiment run_cost(const Effort& effort) {
  Experiment e{.title = "Ladder: cost in proportion to its length",
               .source = "section 6, figure 7; section 4",
               .paper_says =
                   "The time taken by the linear solver, UMFPACK, is linear in the number of "
                   "links, loops included.",
               .we_did =
                   "Steps of ladders in space (the paper's are in the plane), the quickest of "
                   "several: our block elimination, UMFPACK on the matrix of (29), and Cholesky "
                   "(CHOLMOD) on the Schur complement (30)."};
  Method methods[] = {{"direct", "ours"}, {"umfpack", "UMFPACK"}, {"cholmod", "Cholesky of (30)"}};
  const std::vector<double> cells = effort.quick ? std::vector<double>{50, 100, 200, 400}
                                                 : std::vector<double>{200, 500, 1000, 2000};
  Table table{
      .caption = "A step",
      .head = {"N", "multiply-adds, ours", "ours [ms]", "UMFPACK [ms]", "Cholesky of (30) [ms]"}};
  for (const double n : cells) {
    std::vector<std::string> row{fmt::format("{}", n)};
    for (Method& method : methods) {
      const Scene scene = read_ladder(static_cast<int>(n), {{"solver", method.solver}});
      const Cost cost = measure_step(scene, effort.quick ? 8 : 15);
      method.time.push_back(cost.milliseconds);
      method.work.push_back(cost.work);
      if (row.size() == 1) row.push_back(fmt::format("{:.3g}", cost.work));
      row.push_back(fmt::format("{:.3g}", cost.milliseconds));
    }
    table.rows.push_back(std::move(row));
  }
  add_claims(cells, methods[0], methods[1], effort, e);
  e.pictures.push_back({"cost", draw(cells, methods), "Figure 7"});
  e.tables.push_back(std::move(table));
  e.remarks = {
      "Section 4 advises against the Schur complement (30), as it can get dense. That depends "
      "on the machine: for a ladder it is as sparse as the large matrix, for a body with "
      "hundreds of joints it is full."};
  return e;
}

}  // namespace ligament::papers
