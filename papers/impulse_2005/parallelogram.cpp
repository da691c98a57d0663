// SPDX-License-Identifier: Apache-2.0
// A four-bar linkage whose opposite bars are equal: where it lies flat it could fold the other way.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ligament/steppers/words.h"
#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

constexpr double h = 0.002;

struct Turning {
  std::vector<double> t, crank, coupler;  // [s, rad]
  double gap = 0.0;                       // [m, rad] largest at the end of a step
  double failed = 2.0;                    // [s] when a step failed; 2: none
  int flat = 0;                           // how often the crank passed 0 or π
  int halved = 0;                         // steps that were
  double flattest = 1.0;                  // least 17th singular value of G M^(−½) over the first
};

// The 17th singular value of G M^(−½) over the largest: it is zero in a flat pose.
double find_flatness(const Model& model, const State& state) {
  Workspace work(model);
  build_rows(model, state, work);
  assemble_inertia(model, work.frames, work.problem.M);
  const MatX Gt = make_dense(work.problem.G).transpose();
  const MatX scaled = make_dense(work.problem.M).llt().matrixL().solve(Gt);
  const VecX values = scaled.jacobiSvd().singularValues();
  return values(16) / values(0);
}

double find_angle(const Machine& machine, const State& state, std::uint32_t body) {
  const Quat R = compute_pose(machine.model, state, {body}).R;
  return std::remainder(2.0 * std::atan2(R.z(), R.w()), 2.0 * std::numbers::pi);
}

// 2 s, steps halved so often where they do not close. Softness is that of rows while their systems
// are solved, in parts of the largest diagonal entry.
Turning turn(const Machine& machine, double softness, int halvings) {
  Impulse method = table_method(h);
  method.compliance_floor = softness / 2.22e-16;
  method.max_halvings = halvings;
  State state = machine.start;
  Workspace work(machine.model);
  Turning out;
  for (int i = 0; i <= 1000; ++i) {
    const double angle = find_angle(machine, state, 1);
    if (!out.crank.empty() && std::sin(angle) * std::sin(out.crank.back()) < 0.0) ++out.flat;
    const double before = out.crank.empty() ? angle : out.crank.back();
    out.t.push_back(state.t);
    out.crank.push_back(before + std::remainder(angle - before, 2.0 * std::numbers::pi));
    out.coupler.push_back(find_angle(machine, state, 2));
    out.flattest = std::min(out.flattest, find_flatness(machine.model, state));
    if (i == 1000) break;
    const StepReport report = step(method, machine.model, state, work);
    out.gap = std::max(out.gap, report.violation.max);
    if (report.halvings > 0) ++out.halved;
    if (report.ok()) continue;
    out.failed = state.t;
    break;
  }
  return out;
}

}  // namespace

Experiment show_parallelogram(const Effort&) {
  Experiment out{
      .title = "A parallelogram through its flat poses",
      .source = "section 4, redundancy",
      .paper_says = "Redundant constraints are left out; singular poses are not treated.",
      .we_did =
          "The four-bar linkage with crank and rocker of 0.5 m, coupler and ground of 1.2 m, over "
          "2 s at h = 0.002 s: 20 rows of rank 17, and 16 where it lies flat. Systems are solved "
          "with rows softened by 1e-9 of the largest diagonal entry, and steps halved where they "
          "do "
          "not close; and by 1e-6, not halved."};
  const Machine machine = read_machine(
      "four_bar", {set("crank", 0.5), set("rocker", 0.5), set("coupler", 1.2), set("ground", 1.2)});
  const Turning found = turn(machine, 1e-9, 10), soft = turn(machine, 1e-6, 0);
  const auto [least, most] = std::ranges::minmax_element(found.coupler);
  out.claims = {{.text = "The crank passes a flat pose this often",
                 .source = "section 4",
                 .expected = 1.0,
                 .measured = static_cast<double>(found.flat),
                 .tolerance = above(1.0),
                 .reason = "at least once, or there is nothing to see"},
                {.text = "Largest gap of a joint at the end of a step",
                 .source = "section 4",
                 .unit = "m, rad",
                 .expected = 6e-14,
                 .measured = found.failed < 2.0 ? std::nan("") : found.gap,
                 .tolerance = below(1e-12),
                 .reason = "the tolerance asked for is 1e-13"},
                {.text = "It stays a parallelogram: largest angle of the coupler",
                 .source = "section 4",
                 .unit = "rad",
                 .expected = 0.0,
                 .measured = std::max(-*least, *most),
                 .tolerance = below(1e-3),
                 .reason = "on the other branch it turns by more than 1 rad; in a flat pose a gap "
                           "of 1e-13 m leaves an angle of its root, 3e-7 rad, open"},
                {.text = "With rows softened by 1e-6: when a step fails (2: never)",
                 .source = "section 4",
                 .unit = "s",
                 .expected = 0.45,
                 .measured = soft.failed,
                 .unknown = "lengths, masses and start of its linkage"},
                {.text = "Smallest singular value that is not zero everywhere, over the largest",
                 .source = "section 4",
                 .expected = 1e-9,
                 .measured = found.flattest,
                 .unknown = "how near to a flat pose a step of its linkage ends"}};
  out.remarks.push_back(fmt::format("Steps of 1000 that were halved: {}.", found.halved));
  out.pictures.push_back(
      {.file = "angles",
       .figure = {.title = "Angles of crank and coupler",
                  .x = {.label = "time [s]"},
                  .y = {.label = "angle [rad]"},
                  .curves = {{.label = "crank", .x = found.t, .y = found.crank},
                             {.label = "coupler", .x = found.t, .y = found.coupler},
                             {.label = "flat, as at 0",
                              .x = {0.0, 2.0},
                              .y = {-std::numbers::pi, -std::numbers::pi},
                              .dash = 1}}},
       .caption = "The coupler stays level where the crank passes 0 and −π, the flat poses."});
  return out;
}

}  // namespace ligament::papers::impulse
