// SPDX-License-Identifier: Apache-2.0
// What a variational stepper keeps: momentum of a ladder that floats.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/printed.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

// Sums of |g × λ| of the joints in a step, and of |g_x λ_z| + |g_z λ_x|.
void add_couples(const Sample& sample, double& couples, double& products) {
  for (std::size_t i = 0; i < sample.model.joints().size(); ++i) {
    const int row = sample.work.problem.G.blocks[i].first_row;
    const Vec3 g = sample.work.g.segment<3>(row);
    const Vec3 lambda = sample.work.solution.lambda.segment<3>(row);
    couples += g.cross(lambda).norm();
    products += std::abs(g.x() * lambda.z()) + std::abs(g.z() * lambda.x());
  }
}

}  // namespace

Experiment run_momentum(const Effort&) {
  Experiment e{.title = "Floating ladder: momentum",
               .source = "sections 2 and 7",
               .paper_says =
                   "Discrete variational integrators preserve the symmetries of a system "
                   "globally: linear and angular momentum.",
               .we_did =
                   "The ladder of 10 cells without gravity and pin, turning at 2 rad/s as one "
                   "piece, 20 s at h = 1/60 s. Impulses of a joint are opposite and act at its "
                   "two points, which a violation g sets apart: they make the couple g × λ."};
  const Scene scene =
      read_ladder(10, {{"pinned", "0"}, {"g", "0"}, {"turn", "2"}, {"duration", "20"}});
  const Model& model = scene.model;
  State state = model.initial_state();
  const Momentum start = compute_momentum(model, state);
  double scale = 0.0;
  for (const Body& body : model.bodies())
    if (body.v_offset >= 0) scale += state.p.segment<3>(body.v_offset).norm();
  double linear = 0.0, angular = 0.0, couples = 0.0, products = 0.0;
  Curve change{.label = "change of angular momentum"},
      bound{.label = "sum of |g × λ|", .mark = Mark::points};
  const auto watch = [&](const Sample& sample) {
    if (!sample.report) return;
    add_couples(sample, couples, products);
    const Momentum now = compute_momentum(model, sample.state);
    linear = std::max(linear, (now.linear - start.linear).norm() / scale);
    angular = std::max(angular, (now.angular - start.angular).norm());
    change.x.push_back(sample.state.t);
    change.y.push_back((now.angular - start.angular).norm() / start.angular.norm());
    if (sample.step % 60 != 0) return;  // a point a second
    bound.x.push_back(sample.state.t);
    bound.y.push_back(couples / start.angular.norm());
  };
  const RunReport report =
      run(model, scene.stepper, state, {.steps = scene.steps, .observers = {watch}});
  e.claims.push_back({.text = "Linear momentum: largest change over Σ m |v|",
                      .source = "section 2",
                      .expected = 3e-15,
                      .measured = linear,
                      .tolerance = below(1e-12),
                      .reason = "kept exactly: rounding of 1200 steps"});
  e.claims.push_back(
      {.text = "Angular momentum: largest change over the sum of |g × λ|",
       .source = "section 2",
       .expected = std::nan(""),
       .measured = angular / couples,
       .tolerance = below(1.0 + 1e-9),
       .reason =
           "a bound, for these couples are all that changes it; reached if they have one sign"});
  const auto note = [&](const char* text, const char* given, double measured) {
    e.claims.push_back({.text = text,
                        .source = "section 2",
                        .expected = printed(given).value,
                        .measured = measured,
                        .tolerance = printed(given).band(),
                        .reason = "rounds to the last digit that is given"});
  };
  note("… that change, over the angular momentum", "2.5e-5", angular / start.angular.norm());
  note("… over the sum of |g_x λ_z| + |g_z λ_x|, a bound as well", "0.1", angular / products);
  note("… and that bound, over the angular momentum", "2.4e-4", products / start.angular.norm());
  e.claims.push_back({.text = "Energy that is left after 20 s",
                      .source = "section 2",
                      .expected = 0.9975,
                      .measured = report.energy.final / report.energy.initial,
                      .tolerance = printed("0.9975").unit(),
                      .reason = "a unit of the last digit that is given; the rows damp what bends, "
                                "and most of the motion is a steady turn"});
  Figure figure{.title = "Angular momentum",
                .x = {.label = "time [s]"},
                .y = {.label = "over that of the start"}};
  figure.curves = {std::move(change), std::move(bound)};
  e.pictures.push_back({"angular", std::move(figure),
                        "Exact up to the couples of joints that a violation sets apart"});
  return e;
}

}  // namespace ligament::papers
