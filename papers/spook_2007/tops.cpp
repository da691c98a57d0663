// SPDX-License-Identifier: Apache-2.0
// Section 4 leaves gyroscopic forces to future work: what our treatment of them does.
#include <algorithm>
#include <cmath>

#include "papers/printed.h"
#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/precession.h"
#include "papers/spook_2007/tumbling.h"

namespace ligament::papers {
namespace {

// A disc that spins on a box that floats.
void add_rotor(double spin, double given, double least, Experiment& e) {
  const Scene scene =
      read_paper_scene("spook_2007/rotor.json", {{"spin", fmt::format("{}", spin)}});
  const Vec3 L = compute_momentum(scene.model, scene.model.initial_state()).angular;
  double change = 0.0, couples = 0.0, excess = 0.0;
  const auto watch = [&](const Sample& sample) {
    if (!sample.report) return;
    const Vec3 g = sample.work.g.head<3>(), lambda = sample.work.solution.lambda.head<3>();
    couples += g.cross(lambda).norm();
    const Vec3 now = compute_momentum(sample.model, sample.state).angular;
    change = std::max(change, (now - L).norm() / L.norm());
    excess = std::max(excess, ((now - L).norm() - couples) / L.norm());
  };
  const RunReport report =
      simulate(scene.model, scene.stepper, {.steps = scene.steps, .observers = {watch}}).report;
  e.claims.push_back({.text = fmt::format("A disc at {} rad/s on a box that floats, 20 s: largest "
                                          "relative change of the angular momentum of both",
                                          spin),
                      .source = "section 4",
                      .expected = given,
                      .measured = change,
                      .unknown = "masses and sizes of box and disc"});
  if (spin == 300.0)
    e.claims.push_back({.text = "… it is small",
                        .source = "section 4",
                        .expected = given,
                        .measured = change,
                        .tolerance = below(1e-4),
                        .reason = "of the notes, whatever the sizes"});
  e.claims.push_back({.text = "… beyond the sum of |g × λ| of the bearing, over the momentum",
                      .source = "section 4",
                      .expected = 0.0,
                      .measured = excess,
                      .tolerance = below(1e-12),
                      .reason = "couples g × λ of the violated bearing are all that changes it: "
                                "rounding of 1200 steps"});
  const char* reason = "the bearing gives way a little and damps that";
  e.claims.push_back({.text = "… energy over that of the start: the least",
                      .source = "section 4",
                      .expected = least,
                      .measured = report.energy.min / report.energy.initial,
                      .tolerance = {0.99, 1.001},
                      .reason = reason});
  e.claims.push_back({.text = "… and the largest",
                      .source = "section 4",
                      .expected = 1.0,
                      .measured = report.energy.max / report.energy.initial,
                      .tolerance = {0.99, 1.001},
                      .reason = reason});
}

// What the precessions are to be compared with.
void add_references(Experiment& e) {
  const struct {
    NotedTop top;
    const char* exact;  // [rad] as the notes print it
  } tops[] = {
      {{"100", "0.04", "0.04", "0.06"}, "8.661"}, {{"200", "0.04", "0.04", "0.06"}, "4.212"},
      {{"300", "0.04", "0.04", "0.06"}, "2.787"}, {{"1000", "0.04", "0.04", "0.06"}, "0.833"},
      {{"200", "0.05", "0.08", "0.04"}, "6.398"}, {{"100", "0.08", "0.08", "0.02"}, "24.69"}};
  for (const auto& [top, exact] : tops)
    e.claims.push_back({.text = fmt::format("Euler's equations, {} rad/s, moments {}, {}, {}: "
                                            "precession in 10 s",
                                            top.spin, top.Ix, top.Iy, top.Iz),
                        .source = "section 4",
                        .unit = "rad",
                        .expected = printed(exact).value,
                        .measured = find_exact_precession(top.overrides()),
                        .tolerance = printed(exact).band(),
                        .reason = "rounds to the last digit that is given"});
}

// What is left of the vertical angular momentum of tops by the midpoint rule.
void add_verticals(Experiment& e) {
  struct Noted {
    const char *spin, *I1, *I3;
    double change, digit;
  };
  for (const Noted& top :
       {Noted{"200", "0.04", "0.06", 9e-5, 1e-5}, Noted{"300", "0.04", "0.06", 3e-5, 1e-5},
        Noted{"1000", "0.04", "0.06", 8e-6, 1e-6}, Noted{"100", "0.08", "0.02", 0.10, 0.01}})
    e.claims.push_back(
        {.text = fmt::format("Vertical angular momentum, {} rad/s, moments {}, {}, {}: largest "
                             "relative change in 10 s",
                             top.spin, top.I1, top.I1, top.I3),
         .source = "section 4",
         .expected = top.change,
         .measured =
             precess({{"spin", top.spin}, {"Ix", top.I1}, {"Iy", top.I1}, {"Iz", top.I3}}).vertical,
         .tolerance = {top.change - top.digit, top.change + top.digit},
         .reason = "a unit of the digit that is given"});
}

}  // namespace

Experiment run_tops(const Effort& effort) {
  Experiment e{.title = "Tops: the rotation that the paper leaves open",
               .source = "section 4",
               .paper_says =
                   "Rigid bodies in space need corrections for their gyroscopic forces, which "
                   "the variational formulation provides; that is left to future work.",
               .we_did =
                   "The implicit midpoint rule for the angular momentum, with its tangent in the "
                   "mass matrix; for free bodies also the drift that turns each as a symmetric "
                   "top and kicks it with the rest, and the explicit torque. A free body of "
                   "moments 1, 2, 2.5 kg m², for " +
                   std::string(effort.quick ? "20000" : "100000") +
                   " steps of h = 1/60 s; a heavy top (1 kg, 0.5 m from its tip, moments 0.04, "
                   "0.04, 0.06 kg m², tilted by 0.6 rad) on a ball joint, 10 s; a disc on a "
                   "floating box, 20 s. Scenes papers/spook_2007/top.json and rotor.json. "
                   "Euler's equations, by Runge and Kutta's method at 0.02 rad a step, give the "
                   "precession to compare with."};
  add_tumbling(effort, e);
  const Precession slow = precess({{"spin", "100"}}), fast = precess({{"spin", "1000"}});
  const auto note = [&](const char* text, const char* given, double measured) {
    e.claims.push_back({.text = text,
                        .source = "section 4",
                        .expected = printed(given).value,
                        .measured = measured,
                        .tolerance = printed(given).band(),
                        .reason = "rounds to the last digit that is given"});
  };
  note("Top at 100 rad/s, 10 s, vertical angular momentum: largest relative change", "4e-4",
       slow.vertical);
  note("… energy: largest relative loss", "3e-4", 1.0 - slow.least);
  note("… at 1000 rad/s: least energy over that of the start", "1.0000", fast.least);
  note("… and the largest", "1.0000", fast.most);
  add_precessions({{"100", "0.04", "0.04", "0.06", 8.624, 1e-3},
                   {"200", "0.04", "0.04", "0.06", 4.199, 1e-3},
                   {"300", "0.04", "0.04", "0.06", 2.786, 1e-3},
                   {"1000", "0.04", "0.04", "0.06", 0.833, 1e-3},
                   {"200", "0.05", "0.08", "0.04", 6.423, 1e-3},
                   {"100", "0.08", "0.08", "0.02", 26.15, 1e-2}},
                  {}, "the same method: a unit of the last digit that is given", e);
  add_references(e);
  add_verticals(e);
  add_rotor(100.0, 1e-5, 0.9986, e);
  add_rotor(300.0, 2e-6, 0.9998, e);
  add_rotor(1000.0, 4e-7, 1.0, e);
  Figure figure{.title = "Precession of a heavy top",
                .x = {.label = "time [s]"},
                .y = {.label = "angle [rad]"}};
  figure.curves = {{.label = "100 rad/s", .x = slow.t, .y = slow.angle},
                   {.label = "1000 rad/s", .x = fast.t, .y = fast.angle},
                   {.label = "mean rate by Euler's equations",
                    .x = {0.0, 10.0},
                    .y = {0.0, find_exact_precession({{"spin", "100"}})},
                    .colour = 2,
                    .dash = 1},
                   {.label = "",
                    .x = {0.0, 10.0},
                    .y = {0.0, find_exact_precession({{"spin", "1000"}})},
                    .colour = 2,
                    .dash = 1}};
  e.pictures.push_back({"precession", std::move(figure), "By the midpoint rule, and exact"});
  return e;
}

}  // namespace ligament::papers
