// SPDX-License-Identifier: Apache-2.0
// Figure 6: violation against the time step.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/orders.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

struct Series {
  std::vector<double> h, rms;
};

Series measure(const char* compliance, double time) {
  Series series;
  for (const int rate : {30, 60, 120, 240, 480, 960}) {
    const Scene scene =
        read_ladder(10, {{"stepper.h", fmt::format("1/{}", rate)}, {"compliance", compliance}});
    const Fall fall = let_fall(scene, 10, scene.model.initial_state(), std::lround(time * rate));
    series.h.push_back(1.0 / rate);
    series.rms.push_back(fall.mean_rms);
  }
  return series;
}

}  // namespace

Experiment run_ladder_order(const Effort&) {
  Experiment e{.title = "Ladder: the violation falls with h²",
               .source = "section 6, figure 6",
               .paper_says = "The error made on the constraint violation appears to be O(h²).",
               .we_did =
                   "N = 10, the mean of the rms of g over the first 2 s, which is before the "
                   "whiplash, for h = 1/30 … 1/960 s, with ε = 1e-12 and with the 1e-8 of the "
                   "paper."};
  const Series rigid = measure("1e-12", 2.0), usual = measure("1e-8", 2.0);
  const auto middle = [](const std::vector<double>& values) {
    return std::span(values).subspan(1, 4);  // 1/60 … 1/480
  };
  e.claims.push_back({.text = "Exponent of the violation in h, h = 1/60 … 1/480 s, ε = 1e-12",
                      .source = "figure 6",
                      .expected = 1.97,
                      .measured = fit_order(middle(rigid.h), middle(rigid.rms)),
                      .tolerance = {1.85, 2.1},
                      .reason = "2 as h falls; the largest step is not yet there"});
  const std::array<double, 5> slopes{1.94, 1.95, 1.98, 1.99, 2.00};
  for (std::size_t i = 0; i < slopes.size(); ++i)
    e.claims.push_back({.text = fmt::format("… of the halving from h = 1/{:.0f} s", 1 / rigid.h[i]),
                        .source = "figure 6",
                        .expected = slopes[i],
                        .measured = std::log2(rigid.rms[i] / rigid.rms[i + 1]),
                        .tolerance = {slopes[i] - 0.01, slopes[i] + 0.01},
                        .reason = "as many digits as are given: this part is not chaotic"});
  const std::size_t last = usual.h.size() - 1;
  e.claims.push_back({.text = "With ε = 1e-8 it falls off, h = 1/480 … 1/960 s",
                      .source = "figure 6",
                      .expected = 1.3,
                      .measured = std::log2(usual.rms[last - 1] / usual.rms[last]),
                      .tolerance = {1.25, 1.35},
                      .reason = "ε times the forces is a violation that does not depend on h; as "
                                "many digits as are given"});
  const Series whipped = measure("1e-12", 10.0);
  e.claims.push_back({.text = "With the whiplash in it, 10 s: exponent, h = 1/60 … 1/480 s",
                      .source = "figure 6",
                      .expected = 1.6,
                      .measured = fit_order(middle(whipped.h), middle(whipped.rms)),
                      .unknown = "over what time; the motion is chaotic"});
  Figure figure{.title = "Violation against the time step, N = 10, 2 s",
                .x = {.label = "h [s]", .logarithmic = true},
                .y = {.label = "mean rms of g [m]", .logarithmic = true}};
  std::vector<double> square;
  for (const double h : rigid.h) square.push_back(0.5 * rigid.rms[1] * std::pow(h / rigid.h[1], 2));
  figure.curves = {{.label = "ε = 1e-12", .x = rigid.h, .y = rigid.rms, .mark = Mark::both},
                   {.label = "ε = 1e-8", .x = usual.h, .y = usual.rms, .mark = Mark::both},
                   {.label = "h²", .x = rigid.h, .y = square, .colour = 6, .dash = 1}};
  e.pictures.push_back({"order", std::move(figure), "Figure 6"});
  return e;
}

}  // namespace ligament::papers
