// SPDX-License-Identifier: Apache-2.0
// Figure 7: cost of a step against the length of the ladder.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <span>

#include "papers/orders.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"
#include "papers/thread_time.h"

namespace ligament::papers {
namespace {

// A ladder on its way, and what a step of it costs.
class Falling {
 public:
  // The first step makes the plan of elimination.
  Falling(double cells, const char* solver)
      : scene_(read_ladder(static_cast<int>(cells), {{"solver", solver}})),
        state_(scene_.model.initial_state()),
        work_(scene_.model) {
    solver_work = step(scene_.stepper, scene_.model, state_, work_).solve.work;
  }
  void go_on(int steps) {
    milliseconds = std::min(milliseconds, time_quickest(steps, [this] {
                              step(scene_.stepper, scene_.model, state_, work_);
                            }));
  }

  double solver_work = 0.0;   // multiply-adds of the solver in a step, 0: not counted
  double milliseconds = 1e9;  // of this thread, the quickest step

 private:
  Scene scene_;
  State state_;
  Workspace work_;
};

struct Method {
  const char* solver;
  const char* label;
  std::deque<Falling> falls{};
  std::vector<double> time{}, work{};
};

// Round by round, so that what else the machine does is in the way of all lengths alike: it only
// ever adds to a time, and the quickest step is the nearest to what a step costs.
void measure(const std::vector<double>& cells, int rounds, std::span<Method> methods) {
  for (Method& method : methods)
    for (const double n : cells) method.falls.emplace_back(n, method.solver);
  for (int round = 0; round < rounds; ++round)
    for (Method& method : methods)
      for (Falling& fall : method.falls) fall.go_on(4);
  for (Method& method : methods)
    for (const Falling& fall : method.falls) {
      method.time.push_back(fall.milliseconds);
      method.work.push_back(fall.solver_work);
    }
}

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
  figure.curves.push_back(
      {.label = "in proportion to N", .x = cells, .y = linear, .colour = 6, .dash = 1});
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
  measure(cells, effort.quick ? 2 : 10, methods);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    table.rows.push_back({fmt::format("{}", cells[i]), fmt::format("{:.3g}", methods[0].work[i])});
    for (const Method& method : methods)
      table.rows.back().push_back(fmt::format("{:.3g}", method.time[i]));
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
